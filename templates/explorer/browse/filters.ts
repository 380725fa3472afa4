import { minorAmount } from '../components/site-profile.ts';
import type { UnusedPart } from '../components/unused-part.ts';
import { queryWords } from '../search/ranking.ts';
import { type Catalog, type Choice, choices } from './catalog.ts';
import { codesIn } from './several.ts';

/**
 * The parameters of the view's address. Prices are amounts, `status` has codes, `store` is an id, `sort` a column's name, with `-` from its largest, and
 * `as_of` the day of an earlier publication.
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
  const words = queryWords(filters.q);
  const [from, to] = [centsOf(filters.from), centsOf(filters.to)];
  const hasPriceFilter = from !== null || to !== null;
  const asked = choices.map((choice) => {
    const places = filters[choice] === '' ? null : placesOf(catalog, choice, filters[choice]);
    return { places, of: values[choice], counts: new Int32Array(options[choice].length) };
  });
  const rows: number[] = [];
  for (const product of order) {
    if (inStore !== null && inStore[product] === 0) continue;
    if (hasPriceFilter && !isWithin(index.price(product), from, to)) continue;
    if (words.length > 0 && index.rank(product, words) === 0) continue;
    let failures = 0;
    let failed: (typeof asked)[number] | null = null;
    for (const one of asked) {
      const value = one.of[product] ?? -1;
      // A value that is not known has the place -1, which no product may pass with.
      if (one.places === null || one.places[value] === 1) continue;
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

/** 1 for each value of a choice that a filter lets pass: of a category those below it too, and of the status several. */
function placesOf({ tree, options }: Catalog, choice: Choice, filter: string): Uint8Array {
  const places = new Uint8Array(options[choice].length);
  for (const wanted of choice === 'status' ? codesIn(filter) : [filter]) {
    const first = options[choice].findIndex(({ key }) => key === wanted);
    if (first >= 0) places.fill(1, first, choice === 'category' ? tree.ends[first] : first + 1);
  }
  return places;
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
