import { useCategories } from '../site/directories.ts';
import { hrefFor } from '../site/router.ts';
import { categoryPath } from './category-path.ts';

/** Categories as a list of facts, each with a link to its products. */
export function CategoryFacts({ ids }: { readonly ids: readonly string[] }) {
  const categories = useCategories().value ?? [];
  return (
    <>
      <dt>{ids.length === 1 ? 'Category' : 'Categories'}</dt>
      {ids.length === 0 && <dd>None</dd>}
      {ids.map((id) => (
        <dd key={id}>
          <a href={hrefFor('browse', '', { category: id })}>{categoryPath(categories, id)}</a>
        </dd>
      ))}
    </>
  );
}
