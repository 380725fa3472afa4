import {
  bitCount,
  type CoverageField,
  coveredSets,
  lowestBit,
  type ReachTable,
  reaches,
  tableWords,
  withOneMore,
} from './candidates.ts';

/**
 * The cost of counting the products that a store leaves open. The unit is a look: a check whether a store can matter at
 * all.
 */
const countingCost = 3;
/** Looks, and words of a table for one product, that are done in a unit of work. */
const looksPerUnit = 200;
/** The cost of a word of a table for one product, in looks. */
const wordFactor = 0.2;

/**
 * Finds the nearest store that covers the products a plan still needs.
 *
 * At first it looks at the stores one by one. Once that has cost as much as a table that tells at once whether such a
 * store exists, it makes the table. So the total is at most twice the cost of the better way.
 */
export class NearestCover {
  readonly #field: CoverageField;
  readonly #tableCost: number;
  /** Tables by the number of products that may be missing, for the stores before `#tableEnd`. */
  #tables: ReachTable[] = [];
  #tableEnd = 0;
  /** The looks taken without a table, and those taken in vain because a table wrongly said yes. */
  #looks = 0;
  #vainLooks = 0;
  /** The looks since the last call of `takeUnits`. */
  #counted = 0;

  /** `patience`: a table is made once looking has cost this many times as much as the table. */
  constructor(field: CoverageField, patience: number) {
    this.#field = field;
    this.#tableCost = tableWords(field.productCount) * field.productCount * wordFactor * patience;
  }

  /** Adds looks that the caller takes. */
  count(looks: number): void {
    this.#counted += looks;
  }

  /** Units of work since the last call. */
  takeUnits(): number {
    const units = Math.ceil(this.#counted / looksPerUnit);
    this.#counted = 0;
    return units;
  }

  /** Call it first, and before an `end` that is larger than in the last call. */
  begin(end: number): void {
    if (end > this.#tableEnd) this.#tables = [];
  }

  /**
   * A table that the caller can check before {@link find}, which finds nothing for sets outside of it. Undefined if
   * there is none. `find` may replace the table.
   */
  table(missing: number): ReachTable | undefined {
    return this.#tables[missing];
  }

  /**
   * The nearest store before `end` that covers all `needed` products except at most `missing` of them; -1 if there is
   * none.
   */
  find(needed: number, missing: number, end: number): number {
    this.#renewTables(missing, end);
    const table = this.#tables[missing];
    if (!table) {
      const { found, looks } = this.#look(needed, missing, end);
      this.#counted += looks;
      this.#looks += looks;
      return found;
    }
    if (!reaches(table, needed)) return -1;
    const { found, looks } = this.#look(needed, missing, end);
    this.#counted += looks;
    if (found < 0) this.#vainLooks += looks;
    return found;
  }

  /**
   * Makes tables once looking has cost more than they do: where there is none, or where they are of more stores than
   * are left.
   */
  #renewTables(missing: number, end: number): void {
    const isOutdated = this.#vainLooks > this.#tableCost * this.#tables.length;
    const isMissed = !this.#tables[missing] && this.#looks > this.#tableCost * (missing + 1);
    if (!isOutdated && !isMissed) return;
    const count = Math.max(missing + 1, this.#tables.length);
    const { coverage, productCount } = this.#field;
    if (isOutdated || this.#tables.length === 0) {
      this.#tables = [coveredSets(coverage.subarray(0, end), productCount)];
      this.#tableEnd = end;
      this.#vainLooks = 0;
    }
    while (this.#tables.length < count) {
      this.#counted += tableWords(productCount) * productCount * wordFactor;
      this.#tables.push(withOneMore(this.#tables[this.#tables.length - 1] as ReachTable));
    }
    this.#looks = 0;
  }

  /** A store that covers all but `missing` products covers at least one of any `missing + 1` of them. */
  #look(needed: number, missing: number, end: number): { found: number; looks: number } {
    const { coverage, sizes, storesOf } = this.#field;
    const least = bitCount(needed) - missing;
    let nearest = end;
    let looks = 0;
    let rest = needed;
    for (let tried = 0; tried <= missing && rest !== 0; tried += 1) {
      const stores = storesOf[lowestBit(rest)] as Int32Array;
      rest &= rest - 1;
      let position = 0;
      for (; position < stores.length; position += 1) {
        const store = stores[position] as number;
        if (store >= nearest) break;
        if ((sizes[store] as number) < least) continue;
        const open = needed & ~(coverage[store] as number);
        if (missing > 0) looks += countingCost;
        if (open === 0 || (missing > 0 && bitCount(open) <= missing)) nearest = store;
      }
      looks += position;
    }
    return { found: nearest < end ? nearest : -1, looks };
  }
}

/** How many of the numbers 0 to `count - 1` pass a test, where no number passes after one that fails. */
export function passing(count: number, test: (number: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (test(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Positions of stores in a field, ascending and so nearest first. */
export type FieldPlan = readonly number[];

export function farthestDistance({ distances }: CoverageField, plan: FieldPlan): number {
  return distances[plan[plan.length - 1] as number] as number;
}

/**
 * Below 0 if `a` is the better of two plans with as many stores and the same farthest distance: by total distance, then
 * by the ids of the stores, nearest first, contract.md 9.
 */
export function comparePlans({ distances, idRanks }: CoverageField, a: FieldPlan, b: FieldPlan): number {
  let difference = 0;
  for (let stop = 0; stop < a.length; stop += 1) {
    difference += (distances[a[stop] as number] as number) - (distances[b[stop] as number] as number);
  }
  for (let stop = 0; difference === 0 && stop < a.length; stop += 1) {
    difference = (idRanks[a[stop] as number] as number) - (idRanks[b[stop] as number] as number);
  }
  return difference;
}
