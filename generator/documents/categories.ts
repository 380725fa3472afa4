import { formatPath } from '../../contract/paths.ts';
import type { Category } from '../../contract/schemas/category.ts';
import type { Catalog } from './catalog.ts';
import { answer, type Document } from './document.ts';
import type { State } from './state.ts';

/** `/categories`: a flat list, by id. */
export function categoriesDocument(state: State, catalog: Catalog): Document {
  const filed = new Map<string, number>();
  for (const { category_id } of catalog.listed) {
    if (category_id !== null) filed.set(category_id, (filed.get(category_id) ?? 0) + 1);
  }
  const children = Map.groupBy(catalog.categories, ({ parent_id }) => parent_id);
  const total = (id: string): number =>
    (filed.get(id) ?? 0) +
    (children.get(id) ?? []).filter(({ active }) => active).reduce((sum, child) => sum + total(child.id), 0);
  const data: Category[] = catalog.categories.map((category) => ({
    ...category,
    product_count: filed.get(category.id) ?? 0,
    total_product_count: total(category.id),
  }));
  return answer(formatPath('categories'), data, state.generalWarnings);
}
