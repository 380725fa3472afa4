import { bitCount } from './bits.ts';
import type { CoverageField } from './coverage-field.ts';

/** The search begins anew with so many of the stores that cover most. */
const beginnings = 16;

/**
 * How many products a plan of so many stores certainly can cover: store by store, the one that adds most. Often this is
 * already the most that any plan covers, and then a single search has to show it.
 */
export function greedyCoverage({ coverage, sizes }: CoverageField, stops: number): number {
  const largestFirst = [...sizes.keys()].sort((a, b) => (sizes[b] as number) - (sizes[a] as number));
  let most = 0;
  for (const first of largestFirst.slice(0, beginnings)) {
    let covered = coverage[first] as number;
    for (let stop = 1; stop < stops; stop += 1) covered |= largestGain(coverage, covered);
    most = Math.max(most, bitCount(covered));
  }
  return most;
}

function largestGain(coverage: Int32Array, covered: number): number {
  let [gain, size] = [0, 0];
  for (const candidate of coverage) {
    const added = candidate & ~covered;
    const count = bitCount(added);
    if (count > size) [gain, size] = [added, count];
  }
  return gain;
}
