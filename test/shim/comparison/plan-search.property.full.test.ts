import fc from 'fast-check';
import { expect, test } from 'vitest';
import { searchPlans } from '../../../shim/comparison/plan-search.ts';
import { bestByTrial } from './every-plan.ts';
import { candidatesOf, hardWorlds } from './hard-worlds.ts';
import { type CandidatesSize, randomCandidates } from './random-candidates.ts';

function expectBestPlans(size: CandidatesSize): void {
  const candidates = randomCandidates(size);
  for (const maxStops of [1, 2, 3]) {
    expect(searchPlans(candidates, maxStops)).toEqual(bestByTrial(candidates, maxStops));
  }
}

test.each([
  { products: 8, stores: 25, numRuns: 400 },
  { products: 13, stores: 40, numRuns: 150 },
  { products: 25, stores: 60, numRuns: 30 },
])('the search finds the best of all plans of up to $stores stores and $products products', (most) => {
  const size = fc.noBias(
    fc.record({
      seed: fc.nat(),
      stores: fc.integer({ min: most.stores >> 2, max: most.stores }),
      products: fc.integer({ min: most.products >> 1, max: most.products }),
    }),
  );
  fc.assert(fc.property(size, expectBestPlans), { seed: 20250401, numRuns: most.numRuns });
});

test('no stores, and stores that cover nothing, give no plan', () => {
  const nothing = { distances: new Int32Array(3), coverage: new Int32Array(3), idRanks: Int32Array.of(0, 1, 2) };
  const none = { distances: new Int32Array(), coverage: new Int32Array(), idRanks: new Int32Array() };
  for (const candidates of [none, nothing]) {
    expect(searchPlans(candidates, 3)).toBeNull();
  }
});

test.each([
  { stores: 100, most: 15 },
  { stores: 700, most: 50 },
  { stores: 2000, most: 200 },
])(
  'among $stores stores, the search takes at most $most ms of the processor in every world that is hard for it',
  ({ stores, most }) => {
    for (const world of hardWorlds) {
      const candidates = candidatesOf({ ...world, stores });
      const durations = Array.from({ length: 3 }, () => {
        const before = process.cpuUsage();
        searchPlans(candidates, 3);
        return process.cpuUsage(before).user / 1000;
      });
      expect(Math.min(...durations), world.name).toBeLessThanOrEqual(most);
    }
  },
);
