import { bitCount, type Candidates, undominated } from './candidates.ts';

/** The candidates that a best plan can need, in the form that the search uses. Positions are those in this field. */
export type CoverageField = {
  /**
   * The number of products that any store covers. They are renumbered; the product that the fewest stores cover is
   * first.
   */
  readonly productCount: number;
  readonly distances: Int32Array;
  readonly idRanks: Int32Array;
  /** By store: a set with bit p for each product p that it covers. */
  readonly coverage: Int32Array;
  /** By store: the number of products that it covers. */
  readonly sizes: Uint8Array;
  readonly largestSize: number;
  /** By product: the stores that cover it, nearest first. */
  readonly storesOf: readonly Int32Array[];
  /** By store: its position among the candidates. */
  readonly candidateOf: Int32Array;
};

export function coverageField(candidates: Candidates): CoverageField {
  const candidateOf = undominated(candidates);
  const pick = (values: Int32Array) => candidateOf.map((candidate) => values[candidate] as number);
  const { coverage, counts } = renumbered(pick(candidates.coverage));
  const sizes = Uint8Array.from(coverage, bitCount);
  return {
    productCount: counts.length,
    distances: pick(candidates.distances),
    idRanks: pick(candidates.idRanks),
    coverage,
    sizes,
    largestSize: sizes.reduce((largest, size) => Math.max(largest, size), 0),
    storesOf: counts.map((count, product) => storesThatCover(coverage, product, count)),
    candidateOf,
  };
}

/** The same coverage with the products in order of how many stores cover them, and these numbers of stores. */
function renumbered(coverage: Int32Array): { coverage: Int32Array; counts: number[] } {
  const counts = new Int32Array(32);
  for (const covered of coverage) {
    for (let rest = covered; rest !== 0; rest &= rest - 1) {
      const product = 31 - Math.clz32(rest & -rest);
      counts[product] = (counts[product] as number) + 1;
    }
  }
  const products = [...counts.keys()].filter((product) => counts[product] !== 0);
  products.sort((a, b) => (counts[a] as number) - (counts[b] as number) || a - b);
  return {
    coverage: coverage.map((covered) =>
      products.reduce((bits, product, position) => bits | (((covered >>> product) & 1) << position), 0),
    ),
    counts: products.map((product) => counts[product] as number),
  };
}

function storesThatCover(coverage: Int32Array, product: number, count: number): Int32Array {
  const stores = new Int32Array(count);
  let next = 0;
  for (let store = 0; next < count; store += 1) {
    if ((((coverage[store] as number) >>> product) & 1) === 1) stores[next++] = store;
  }
  return stores;
}

/** The bits of a 32-bit word whose number has bit 0, 1, 2, 3 or 4 set. */
const [bit0, bit1, bit2, bit3, bit4] = [0xaaaaaaaa, 0xcccccccc, 0xf0f0f0f0, 0xff00ff00, 0xffff0000] as const;

/**
 * A bit for every set of products: whether some store covers all of the set, or all but a given number. Product 0 is
 * ignored: it is settled first, so it is hardly ever in a set that is looked up. Takes 2 MB for 25 products.
 */
export type ReachTable = Int32Array;

/**
 * Whether the table has a set. If not, no store covers the set. For a set with product 0 it may be true although no
 * store covers the set.
 */
export function reaches(table: ReachTable, products: number): boolean {
  return (((table[products >>> 6] as number) >>> ((products >>> 1) & 31)) & 1) === 1;
}

/** The number of words in a table for `productCount` products. */
export function tableWords(productCount: number): number {
  return 2 ** Math.max(0, productCount - 6);
}

/** The sets that some store covers: the coverage of each store, and every subset of a set in the table. */
export function coveredSets(coverage: Int32Array, productCount: number): ReachTable {
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
export function withOneMore(table: ReachTable): ReachTable {
  const larger = new Int32Array(table.length);
  for (let word = 0; word < table.length; word += 1) {
    const sets = table[word] as number;
    const inWord = ((sets << 1) & bit0) | ((sets << 2) & bit1) | ((sets << 4) & bit2) | ((sets << 8) & bit3);
    larger[word] = sets | inWord | ((sets << 16) & bit4);
  }
  for (let half = 1; half < table.length; half *= 2) {
    for (let start = 0; start < table.length; start += 2 * half) {
      for (let word = start; word < start + half; word += 1) {
        larger[word + half] = (larger[word + half] as number) | (table[word] as number);
      }
    }
  }
  return larger;
}
