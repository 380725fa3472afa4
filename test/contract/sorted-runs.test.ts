import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type SortedRun, sortedRuns } from '../../contract/columns/sorted-runs.ts';

const ends = fc
  .tuple(fc.integer({ min: 1, max: 5_000 }), fc.integer({ min: 0, max: 5_000 }))
  .map(([first, more]) => [first, first + more] as const);

test('the newest runs are short', () => {
  expect(sortedRuns(1, 50)).toEqual([
    { first: 1, last: 48 },
    { first: 49, last: 50 },
  ]);
  expect(sortedRuns(1, 64)).toEqual([{ first: 1, last: 64 }]);
  expect(sortedRuns(3, 2)).toEqual([]);
});

test('runs follow each other up to the last, and begin at the first or an eighth of a run before', () => {
  fc.assert(
    fc.property(ends, ([first, last]) => {
      const runs = sortedRuns(first, last);
      expect(runs.at(-1)?.last).toBe(last);
      for (const [index, run] of runs.entries()) {
        expect(run.last).toBeGreaterThanOrEqual(Math.max(run.first, first));
        expect(run.first).toBe(index === 0 ? run.first : (runs[index - 1]?.last ?? 0) + 1);
      }
      const oldest = runs[0]?.first ?? 0;
      expect(oldest).toBeLessThanOrEqual(first);
      expect(first - oldest).toBeLessThan(Math.max(1, last / 8));
      expect(runs.length).toBeLessThanOrEqual(Math.floor(Math.log2(last) / 3) + 1);
    }),
    { numRuns: 2_000 },
  );
});

/** How many parts the runs of a table have that the table before did not have. */
function sortedAgain(before: readonly SortedRun[], now: readonly SortedRun[]): number {
  const known = new Set(before.map(({ first, last }) => `${first} ${last}`));
  return now.reduce((sum, { first, last }) => sum + (known.has(`${first} ${last}`) ? 0 : last - first + 1), 0);
}

test.each([Number.POSITIVE_INFINITY, 365])('a part is sorted again a few times, with %s parts retained', (retained) => {
  const days = 2_000;
  let before: readonly SortedRun[] = [];
  let sum = 0;
  for (let day = 1; day <= days; day += 1) {
    const now = sortedRuns(Math.max(1, day - retained + 1), day);
    sum += sortedAgain(before, now);
    before = now;
  }
  expect(sum / days).toBeLessThan(25);
});
