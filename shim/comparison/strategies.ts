import type { NoSolutionReason, StrategyName } from '../../generator/contract/documents/comparison.ts';
import type { Candidates, Plan } from './plans/candidates.ts';
import { bitCount } from './plans/candidates.ts';
import type { BestPlans } from './plans/plan-search.ts';
import { anywhere } from './scope-coverage.ts';

export type Solution =
  | { readonly plan: Plan; readonly reason: null }
  | { readonly plan: null; readonly reason: NoSolutionReason };

export type Strategies = {
  solve(strategy: StrategyName): Solution;
};

/** Whether a strategy accepts complete plans only. */
export const completenessRequired: Readonly<Record<StrategyName, boolean>> = {
  best_single_store: false,
  closest_store_with_any: false,
  closest_complete_store: true,
  fewest_stores_complete: true,
  best_partial_plan: false,
};

/** Whether one of the strategies needs plans of several stores. */
export function needPlans(strategies: readonly StrategyName[]): boolean {
  return strategies.includes('fewest_stores_complete') || strategies.includes('best_partial_plan');
}

/**
 * Picks the plan of each strategy, contract.md 9. The candidates are in order of distance, then id, so the first one
 * found wins every tie. `plans`: the best plans of several stores; null where no strategy needs them.
 */
export function strategiesFor({ coverage }: Candidates, productCount: number, plans: BestPlans | null): Strategies {
  const all = 2 ** productCount - 1;
  const isAnyCovered = coverage.some((covered) => covered !== 0);
  const single = (store: number): Plan | null => (store < 0 ? null : [store]);

  const pick: Readonly<Record<StrategyName, () => Plan | null>> = {
    best_single_store: () => single(largest(coverage)),
    closest_store_with_any: () => single(coverage.findIndex((covered) => covered !== 0)),
    closest_complete_store: () => single(coverage.indexOf(all)),
    fewest_stores_complete: () => plans?.complete ?? null,
    best_partial_plan: () => plans?.fullest ?? null,
  };

  const reasonWithout = (strategy: StrategyName): NoSolutionReason => {
    if (strategy === 'closest_complete_store') return 'NO_SINGLE_STORE_COVERS_ALL_PRODUCTS';
    return anywhere(coverage) === all ? 'COMPLETE_PLAN_EXCEEDS_MAX_STOPS' : 'NO_COMPLETE_PLAN_IN_SCOPE';
  };

  return {
    solve(strategy) {
      if (!isAnyCovered) return { plan: null, reason: 'NO_REPORTED_MATCH' };
      const plan = pick[strategy]();
      return plan ? { plan, reason: null } : { plan, reason: reasonWithout(strategy) };
    },
  };
}

/** The first of the stores that cover the most products; -1 if no store covers any. */
function largest(coverage: Int32Array): number {
  let [store, size] = [-1, 0];
  for (const [candidate, covered] of coverage.entries()) {
    const count = bitCount(covered);
    if (count > size) [store, size] = [candidate, count];
  }
  return store;
}
