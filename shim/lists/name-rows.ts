import { pageSize } from '../../contract/pages.ts';
import type { QueryOf } from '../../contract/parameters.ts';
import { formatPath } from '../../contract/paths.ts';
import type { RowPage, RowPosition } from '../../contract/schemas/pages.ts';
import { fold } from '../../contract/text.ts';
import type { PublicationFiles } from '../site/publication-files.ts';
import { documentReading } from '../site/reading.ts';

const pageReading = documentReading('page by name', 'row_page');

/** Rows of a list by name as JSON, with the fields of its pages that an answer needs. */
type NameSelection = {
  readonly base: string;
  readonly rows: readonly string[];
  readonly meta: Pick<RowPage['meta'], 'warnings'>;
  readonly next: RowPosition | null;
};

/** Selects rows of a list by name, from a position or from the beginning: one natural page, or up to `limit` rows. */
export async function selectByName(
  files: PublicationFiles,
  path: string,
  position: RowPosition | null,
  limit: number | null,
): Promise<NameSelection> {
  let at = position ?? { page: path, row: null };
  let page = await files.require(at.page, pageReading);
  const base = (page.links.self ?? at.page).slice(0, -at.page.length);
  const rows: string[] = [];
  for (;;) {
    const start = at.row === null ? 0 : page.data.findIndex(({ id }) => id === at.row);
    const wanted = limit === null ? page.data.length : limit - rows.length;
    rows.push(...page.data.slice(start, start + wanted).map((row) => JSON.stringify(row)));
    const next = following(at.page, page, start + wanted, base);
    if (next === null || limit === null || rows.length === limit) {
      return { base, rows, meta: { warnings: page.meta.warnings }, next };
    }
    at = next;
    page = await files.require(at.page, pageReading);
  }
}

/** The position of a row of a page by its number, or of the next page if there is no such row. */
function following(path: string, { data, links }: RowPage, row: number, base: string): RowPosition | null {
  const found = data[row];
  if (found) return { page: path, row: found.id };
  return links.next === null ? null : { page: links.next.slice(base.length), row: null };
}

const indexReading = documentReading('brand index', 'brand_index');
const categoryReading = documentReading('categories', 'categories');

/** Selects the brands that match a query, in the requested order, from a position onwards, contract.md 3. */
export async function selectBrands(
  files: PublicationFiles,
  query: QueryOf<'brands'>,
  position: RowPosition | null,
): Promise<NameSelection> {
  const path = formatPath('brands');
  const { q, category_ids, sort, limit } = query;
  if (q === undefined && category_ids === undefined && sort === undefined) {
    return selectByName(files, path, position, limit ?? null);
  }
  const { base } = await selectByName(files, path, null, 1);
  const { brands, warnings } = await files.require(formatPath('brand_index'), indexReading);
  const wanted = category_ids && (await withDescendants(files, category_ids));
  const folded = q === undefined ? null : fold(q);
  const found = brands
    .filter(({ names }) => folded === null || names.some((name) => name.includes(folded)))
    .filter(({ brand }) => !wanted || brand.category_ids.some((id) => wanted.has(id)))
    .map(({ brand }) => brand);
  if (sort === '-name') found.reverse();
  const start = position ? found.findIndex(({ id }) => id === position.row) : 0;
  const end = start + (limit ?? pageSize);
  const following = found[end];
  const next = following ? { page: path, row: following.id } : null;
  return { base, rows: found.slice(start, end).map((brand) => JSON.stringify(brand)), meta: { warnings }, next };
}

/**
 * The categories with all descendants that can be reached through active ones. The requested categories count even if
 * they are inactive.
 */
async function withDescendants(files: PublicationFiles, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { data } = await files.require(formatPath('categories'), categoryReading);
  const reached = new Set(ids);
  for (const parent of reached) {
    for (const { id, parent_id, active } of data) if (parent_id === parent && active) reached.add(id);
  }
  return reached;
}
