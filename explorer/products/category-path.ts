import type { Category } from '../../contract/schemas/catalog.ts';
import { capital, words } from '../parts/text.ts';

/** The name of a category after the names of its ancestors. An unknown category is shown by its id, as words. */
export function categoryPath(categories: readonly Category[], id: string): string {
  const names: string[] = [];
  const passed = new Set<string>();
  for (let next: string | null = id; next !== null && !passed.has(next); ) {
    passed.add(next);
    const found: Category | undefined = categories.find((category) => category.id === next);
    names.unshift(found?.name ?? capital(words(next.replace(/^cat_/, ''))));
    next = found?.parent_id ?? null;
  }
  return names.join(' › ');
}
