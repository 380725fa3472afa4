import type { Candidates } from './candidates.ts';

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
