import { atOnce, type Steps } from '../../scheduling/work.ts';
import { bitCount, type Candidates, type CoverageField, coverageField, type Plan } from './candidates.ts';
import { NearestCover } from './nearest-cover.ts';
import { type FieldPlan, PlanWalk, type Wanted } from './plan-walk.ts';
import { bargain, evenPrices, fullPrice, greedyCoverage, type ProductPrices, worthOf } from './product-prices.ts';

export type BestPlans = {
  /** The best plan that covers every requested product; null if no plan within the maximum number of stops does. */
  readonly complete: Plan | null;
  /** The best of the plans that cover the most products; null if no store covers any. */
  readonly fullest: Plan | null;
};

/** Candidates that are compared with those before them in a unit of work. */
const candidatesPerUnit = 5;

/** Settings that affect the time of the search, but not the plans that it finds. */
const defaults = {
  /** The number of the nearest stores that are tried first. */
  firstWindow: 64,
  /** A table is made once looking at stores has cost this many times as much as the table. */
  patience: 1,
};

export type Tuning = Readonly<typeof defaults>;

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
  let missing = field.productCount - (yield* greedyCoverage(field, maxStops));
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

const windowGrowth = 8;

/** Finds the best plan with a given number of stores that leaves at most a given number of products uncovered. */
class NearestPlanSearch {
  readonly #field: CoverageField;
  readonly #maxStops: number;
  readonly #tuning: Tuning;
  readonly #cover: NearestCover;
  #prices: ProductPrices;
  #isBargained = false;

  constructor(field: CoverageField, maxStops: number, tuning: Tuning) {
    this.#field = field;
    this.#maxStops = maxStops;
    this.#tuning = tuning;
    this.#cover = new NearestCover(field, tuning.patience);
    this.#prices = evenPrices(field);
  }

  /**
   * The wanted plan with the nearest farthest store, then the smallest total distance, then the ids that sort first;
   * null if there is none. No plan with fewer stores may exist.
   *
   * With `expected`, the search begins with the nearest stores and goes on to larger windows until it finds a plan.
   * Otherwise small windows would mostly be in vain, so it begins with all stores.
   */
  *find(wanted: Wanted, expected: boolean): Steps<FieldPlan | null> {
    const count = this.#field.coverage.length;
    let window = expected ? Math.min(this.#tuning.firstWindow, count) : count;
    while (!(yield* this.#isHopeless(wanted, window))) {
      const walk = new PlanWalk(this.#field, this.#cover, this.#prices, wanted);
      if (yield* walk.narrow(window)) return yield* walk.settleTies();
      if (window === count) break;
      window = Math.min(window * windowGrowth, count);
    }
    return null;
  }

  /** Whether the prices rule out such a plan. Good prices are computed only when the search leaves the first window. */
  *#isHopeless({ stops, missing }: Wanted, window: number): Steps<boolean> {
    if (window > this.#tuning.firstWindow && !this.#isBargained) {
      this.#prices = yield* bargain(this.#field, this.#maxStops);
      this.#isBargained = true;
    }
    const worth = worthOf(this.#prices, 2 ** this.#field.productCount - 1);
    return worth - missing * fullPrice > stops * this.#prices.highest;
  }
}
