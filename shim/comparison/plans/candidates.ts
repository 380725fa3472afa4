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
