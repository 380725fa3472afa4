import type { Category } from '../../contract/schemas/category.ts';
import { yearsIn } from '../../contract/search-order.ts';
import { CategoryTree } from './categories.tsx';
import { type ProductIndex, sizeText } from './product-index.ts';

/** Fields that each have one value per product, and that a filter lists. */
export const filterChoices = ['category', 'brand', 'size', 'year', 'status'] as const;
export type FilterChoice = (typeof filterChoices)[number];

/** A value to filter by: its key in the address, and its text. `depth`: its level in the tree, from 0. */
type FilterOption = { readonly key: string; readonly text: string; readonly depth: number };

/**
 * The listed products, prepared once so that every filter and order is a pass over numbers. A product is its position
 * in the index.
 */
export type Catalog = {
  readonly index: ProductIndex;
  readonly tree: CategoryTree;
  readonly options: Readonly<Record<FilterChoice, readonly FilterOption[]>>;
  /** For each product, the position of its value among the options; -1 if it is not known. */
  readonly values: Readonly<Record<FilterChoice, Int32Array>>;
};

export function buildCatalog(index: ProductIndex, categories: readonly Category[]): Catalog {
  const { brands, statuses, columns, categories: ids } = index.document;
  index.nameCategories(categories);
  const tree = new CategoryTree(categories);
  const positions = ids.map((id) => tree.positionOf(id));
  const flat = (key: string, text: string) => ({ key, text, depth: 0 });
  const sizes = sizeOptions(index);
  const years = yearOptions(index);
  return {
    index,
    tree,
    options: {
      category: tree.categories.map(({ id, name }, at) => ({ key: id, text: name, depth: tree.depths[at] ?? 0 })),
      brand: brands.map(({ slug, name }) => flat(slug, name)),
      size: sizes.options,
      year: years.options,
      status: statuses.map(({ code, label }) => flat(code, label)),
    },
    values: {
      // Mapping first and copying then is several times as fast as passing a function to Int32Array.from.
      category: Int32Array.from(
        columns.category.map((category) => (category === null ? -1 : (positions[category] ?? -1))),
      ),
      brand: Int32Array.from(columns.brand.map((brand) => brand ?? -1)),
      size: sizes.values,
      year: years.values,
      status: Int32Array.from(columns.status),
    },
  };
}

/** A size packed into one number: its millilitres times this, plus its containers. */
const mostContainers = 1_000_000;

/** The sizes of all products, smallest first. */
function sizeOptions({ document: { columns } }: ProductIndex) {
  const sizes = columns.milliliters.map((milliliters, product) =>
    milliliters ? milliliters * mostContainers + (columns.container_count[product] ?? 1) : 0,
  );
  const sorted = [...new Set(sizes)].filter((size) => size > 0).sort((a, b) => a - b);
  const positions = new Map(sorted.map((size, position) => [size, position]));
  const options = sorted.map((size) => {
    const [milliliters, containers] = [Math.floor(size / mostContainers), size % mostContainers];
    const key = containers === 1 ? String(milliliters) : `${milliliters}x${containers}`;
    return { key, text: sizeText(milliliters, containers) ?? '', depth: 0 };
  });
  return { values: Int32Array.from(sizes.map((size) => positions.get(size) ?? -1)), options };
}

/** The years in product names, newest first. */
function yearOptions({ document: { columns } }: ProductIndex) {
  const years = columns.name.map(yearInName);
  const sorted = [...new Set(years)].filter((year) => year !== null).sort((a, b) => b - a);
  const positions = new Map<number | null, number>(sorted.map((year, position) => [year, position]));
  const options = sorted.map((year) => ({ key: String(year), text: String(year), depth: 0 }));
  return { values: Int32Array.from(years.map((year) => positions.get(year) ?? -1)), options };
}

/** Other four-digit numbers, as in `San Pedro 1865`, belong to the name. */
const wholeYear = /(?<![\p{L}\p{N}])(?:19[5-9]|20[0-4])\d(?![\p{L}\p{N}])/u;

/**
 * The year in a name, which for a wine is its vintage: 2019 in `Chateau La Nerthe '19` and in `Rousseau 2019`. The
 * first one counts.
 */
export function yearInName(name: string): number | null {
  const year = yearsIn(name)[0] ?? wholeYear.exec(name)?.[0];
  return year === undefined ? null : Number(year);
}
