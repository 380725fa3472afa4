import { hash } from 'node:crypto';
import { pageSize } from '../../contract/pages.ts';
import { type Addresser, formatPath } from '../../contract/paths.ts';
import type { Warning } from '../../contract/schemas/primitives.ts';
import type { Document } from './document.ts';

type NameList = {
  readonly kind: 'products' | 'families' | 'brands' | 'stores';
  readonly rows: readonly object[];
  readonly warnings: readonly Warning[];
};

/**
 * Splits a list into pages of 100 rows. A page's address contains a digest of its content, which includes the link to
 * the next page. A changed row therefore changes the addresses of its page and of every page before it. A client in the
 * middle of an older chain stays on it and never gets a row twice.
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
    const path: string = page === 0 ? formatPath(list.kind) : formatPath(`${list.kind}_page`, { digest });
    yield {
      path,
      cache: page === 0 ? 'revalidate' : 'immutable',
      since: null,
      value: { data, meta, links: { self: address(path), next } },
    };
    next = address(path);
  }
}
