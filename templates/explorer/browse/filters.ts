import { minorAmount } from '../components/site-profile.ts';
import type { UnusedPart } from '../components/unused-part.ts';
import { queryWords } from '../search/ranking.ts';
import { type Catalog, type Choice, choices } from './catalog.ts';

/**
 * The parameters of the view's address. Prices are amounts, `store` is an id, `sort` a column's name, with `-` from its largest, and
 * `as_of` the day of an earlier publication.
 */
export const filterNames = [
  'q',
  'category',
  'brand',
  'size',
  'status',
  'store',
  'from',
  'to',
  'sort',
  'as_of',
] as const;
export type FilterName = (typeof filterNames)[number];
export type Filters = Readonly<Record<FilterName, string>>;

/**
 * `rows`: the products that pass every filter, in the order given. `counts`: of each value of a choice, the products that pass
 * all but the filter of this choice.
 */
export type Filtered = {
  readonly rows: readonly number[];
  readonly counts: Readonly<Record<Choice, ArrayLike<number>>>;
};

/** Filters products. `inStore`: 1 for each product reported in the store asked for; null where none is. */
export function filtered(catalog: Catalog, filters: Filters, order: Int32Array, inStore: Uint8Array | null): Filtered {
  const { index, tree, options, values } = catalog;
  const ranks = queryWords(filters.q).length > 0 ? index.ranksFor(filters.q) : null;
  const [from, to] = [centsOf(filters.from), centsOf(filters.to)];
  const hasPriceFilter = from !== null || to !== null;
  const asked = choices.map((choice) => {
    const isAsked = filters[choice] !== '';
    const first = isAsked ? options[choice].findIndex(({ key }) => key === filters[choice]) : 0;
    const end = !isAsked ? 0 : choice === 'category' ? (tree.ends[first] ?? 0) : first + 1;
    return { isAsked, of: values[choice], first, end, counts: new Int32Array(options[choice].length) };
  });
  const rows: number[] = [];
  for (const product of order) {
    if (inStore !== null && inStore[product] === 0) continue;
    if (hasPriceFilter && !isWithin(index.price(product), from, to)) continue;
    if (ranks !== null && ranks[product] === 0) continue;
    let failures = 0;
    let failed: (typeof asked)[number] | null = null;
    for (const one of asked) {
      const value = one.of[product] ?? -1;
      // A value that is not known has the place -1, which no product may pass with.
      if (!one.isAsked || (one.first >= 0 && value >= one.first && value < one.end)) continue;
      failures += 1;
      failed = one;
    }
    if (failures === 0) rows.push(product);
    if (failures > 1) continue;
    for (const one of asked) {
      const value = one.of[product] ?? -1;
      if (value >= 0 && (failed === null || one === failed)) one.counts[value] = (one.counts[value] ?? 0) + 1;
    }
  }
  const counts = Object.fromEntries(choices.map((choice, at) => [choice, asked[at]?.counts])) as Record<
    Choice,
    Int32Array
  >;
  return { rows, counts: { ...counts, category: tree.totalsOf(counts.category) } };
}

/** Prices that are no amounts do not filter. */
export function unusedPrices(filters: Filters): UnusedPart[] {
  return (['from', 'to'] as const)
    .filter((name) => filters[name] !== '' && centsOf(filters[name]) === null)
    .map((name) => ({ name, value: filters[name], expected: 'an amount such as 12.50' }));
}

function isWithin(price: number | null, from: number | null, to: number | null): boolean {
  return price !== null && (from === null || price >= from) && (to === null || price <= to);
}

/** An amount as the minor unit has it; null for a text that is none. */
function centsOf(amount: string): number | null {
  return /^\d+(\.\d*)?$/.test(amount) ? minorAmount(Number(amount)) : null;
}
