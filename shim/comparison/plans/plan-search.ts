import { atOnce, type Steps } from '../../scheduling/work.ts';
import type { Candidates, Plan } from './candidates.ts';
import { bitCount } from './candidates.ts';
import { type CoverageField, coverageField } from './coverage-field.ts';
import type { FieldPlan } from './nearest-cover.ts';
import { NearestPlanSearch, type Tuning } from './nearest-plan.ts';
import { greedyCoverage } from './product-prices.ts';

export type BestPlans = {
  /** The best plan that covers every requested product; null if no plan within the maximum number of stops does. */
  readonly complete: Plan | null;
  /** The best of the plans that cover the most products; null if no store covers any. */
  readonly fullest: Plan | null;
};

/** Candidates that are compared with those before them in a unit of work. */
const candidatesPerUnit = 5;

const defaults: Tuning = { firstWindow: 64, patience: 1 };

/**
 * The plans of `fewest_stores_complete` and `best_partial_plan`, contract.md 9, of one to three stores. The search is
 * exact: of plans that cover as many products, it finds the one with the fewest stores, then the nearest farthest
 * store, then the smallest total distance, then the ids, nearest store first, that sort first. If there is a complete
 * plan, both are the same.
 */
export function searchPlans(...search: Parameters<typeof planSearch>): BestPlans {
  return atOnce(planSearch(...search));
}

/** {@link searchPlans} in steps. */
export function* planSearch(
  candidates: Candidates,
  requestedCount: number,
  maxStops: number,
  tuning: Partial<Tuning> = {},
): Steps<BestPlans> {
  const field = coverageField(candidates);
  yield Math.ceil(candidates.coverage.length / candidatesPerUnit);
  if (field.coverage.length === 0) return { complete: null, fullest: null };
  const search = new NearestPlanSearch(field, maxStops, { ...defaults, ...tuning });
  const whole = yield* planWithout(0, field, search, maxStops, true);
  const plan = whole ?? (yield* fullestPlan(field, search, maxStops));
  const fullest = plan.map((store) => field.candidateOf[store] as number);
  // The field has only products that some store covers, so a plan may cover all of the field and yet not be complete.
  return { complete: whole && field.productCount === requestedCount ? fullest : null, fullest };
}

/** The best of the plans that cover the most products, when no plan covers all of them. */
function* fullestPlan(field: CoverageField, search: NearestPlanSearch, maxStops: number): Steps<FieldPlan> {
  let missing = field.productCount - greedyCoverage(field, maxStops);
  let best: FieldPlan | null = null;
  while (missing > 1) {
    const fuller = yield* planWithout(missing - 1, field, search, maxStops, false);
    if (fuller === null) break;
    best = fuller;
    missing = field.productCount - coveredCount(field, fuller);
  }
  return best ?? ((yield* planWithout(missing, field, search, maxStops, true)) as FieldPlan);
}

/** The best plan of the fewest stores that leaves at most `missing` products uncovered. */
function* planWithout(
  missing: number,
  field: CoverageField,
  search: NearestPlanSearch,
  maxStops: number,
  expected: boolean,
): Steps<FieldPlan | null> {
  const single = field.sizes.findIndex((size) => size >= field.productCount - missing);
  if (single >= 0) return [single];
  for (let stops = 2; stops <= maxStops; stops += 1) {
    const plan = yield* search.find({ stops, missing }, expected);
    if (plan) return plan;
  }
  return null;
}

function coveredCount({ coverage }: CoverageField, plan: FieldPlan): number {
  return bitCount(plan.reduce((covered, store) => covered | (coverage[store] as number), 0));
}
