import { fold } from '../../../generator/contract/folding.ts';
import type { UnusedPart } from '../components/unused-part.ts';
import type { Catalog } from './catalog.ts';

/** The parameters of the view's address. Prices are in dollars, `store` is an id, `sort` a column's name, with `-` from its largest. */
export const filterNames = ['q', 'category', 'brand', 'from', 'to', 'size', 'status', 'store', 'sort'] as const;
export type FilterName = (typeof filterNames)[number];
export type Filters = Readonly<Record<FilterName, string>>;

/** `rows`: the products that pass every filter, in the order given. `categoryTotals`: those that pass all but the category's. */
export type Filtered = { readonly rows: readonly number[]; readonly categoryTotals: readonly number[] };

/** Filters products. `inStore`: 1 for each product reported in the store asked for; null where none is. */
export function filtered(catalog: Catalog, filters: Filters, order: Int32Array, inStore: Uint8Array | null): Filtered {
  const { tree, texts, brand, category, status, size, priceMinor } = catalog;
  const words = fold(filters.q).split(/\s+/).filter(Boolean);
  const brandWanted = wanted(filters.brand, (slug) => catalog.index.brands.findIndex((row) => row.slug === slug));
  const statusWanted = wanted(filters.status, (code) => catalog.index.statuses.findIndex((row) => row.code === code));
  const sizeWanted = wanted(filters.size, (key) => catalog.sizes.findIndex((row) => row.key === key));
  const [from, to] = [centsOf(filters.from), centsOf(filters.to)];
  const hasPriceFilter = from !== null || to !== null;
  const first = filters.category === '' ? 0 : tree.positionOf(filters.category);
  const end = filters.category === '' ? 0 : (tree.ends[first] ?? 0);
  const counts = new Int32Array(tree.categories.length);
  const rows: number[] = [];
  for (const product of order) {
    if (brandWanted !== null && brand[product] !== brandWanted) continue;
    if (statusWanted !== null && status[product] !== statusWanted) continue;
    if (sizeWanted !== null && size[product] !== sizeWanted) continue;
    if (inStore !== null && inStore[product] === 0) continue;
    if (hasPriceFilter && !isWithin(priceMinor[product] ?? -1, from, to)) continue;
    if (!hasWords(texts[product] ?? '', words)) continue;
    const place = category[product] ?? -1;
    if (place >= 0) counts[place] = (counts[place] ?? 0) + 1;
    if (filters.category === '' || (first >= 0 && place >= first && place < end)) rows.push(product);
  }
  return { rows, categoryTotals: tree.totalsOf(counts) };
}

/** Prices that are no amounts do not filter. */
export function unusedPrices(filters: Filters): UnusedPart[] {
  return (['from', 'to'] as const)
    .filter((name) => filters[name] !== '' && centsOf(filters[name]) === null)
    .map((name) => ({ name, value: filters[name], expected: 'dollars such as 12.50' }));
}

/** The position that a filter asks for; null without one, and -2, which no product has, for something unknown. */
function wanted(value: string, find: (value: string) => number): number | null {
  if (value === '') return null;
  const position = find(value);
  return position < 0 ? -2 : position;
}

function hasWords(text: string, words: readonly string[]): boolean {
  for (const word of words) if (!text.includes(word)) return false;
  return true;
}

function isWithin(price: number, from: number | null, to: number | null): boolean {
  return price >= 0 && (from === null || price >= from) && (to === null || price <= to);
}

/** An amount in dollars as cents; null for a text that is none. */
function centsOf(dollars: string): number | null {
  return /^\d+(\.\d*)?$/.test(dollars) ? Math.round(Number(dollars) * 100) : null;
}
