import type { Category as CategoryData } from '../contract/documents/category.ts';
import { pathOf } from '../contract/paths.ts';
import type { Catalog, Category } from '../model/catalog.ts';
import type { State } from '../model/state.ts';
import { changing, type Document, warningList } from './document.ts';

/** `/categories`: flat, by id. */
export function categoriesDocument(state: State, catalog: Catalog): Document {
  const filed = new Map<string, number>();
  for (const { categoryId } of catalog.listed) {
    if (categoryId !== null) filed.set(categoryId, (filed.get(categoryId) ?? 0) + 1);
  }
  const children = new Map<string, Category[]>();
  for (const category of catalog.categories) {
    if (category.parentId === null) continue;
    children.set(category.parentId, [...(children.get(category.parentId) ?? []), category]);
  }
  const total = (id: string): number =>
    (filed.get(id) ?? 0) +
    (children.get(id) ?? []).filter(({ active }) => active).reduce((sum, child) => sum + total(child.id), 0);
  const data: CategoryData[] = catalog.categories.map(({ id, parentId, name, active }) => ({
    id,
    parent_id: parentId,
    name,
    active,
    product_count: filed.get(id) ?? 0,
    total_product_count: total(id),
  }));
  return changing(pathOf('categories'), { data, meta: { warnings: warningList(state.generalWarnings) } });
}
