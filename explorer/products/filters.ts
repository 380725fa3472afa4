import { queryWords } from '../../contract/search-order.ts';
import type { UnusedPart } from '../parts/unused-parts.tsx';
import { codesIn } from '../site/address-query.ts';
import { minorAmount } from '../site/site-profile.ts';
import { type Catalog, type FilterChoice, filterChoices } from './catalog.ts';

/**
 * The parameters in the view's address. Prices are amounts, `status` has codes, `store` is an id, `sort` is the name of
 * a column (with `-` for descending order), and `as_of` is the day of an earlier publication.
 */
export const filterNames = [
  'q',
  'category',
  'brand',
  'size',
  'year',
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
 * `rows`: the products that pass every filter, in the given order. `counts`: for each value of a field, how many
 * products pass all filters but that field's own.
 */
export type Filtered = {
  readonly rows: readonly number[];
  readonly counts: Readonly<Record<FilterChoice, ArrayLike<number>>>;
};

/** Filters products. `inStore`: 1 for each product that the chosen store reports; null if no store is chosen. */
export function filtered(catalog: Catalog, filters: Filters, order: Int32Array, inStore: Uint8Array | null): Filtered {
  const { index, tree, options, values } = catalog;
  const ranks = queryWords(filters.q).length > 0 ? index.ranksFor(filters.q) : null;
  const [from, to] = [minorUnits(filters.from), minorUnits(filters.to)];
  const hasPriceFilter = from !== null || to !== null;
  /** For each product: `passes`, the number of the only filter that it fails, or `out`. */
  const states = new Int8Array(index.document.count);
  const mayPass = (product: number) =>
    (inStore === null || inStore[product] !== 0) &&
    (!hasPriceFilter || isInPriceRange(index.price(product), from, to)) &&
    (ranks === null || ranks[product] !== 0);
  if (inStore !== null || hasPriceFilter || ranks !== null)
    for (let product = 0; product < states.length; product += 1) if (!mayPass(product)) states[product] = out;
  for (const [at, choice] of filterChoices.entries()) {
    if (filters[choice] === '') continue;
    fail(states, at + 1, values[choice], passingValues(catalog, choice, filters[choice]));
  }
  const counts = Object.fromEntries(
    filterChoices.map((choice, at) => [choice, countValues(states, at + 1, values[choice], options[choice].length)]),
  ) as Record<FilterChoice, Int32Array>;
  const rows: number[] = [];
  for (const product of order) if (states[product] === passes) rows.push(product);
  return { rows, counts: { ...counts, category: tree.subtreeTotals(counts.category) } };
}

/**
 * 1 for each value that a filter lets pass. A category includes its descendants; a status filter may have several
 * codes.
 */
function passingValues({ tree, options }: Catalog, choice: FilterChoice, filter: string): Uint8Array {
  const passing = new Uint8Array(options[choice].length);
  for (const wanted of choice === 'status' ? codesIn(filter) : [filter]) {
    const first = options[choice].findIndex(({ key }) => key === wanted);
    if (first >= 0) passing.fill(1, first, choice === 'category' ? tree.ends[first] : first + 1);
  }
  return passing;
}

const passes = 0;
const out = -1;

/** Marks products whose value does not pass. An unknown value has position -1, which never passes. */
function fail(states: Int8Array, filter: number, values: Int32Array, passing: Uint8Array): void {
  for (let product = 0; product < states.length; product += 1) {
    if (passing[values[product] ?? -1] !== 1) states[product] = states[product] === passes ? filter : out;
  }
}

/** For each value, how many products pass all filters but this one. */
function countValues(states: Int8Array, filter: number, values: Int32Array, options: number): Int32Array {
  const counts = new Int32Array(options);
  for (let product = 0; product < states.length; product += 1) {
    const state = states[product];
    const value = values[product] ?? -1;
    if (value >= 0 && (state === passes || state === filter)) counts[value] = (counts[value] ?? 0) + 1;
  }
  return counts;
}

/** Prices that are not valid amounts do not filter. */
export function unusedPrices(filters: Filters): UnusedPart[] {
  return (['from', 'to'] as const)
    .filter((name) => filters[name] !== '' && minorUnits(filters[name]) === null)
    .map((name) => ({ name, value: filters[name], expected: 'an amount such as 12.50' }));
}

function isInPriceRange(price: number | null, from: number | null, to: number | null): boolean {
  return price !== null && (from === null || price >= from) && (to === null || price <= to);
}

/** An amount in minor units; null for invalid text. */
function minorUnits(amount: string): number | null {
  return /^\d+(\.\d*)?$/.test(amount) ? minorAmount(Number(amount)) : null;
}
