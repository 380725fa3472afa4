import { hash } from 'node:crypto';
import { pageSize } from '../contract/page-index.ts';
import type { Addresser } from '../contract/paths.ts';
import type { Warning } from '../contract/warning.ts';
import type { Document } from '../resources/document.ts';

/** A list by name: where it stands, where a page with given contents stands, and its rows. */
export type NameList = {
  readonly path: string;
  readonly pagePath: (digest: string) => string;
  readonly rows: readonly object[];
  readonly warnings: readonly Warning[];
};

/**
 * Cuts a list into pages of 100 rows. A page's address is a digest of what it says, its link to the next page
 * included: other rows, other addresses, from the first page down to the last one that changed. Whoever walks an
 * older chain stays on it, and never meets a row twice.
 */
export function* nameListDocuments(list: NameList, address: Addresser): Generator<Document> {
  const count = Math.max(1, Math.ceil(list.rows.length / pageSize));
  let next: string | null = null;
  for (let page = count - 1; page >= 0; page -= 1) {
    const data = list.rows.slice(page * pageSize, (page + 1) * pageSize);
    const meta = {
      page: { has_more: next !== null, next_cursor: null, cursor_expires_at: null },
      warnings: list.warnings,
    };
    const digest = hash('sha256', JSON.stringify([data, meta, next])).slice(0, 16);
    const path: string = page === 0 ? list.path : list.pagePath(digest);
    yield {
      path,
      cache: page === 0 ? 'revalidate' : 'immutable',
      since: null,
      value: { data, meta, links: { self: address(path), next } },
    };
    next = address(path);
  }
}
