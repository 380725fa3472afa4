import type { Steps } from '../../scheduling/work.ts';
import { bitCount, type CoverageField, lowestBit } from './candidates.ts';

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
 * store exists, a table is due. Whoever makes it then spends at most twice the cost of the better way.
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
   * there is none. {@link renew} replaces it.
   */
  table(missing: number): ReachTable | undefined {
    return this.#tables[missing];
  }

  /**
   * The nearest store before `end` that covers all `needed` products except at most `missing` of them; -1 if there is
   * none.
   */
  find(needed: number, missing: number, end: number): number {
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

  /** Whether looking has cost more than tables do: where there is none, or where they are of more stores than are left. */
  isDue(missing: number): boolean {
    return this.#isOutdated || (!this.#tables[missing] && this.#looks > this.#tableCost * (missing + 1));
  }

  get #isOutdated(): boolean {
    return this.#vainLooks > this.#tableCost * this.#tables.length;
  }

  /** Makes the tables that are due, for the stores before `end`. */
  *renew(missing: number, end: number): Steps<void> {
    yield this.takeUnits();
    const count = Math.max(missing + 1, this.#tables.length);
    const { coverage, productCount } = this.#field;
    if (this.#isOutdated || this.#tables.length === 0) {
      this.#tables = [yield* coveredSets(coverage.subarray(0, end), productCount)];
      this.#tableEnd = end;
      this.#vainLooks = 0;
    }
    while (this.#tables.length < count) {
      this.#tables.push(yield* withOneMore(this.#tables[this.#tables.length - 1] as ReachTable));
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

/** The bits of a 32-bit word whose number has bit 0, 1, 2, 3 or 4 set. */
const [bit0, bit1, bit2, bit3, bit4] = [0xaaaaaaaa, 0xcccccccc, 0xf0f0f0f0, 0xff00ff00, 0xffff0000] as const;

/**
 * A bit for every set of products: whether some store covers all of the set, or all but a given number. Product 0 is
 * ignored: it is settled first, so it is hardly ever in a set that is looked up. Takes 2 MB for 25 products.
 */
type ReachTable = Int32Array;

/**
 * Whether the table has a set. If not, no store covers the set. For a set with product 0 it may be true although no
 * store covers the set.
 */
export function reaches(table: ReachTable, products: number): boolean {
  return (((table[products >>> 6] as number) >>> ((products >>> 1) & 31)) & 1) === 1;
}

/** The number of words in a table for `productCount` products. */
function tableWords(productCount: number): number {
  return 2 ** Math.max(0, productCount - 6);
}

/** Units of work to go through a table once. */
function roundUnits(table: ReachTable): number {
  return Math.ceil((table.length * wordFactor) / looksPerUnit);
}

/** The sets that some store covers: the coverage of each store, and every subset of a set in the table. */
export function* coveredSets(coverage: Int32Array, productCount: number): Steps<ReachTable> {
  const table = new Int32Array(tableWords(productCount));
  for (const covered of coverage) {
    const word = covered >>> 6;
    table[word] = (table[word] as number) | (1 << ((covered >>> 1) & 31));
  }
  for (let word = 0; word < table.length; word += 1) {
    let sets = table[word] as number;
    if (sets === 0) continue;
    sets |= (sets & bit0) >>> 1;
    sets |= (sets & bit1) >>> 2;
    sets |= (sets & bit2) >>> 4;
    sets |= (sets & bit3) >>> 8;
    table[word] = sets | ((sets & bit4) >>> 16);
  }
  for (let half = 1; half < table.length; half *= 2) {
    yield roundUnits(table);
    for (let start = 0; start < table.length; start += 2 * half) {
      for (let word = start; word < start + half; word += 1) {
        table[word] = (table[word] as number) | (table[word + half] as number);
      }
    }
  }
  return table;
}

/**
 * The sets of a table, and each of them with any one more product: the sets that some store covers when one more
 * product may be missing.
 */
export function* withOneMore(table: ReachTable): Steps<ReachTable> {
  const larger = new Int32Array(table.length);
  for (let word = 0; word < table.length; word += 1) {
    const sets = table[word] as number;
    const inWord = ((sets << 1) & bit0) | ((sets << 2) & bit1) | ((sets << 4) & bit2) | ((sets << 8) & bit3);
    larger[word] = sets | inWord | ((sets << 16) & bit4);
  }
  for (let half = 1; half < table.length; half *= 2) {
    yield roundUnits(table);
    for (let start = 0; start < table.length; start += 2 * half) {
      for (let word = start; word < start + half; word += 1) {
        larger[word + half] = (larger[word + half] as number) | (table[word] as number);
      }
    }
  }
  return larger;
}
