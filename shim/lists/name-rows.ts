import type { RowPosition } from '../../generator/contract/cursor.ts';
import { type RowPage, rowPage } from '../../generator/contract/formats/list-reading.ts';
import type { Work } from '../scheduling/work.ts';
import type { PublicationView } from '../site/publication-view.ts';
import { jsonReading } from '../site/verified-objects.ts';

const pageReading = jsonReading('page by name', rowPage);

/** Rows of a list by name with what its pages say of it. */
export type NameSelection = {
  readonly base: string;
  readonly rows: RowPage['data'];
  readonly warnings: RowPage['meta']['warnings'];
  readonly next: RowPosition | null;
};

/** Rows of a list by name from a position on, or from its beginning: one natural page, or exactly `limit` rows. */
export async function selectByName(
  view: PublicationView,
  path: string,
  position: RowPosition | null,
  limit: number | null,
  work: Work,
): Promise<NameSelection> {
  let at = position ?? { page: path, row: null };
  let page = await view.require(at.page, pageReading, work);
  const base = (page.links.self ?? at.page).slice(0, -at.page.length);
  const rows: RowPage['data'] = [];
  for (;;) {
    const start = at.row === null ? 0 : page.data.findIndex(({ id }) => id === at.row);
    const wanted = limit === null ? page.data.length : limit - rows.length;
    rows.push(...page.data.slice(start, start + wanted));
    const next = following(at.page, page, start + wanted, base);
    if (next === null || limit === null || rows.length === limit) {
      return { base, rows, warnings: page.meta.warnings, next };
    }
    at = next;
    page = await view.require(at.page, pageReading, work);
  }
}

/** Where a page's row of that number stands, or the next page when it has no such row. */
function following(path: string, { data, links }: RowPage, row: number, base: string): RowPosition | null {
  const found = data[row];
  if (found) return { page: path, row: found.id };
  return links.next === null ? null : { page: links.next.slice(base.length), row: null };
}
