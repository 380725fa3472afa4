import { type PathKind, parsePath } from '../../contract/paths.ts';
import type { Route } from '../../contract/site.ts';
import { shown } from './fault.ts';
import { compareRows } from './list-order.ts';
import { isExpired, type ListPage } from './list-page.ts';
import type { SiteUnderCheck } from './site-check.ts';

export type WalkedPage = { readonly page: ListPage; readonly route: Route; readonly kind: PathKind };

/**
 * Follows a list from its head along `links.next`, as a client does, and hands over each page that has rows to give.
 * True when it came to the end: a walk that met an unreadable page proves nothing about the whole.
 */
export function walkList(site: SiteUnderCheck, head: Route, visit: (walked: WalkedPage) => void): boolean {
  const seen = new Set<string>();
  let lastRow: ListPage['data'][number] | undefined;
  let route = head;
  for (;;) {
    seen.add(route.path);
    const page = site.documents.read(route) as ListPage | null;
    const kind = parsePath(route.path)?.kind;
    if (page === null || kind === undefined) return false;
    if (isExpired(page, kind)) return true;
    const [firstRow] = page.data;
    if (lastRow && firstRow && compareRows(kind, lastRow, firstRow) >= 0) {
      const expected = `first row after ${lastRow.id}, the last one of the page before`;
      site.faults.add('list_order', route.path, expected, firstRow.id);
    }
    lastRow = page.data.at(-1) ?? lastRow;
    visit({ page, route, kind });
    if (page.links.next === null) return true;
    const next = nextRoute(site, head, route, page.links.next);
    if (next === null) return false;
    if (seen.has(next.path)) {
      site.faults.add('list_continuation', route.path, 'a next page not met before', next.path);
      return false;
    }
    route = next;
  }
}

/** A list goes on with a page of its own. That the address has an answer at all is checked with all addresses. */
function nextRoute(
  { table, addresses, faults }: SiteUnderCheck,
  head: Route,
  holder: Route,
  next: string,
): Route | null {
  const path = addresses.pathOf(next);
  const own = parsePath(head.path);
  const other = parsePath(path);
  const ids = ['product_id', 'family_id'] as const;
  const isOwn = other?.kind === `${own?.kind}_page` && ids.every((id) => other.parameters[id] === own?.parameters[id]);
  if (!isOwn) {
    faults.add('list_continuation', holder.path, `links.next to a page of ${head.path}`, shown(next));
    return null;
  }
  const route = table.find(path);
  return typeof route === 'string' ? null : route;
}
