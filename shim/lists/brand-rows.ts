import type { RowPosition } from '../../generator/contract/cursor.ts';
import { brandIndex } from '../../generator/contract/documents/brand.ts';
import { type Category, categoryDocument } from '../../generator/contract/documents/category.ts';
import { fold } from '../../generator/contract/folding.ts';
import { pageSize } from '../../generator/contract/formats/page-index.ts';
import type { QueryOf } from '../../generator/contract/parameters.ts';
import { pathOf } from '../../generator/contract/paths.ts';
import type { Work } from '../scheduling/work.ts';
import type { PublicationView } from '../site/publication-view.ts';
import { jsonReading } from '../site/verified-objects.ts';
import { type NameSelection, selectByName } from './name-rows.ts';

const indexReading = jsonReading('brand index', brandIndex);
const categoryReading = jsonReading('categories', categoryDocument);

/** Brands that a query leaves, in the order it asks for, from a position on, contract.md 3. */
export async function selectBrands(
  view: PublicationView,
  query: QueryOf<'brands'>,
  position: RowPosition | null,
  work: Work,
): Promise<NameSelection> {
  const path = pathOf('brands');
  const { q, category_ids, sort, limit } = query;
  if (q === undefined && category_ids === undefined && sort === undefined) {
    return selectByName(view, path, position, limit ?? null, work);
  }
  const { base } = await selectByName(view, path, null, 1, work);
  const { brands, warnings } = await view.require(pathOf('brand_index'), indexReading, work);
  const wanted = category_ids && (await withDescendants(view, category_ids, work));
  const folded = q === undefined ? null : fold(q);
  const found = brands
    .filter(({ names }) => folded === null || names.some((name) => name.includes(folded)))
    .filter(({ brand }) => !wanted || brand.category_ids.some((id) => wanted.has(id)))
    .map(({ brand }) => brand);
  if (sort === '-name') found.reverse();
  const start = position ? found.findIndex(({ id }) => id === position.row) : 0;
  const end = start + (limit ?? pageSize);
  const following = found[end];
  return { base, rows: found.slice(start, end), warnings, next: following ? { page: path, row: following.id } : null };
}

/** Categories with all that are filed below them, reached through active ones; those asked for count active or not. */
async function withDescendants(
  view: PublicationView,
  ids: readonly string[],
  work: Work,
): Promise<ReadonlySet<string>> {
  const { data } = await view.require(pathOf('categories'), categoryReading, work);
  const children = new Map<string, Category[]>();
  for (const one of data) {
    if (one.parent_id === null || !one.active) continue;
    const siblings = children.get(one.parent_id);
    if (siblings) siblings.push(one);
    else children.set(one.parent_id, [one]);
  }
  const reached = new Set(ids);
  for (const id of reached) for (const child of children.get(id) ?? []) reached.add(child.id);
  return reached;
}
