/** The stores in scope, nearest first and at one distance by id, as arrays of equal length. */
export type Candidates = {
  /** Metres from the origin, rounded. */
  readonly distances: Int32Array;
  /** Bit p: the store covers the product that was requested at position p, of 25 at most. */
  readonly coverage: Int32Array;
  /** Where the store's id stands among the ids of all stores in text order. */
  readonly idRanks: Int32Array;
};

/** Positions of a plan's stores among the candidates, nearest first. */
export type Plan = readonly number[];

/** Every store is held against so many of the nearest ones that were kept: all against all would cost more than it saves. */
const comparedWith = 128;

/**
 * Positions of the candidates that a best plan can need: a store is left out when it covers nothing, or when one that
 * stands before it covers all that it does.
 *
 * No best plan is lost. Let a plan have a store that was left out, and put the one before it in its place: the plan
 * covers no less, no distance grows, and at equal distances a smaller id moves forward. Should that one stand in the
 * plan already, the plan had a store too many.
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

/** The number of the lowest bit that is set; of 0: -1. */
export function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}
