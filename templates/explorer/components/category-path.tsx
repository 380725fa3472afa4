import type { Category } from '../../../generator/contract/documents/catalog.ts';
import { placeOf } from '../app/router.ts';
import { useLoaded } from '../app/session.ts';
import { capital, words } from './text.ts';

/** The categories of something in a list of facts, each with a link to its products. */
export function CategoryFacts({ ids }: { readonly ids: readonly string[] }) {
  const categories = useLoaded('categories', (site, signal) => site.categories({ signal })).value?.data ?? [];
  return (
    <>
      <dt>{ids.length === 1 ? 'Category' : 'Categories'}</dt>
      {ids.length === 0 && <dd>None</dd>}
      {ids.map((id) => (
        <dd key={id}>
          <a href={placeOf('browse', '', { category: id })}>{categoryPath(categories, id)}</a>
        </dd>
      ))}
    </>
  );
}

/** The name of a category after the names of those above it. A category that is not known stands with its id in words. */
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
