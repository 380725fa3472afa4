import type { ChangeHistory } from '../../contract/change.ts';
import type { PathKind } from '../../contract/paths.ts';
import type { Route } from '../../contract/site.ts';
import type { Addresses } from './addresses.ts';
import { type FaultList, shown } from './fault.ts';
import { compareRows } from './list-order.ts';
import { isChangePage } from './route-check.ts';

/** What every list, and every page of one, has. */
export type ListPage = {
  readonly data: readonly { readonly id: string }[];
  readonly meta: {
    readonly page: {
      readonly has_more: boolean;
      readonly next_cursor: string | null;
      readonly cursor_expires_at: string | null;
    };
    readonly history?: ChangeHistory;
    readonly family?: { readonly id: string };
  };
  readonly links: { readonly self: string | null; readonly next: string | null };
};

/** Whether it is what the address of a page past retention answers with (contract.md 4). */
export function isExpired({ data, links }: ListPage, kind: PathKind): boolean {
  return isChangePage(kind) && data.length === 0 && links.self === null;
}

/** Checks one page by itself: its paging fields, its own address, the order of its rows, its cache policy. */
export function checkListPage(
  page: ListPage,
  kind: PathKind,
  { path, cache }: Route,
  addresses: Addresses,
  faults: FaultList,
): void {
  const { meta, links } = page;
  const { has_more, next_cursor, cursor_expires_at } = meta.page;
  const expired = isExpired(page, kind);
  if (has_more !== (links.next !== null)) {
    faults.add('list_continuation', path, `has_more ${links.next !== null}, as links.next says`, String(has_more));
  }
  if (next_cursor !== null || cursor_expires_at !== null) {
    faults.add('list_continuation', path, 'a file without cursors', shown(next_cursor ?? cursor_expires_at));
  }
  if (!expired && (links.self === null || addresses.pathOf(links.self) !== path)) {
    faults.add('document_misplaced', path, `links.self ${path}`, shown(links.self));
  }
  if (isChangePage(kind) && (cache === 'revalidate') !== expired) {
    const expected = expired
      ? 'cache policy "revalidate" of a page past retention'
      : 'cache policy "immutable" of a page';
    faults.add('route_delivery', path, expected, shown(cache));
  }
  for (const [index, row] of page.data.entries()) {
    const before = page.data[index - 1];
    if (before && compareRows(kind, before, row) >= 0) {
      faults.add('list_order', path, `row ${index} after row ${before.id}, each once and in order`, row.id);
    }
  }
}
