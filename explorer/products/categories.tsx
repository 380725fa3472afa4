import type { Category } from '../../contract/schemas/category.ts';
import { capital, words } from '../parts/text.ts';
import { hrefFor } from '../site/router.ts';
import { useCategories } from '../site/stores-and-categories.ts';

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

/** Categories in tree order: every parent before its children, and siblings by name. */
export class CategoryTree {
  readonly categories: readonly Category[];
  /** The level of each category, from 0. */
  readonly depths: readonly number[];
  /** The position after each category's last descendant, so that its descendants are a range. */
  readonly ends: readonly number[];
  readonly #positions = new Map<string, number>();

  constructor(categories: readonly Category[]) {
    const children = new Map<string | null, Category[]>();
    for (const category of categories) {
      const siblings = children.get(category.parent_id) ?? [];
      siblings.push(category);
      children.set(category.parent_id, siblings);
    }
    const known = new Set(categories.map(({ id }) => id));
    const ordered: Category[] = [];
    const depths: number[] = [];
    const ends: number[] = [];
    const add = (category: Category, depth: number) => {
      if (this.#positions.has(category.id)) return;
      const position = ordered.push(category) - 1;
      this.#positions.set(category.id, position);
      depths.push(depth);
      for (const child of byName(children.get(category.id) ?? [])) add(child, depth + 1);
      ends[position] = ordered.length;
    };
    const tops = categories.filter(({ parent_id }) => parent_id === null || !known.has(parent_id));
    for (const top of byName(tops)) add(top, 0);
    this.categories = ordered;
    this.depths = depths;
    this.ends = ends;
  }

  /** The position of a category; -1 if it is not published. */
  positionOf(id: string): number {
    return this.#positions.get(id) ?? -1;
  }

  /** For each category, the sum of the counts of itself and all its descendants. */
  subtreeTotals(counts: ArrayLike<number>): number[] {
    const before = [0];
    for (let position = 0; position < this.categories.length; position += 1)
      before.push((before[position] ?? 0) + (counts[position] ?? 0));
    return this.ends.map((end, position) => (before[end] ?? 0) - (before[position] ?? 0));
  }
}

function byName(categories: readonly Category[]): Category[] {
  return [...categories].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id < b.id ? -1 : 1));
}
