import type { Category } from '../../../generator/contract/documents/curation.ts';
import type { BrowseIndex } from '../../../generator/contract/documents/search.ts';
import { fold } from '../../../generator/contract/folding.ts';
import { countText } from '../components/text.ts';
import { CategoryTree } from './category-tree.ts';

/** A size as it is listed: millilitres and containers, either of which may be unknown. */
export type Size = { readonly key: string; readonly text: string; readonly count: number };

/**
 * The listed products, prepared once for filters and orders, so that each of them is a pass over numbers. A product is its position
 * in the columns. -1 stands for what is not known.
 */
export type Catalog = {
  readonly count: number;
  readonly index: BrowseIndex;
  readonly tree: CategoryTree;
  /** Name, brand and SKU of each product, folded, for words to be found in. */
  readonly texts: readonly string[];
  readonly brand: Int32Array;
  /** The position of its category in the tree. */
  readonly category: Int32Array;
  readonly status: Int32Array;
  /** The position of its size in `sizes`. */
  readonly size: Int32Array;
  readonly sizes: readonly Size[];
  readonly priceMinor: Int32Array;
  /** Cents per litre; only where the package is one container of a known size. */
  readonly perLitre: Int32Array;
};

export function catalogOf(index: BrowseIndex, categories: readonly Category[]): Catalog {
  const { columns, count } = index;
  const tree = new CategoryTree(categories);
  const places = index.categories.map((id) => tree.positionOf(id));
  const sizes = sizesOf(index);
  return {
    count,
    index,
    tree,
    texts: columns.name.map((name, product) =>
      fold(`${brandName(index, product) ?? ''} ${name} ${columns.sku[product]}`),
    ),
    brand: Int32Array.from(columns.brand, (brand) => brand ?? -1),
    category: Int32Array.from(columns.category, (category) => (category === null ? -1 : (places[category] ?? -1))),
    status: Int32Array.from(columns.status),
    ...sizes,
    priceMinor: Int32Array.from(columns.price_minor, (price) => price ?? -1),
    perLitre: Int32Array.from(columns.price_minor, (price, product) => {
      const milliliters = columns.milliliters[product] ?? null;
      const isOne = (columns.container_count[product] ?? 1) === 1;
      return price === null || milliliters === null || !isOne ? -1 : Math.round((price * 1000) / milliliters);
    }),
  };
}

export function brandName({ brands, columns }: BrowseIndex, product: number): string | null {
  const brand = columns.brand[product] ?? null;
  return brand === null ? null : (brands[brand]?.name ?? null);
}

/** The sizes that products have, smallest first, and the size of each product. */
function sizesOf({ columns, count }: BrowseIndex): Pick<Catalog, 'size' | 'sizes'> {
  const groups = new Map<string, { milliliters: number; containers: number; products: number[] }>();
  for (let product = 0; product < count; product += 1) {
    const milliliters = columns.milliliters[product] ?? 0;
    const containers = columns.container_count[product] ?? 1;
    if (milliliters === 0) continue;
    const key = containers === 1 ? String(milliliters) : `${milliliters}x${containers}`;
    const group = groups.get(key) ?? { milliliters, containers, products: [] };
    group.products.push(product);
    groups.set(key, group);
  }
  const sorted = [...groups].sort(([, a], [, b]) => a.milliliters - b.milliliters || a.containers - b.containers);
  const size = new Int32Array(count).fill(-1);
  for (const [position, [, { products }]] of sorted.entries()) for (const product of products) size[product] = position;
  const sizes = sorted.map(([key, { milliliters, containers, products }]) => ({
    key,
    text: containers === 1 ? `${countText(milliliters)} mL` : `${countText(milliliters)} mL, ${containers} containers`,
    count: products.length,
  }));
  return { size, sizes };
}
