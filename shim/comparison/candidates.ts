/** The stores in scope, nearest first, at equal distances by id. The arrays have equal length. */
export type Candidates = {
  /** Metres from the origin, rounded. */
  readonly distances: Int32Array;
  /** Bit p is set if the store covers the product requested at position p. There are at most 25 products. */
  readonly coverage: Int32Array;
  /** The rank of the store's id among the ids of all stores in text order. */
  readonly idRanks: Int32Array;
};

/** Positions of a plan's stores among the candidates, nearest first. */
export type Plan = readonly number[];

/** How many bits of a 32-bit integer are set. */
export function bitCount(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** The candidates that a best plan can need, in the form that the search uses. Positions are those in this field. */
export type CoverageField = Candidates & {
  /**
   * The number of products that any store covers. They are renumbered: the product that the fewest stores cover is
   * first.
   */
  readonly productCount: number;
  /** By store: its position among the candidates. */
  readonly candidateOf: Int32Array;
};

/** Leaves out the stores that no best plan needs. */
export function coverageField(candidates: Candidates): CoverageField {
  const candidateOf = undominated(candidates);
  const pick = (values: Int32Array) => candidateOf.map((candidate) => values[candidate] as number);
  const coverage = pick(candidates.coverage);
  const storesWith = (product: number) => coverage.reduce((sum, covered) => sum + ((covered >>> product) & 1), 0);
  const products = Array.from({ length: 32 }, (_, product) => ({ product, stores: storesWith(product) }))
    .filter(({ stores }) => stores > 0)
    .sort((a, b) => a.stores - b.stores);
  return {
    productCount: products.length,
    distances: pick(candidates.distances),
    idRanks: pick(candidates.idRanks),
    coverage: coverage.map((covered) =>
      products.reduce((bits, { product }, position) => bits | (((covered >>> product) & 1) << position), 0),
    ),
    candidateOf,
  };
}

/**
 * Each store is compared with this many of the nearest stores kept. To compare it with all of them would cost more than
 * it saves.
 */
const comparedWith = 128;

/**
 * Positions of the candidates that a best plan can need. A store is left out if it covers nothing, or if a store before
 * it covers all that it does.
 *
 * No best plan is lost. Suppose a plan has a store that was left out, and replace it with the store before it. The plan
 * covers no less, no distance grows, and at equal distances a smaller id moves forward. If the plan has that store
 * already, the left-out one is superfluous.
 */
function undominated({ coverage }: Candidates): Int32Array {
  const kept: number[] = [];
  const seen = new Set([0]);
  for (const [store, covered] of coverage.entries()) {
    if (seen.has(covered)) continue;
    seen.add(covered);
    if (!kept.slice(0, comparedWith).some((rival) => (covered & ~(coverage[rival] as number)) === 0)) kept.push(store);
  }
  return Int32Array.from(kept);
}
