import { bitCount } from './bits.ts';
import type { Candidates } from './candidates.ts';
import { undominated } from './undominated.ts';

/** The candidates that a best plan can need, as the search for it wants them. Positions are those in this field. */
export type CoverageField = {
  /** How many products any store covers. They are numbered anew, the one that the fewest stores cover first. */
  readonly productCount: number;
  readonly distances: Int32Array;
  readonly idRanks: Int32Array;
  /** By store: bit p for every product p that it covers. */
  readonly coverage: Int32Array;
  /** By store: how many products it covers. */
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

/** The same coverage with the products in order of how many stores cover them, and these counts. */
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
