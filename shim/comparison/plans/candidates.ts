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
export function undominated({ coverage }: Candidates): Int32Array {
  const kept = new Int32Array(coverage.length);
  const seen = new Set<number>();
  let count = 0;
  for (let store = 0; store < coverage.length; store += 1) {
    const covered = coverage[store] as number;
    if (covered === 0 || seen.has(covered)) continue;
    seen.add(covered);
    let rival = 0;
    const rivals = Math.min(count, comparedWith);
    while (rival < rivals && (covered & ~(coverage[kept[rival] as number] as number)) !== 0) rival += 1;
    if (rival === rivals) kept[count++] = store;
  }
  return kept.slice(0, count);
}

/** How many bits of a 32-bit integer are set. */
export function bitCount(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** The number of the lowest bit that is set; -1 for 0. */
export function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}

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
      const product = lowestBit(rest);
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
