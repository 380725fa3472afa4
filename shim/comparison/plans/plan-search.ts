import { atOnce, type Steps } from '../../scheduling/work.ts';
import type { Candidates, Plan } from './candidates.ts';
import { bitCount } from './candidates.ts';
import { type CoverageField, coverageField } from './coverage-field.ts';
import type { FieldPlan } from './nearest-cover.ts';
import { NearestPlanSearch, type Tuning } from './nearest-plan.ts';
import { greedyCoverage } from './product-prices.ts';

export type BestPlans = {
  /** The best plan that covers every requested product; null when there is none of so many stores. */
  readonly complete: Plan | null;
  /** The best of the plans that cover most; null when no store covers anything. */
  readonly fullest: Plan | null;
};

/** Candidates that a unit of work holds against those before them. */
const candidatesPerUnit = 5;

const defaults: Tuning = { firstWindow: 64, patience: 1 };

/**
 * The plans of `fewest_stores_complete` and `best_partial_plan`, contract.md 9, of one to three stores. Exact: of plans
 * that cover as much, the one with the fewest stores, then the nearest farthest store, then the smallest total
 * distance, then the ids, nearest store first, that sort first. With a complete plan both are the same.
 */
export function searchPlans(...search: Parameters<typeof planSearch>): BestPlans {
  return atOnce(planSearch(...search));
}

/** The same in steps. */
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
  // What no store covers is not in the field: there a plan may cover everything and yet not be complete.
  return { complete: whole && field.productCount === requestedCount ? fullest : null, fullest };
}

/** The best plan of those that cover most, when none covers everything. */
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

/** The best plan of the fewest stores that leaves at most so many products uncovered. */
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
