import fc from 'fast-check';
import { expect, test } from 'vitest';
import { comparison } from '../../../contract/schemas/store.ts';
import { compare } from '../../../shim/comparison/compare.ts';
import { openView } from './comparison-world.ts';
import { expectedComparison } from './expected-comparison.ts';
import { comparisonSize, randomComparison } from './random-comparison.ts';

test('contract 9: every answer is, to the byte, the one found by trying all plans', async () => {
  const kinds = new Set<string>();
  const property = fc.asyncProperty(comparisonSize, async (size) => {
    const { world, query } = randomComparison(size);
    const answer = await compare(await openView(world), query);
    const expected = expectedComparison(world, query);
    expect(answer).toEqual(expected);
    expect(JSON.stringify(answer)).toBe(JSON.stringify(expected));
    expect(comparison.safeParse(answer).error).toBeUndefined();
    for (const { strategy, result_state, no_solution_reason, plan } of answer.data.strategies) {
      kinds.add(`${strategy} ${result_state} ${no_solution_reason ?? plan?.stop_count}`);
    }
  });
  await fc.assert(property, { seed: 20250401, numRuns: 300 });
  // The worlds must produce every kind of answer, or the test proves little.
  expect([...kinds].sort()).toEqual([
    'best_partial_plan complete 1',
    'best_partial_plan complete 2',
    'best_partial_plan complete 3',
    'best_partial_plan no_solution NO_REPORTED_MATCH',
    'best_partial_plan partial 1',
    'best_partial_plan partial 2',
    'best_partial_plan partial 3',
    'best_single_store complete 1',
    'best_single_store no_solution NO_REPORTED_MATCH',
    'best_single_store partial 1',
    'closest_complete_store complete 1',
    'closest_complete_store no_solution NO_REPORTED_MATCH',
    'closest_complete_store no_solution NO_SINGLE_STORE_COVERS_ALL_PRODUCTS',
    'closest_store_with_any complete 1',
    'closest_store_with_any no_solution NO_REPORTED_MATCH',
    'closest_store_with_any partial 1',
    'fewest_stores_complete complete 1',
    'fewest_stores_complete complete 2',
    'fewest_stores_complete complete 3',
    'fewest_stores_complete no_solution COMPLETE_PLAN_EXCEEDS_MAX_STOPS',
    'fewest_stores_complete no_solution NO_COMPLETE_PLAN_IN_SCOPE',
    'fewest_stores_complete no_solution NO_REPORTED_MATCH',
  ]);
});
