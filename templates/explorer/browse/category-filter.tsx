import { placeOf } from '../app/router.ts';
import { countText } from '../components/text.ts';
import type { CategoryTree } from './category-tree.ts';

/**
 * The categories as a tree of links, each with the products that it would show. Categories without any are left out, and so are those
 * two levels below the chosen one. `totals` null: they are not known. A chosen category that is not
 * published, which a link may have, is shown as it is.
 */
export function CategoryFilter({
  tree,
  totals,
  chosen,
  placeOfCategory,
}: {
  readonly tree: CategoryTree;
  readonly totals: readonly number[] | null;
  readonly chosen: string;
  readonly placeOfCategory: (id: string) => string;
}) {
  const open = new Set([-1]);
  const at = tree.positionOf(chosen);
  for (const [position] of tree.categories.entries())
    if (position <= at && at < (tree.ends[position] ?? 0)) open.add(position);
  const parents: number[] = [];
  const shown = tree.categories.flatMap((category, position) => {
    const depth = tree.depths[position] ?? 0;
    parents[depth] = position;
    const parent = depth === 0 ? -1 : (parents[depth - 1] ?? -1);
    const total = totals && (totals[position] ?? 0);
    return open.has(parent) && (total !== 0 || position === at) ? [{ category, depth, total }] : [];
  });
  return (
    <nav class="tree" aria-label="Categories">
      <ul>
        <li>
          <a href={placeOfCategory('')} aria-current={chosen === '' ? 'true' : undefined}>
            All categories
          </a>
        </li>
        {chosen !== '' && at < 0 && (
          <li>
            <a href={placeOfCategory(chosen)} aria-current="true">
              {chosen}
            </a>{' '}
            <span class="muted">0</span>
          </li>
        )}
        {shown.map(({ category, depth, total }) => (
          <li key={category.id} style={{ paddingInlineStart: `${depth * 0.9}rem` }}>
            <a href={placeOfCategory(category.id)} aria-current={category.id === chosen ? 'true' : undefined}>
              {category.name}
            </a>{' '}
            {total !== null && <span class="muted">{countText(total)}</span>}
          </li>
        ))}
      </ul>
      <p>
        <a href={placeOf('categories')}>Every category with its counts</a>
      </p>
    </nav>
  );
}
