import type { Steps } from '../../scheduling/work.ts';
import type { CoverageField } from './coverage-field.ts';
import type { FieldPlan } from './nearest-cover.ts';
import { NearestCover } from './nearest-cover.ts';
import { PlanWalk, type Wanted } from './plan-walk.ts';
import { bargain, evenPrices, fullPrice, type ProductPrices, worthOf } from './product-prices.ts';

/** What is tried first, and for how long. The plans that are found do not depend on it. */
export type Tuning = {
  /** How many of the nearest stores are tried first. */
  readonly firstWindow: number;
  /** How many times the cost of a table may go into looking at stores before it is made. */
  readonly patience: number;
};

const windowGrowth = 8;

/** Finds the best plan among those of so many stores that leave no more than so many products uncovered. */
export class NearestPlanSearch {
  readonly #field: CoverageField;
  readonly #maxStops: number;
  readonly #firstWindow: number;
  readonly #cover: NearestCover;
  #prices: ProductPrices;
  #isBargained = false;

  constructor(field: CoverageField, maxStops: number, { firstWindow, patience }: Tuning) {
    this.#field = field;
    this.#maxStops = maxStops;
    this.#firstWindow = firstWindow;
    this.#cover = new NearestCover(field, patience);
    this.#prices = evenPrices(field);
  }

  /**
   * The wanted plan with the nearest farthest store, then the smallest total distance, then the ids that sort first;
   * null without one. There must be none with fewer stores.
   *
   * When a plan is `expected`, the search begins with the nearest stores and goes on to larger windows while there is
   * none; else that would be in vain, and it begins with all stores.
   */
  *find(wanted: Wanted, expected: boolean): Steps<FieldPlan | null> {
    const count = this.#field.coverage.length;
    let window = expected ? Math.min(this.#firstWindow, count) : count;
    while (!this.#isHopeless(wanted, window)) {
      const walk = new PlanWalk(this.#field, this.#cover, this.#prices, wanted);
      if (yield* walk.narrow(window)) return yield* walk.settleTies();
      if (window === count) break;
      window = Math.min(window * windowGrowth, count);
    }
    return null;
  }

  /** Whether the prices rule such a plan out. They are bargained for once the first window is left. */
  #isHopeless({ stops, missing }: Wanted, window: number): boolean {
    if (window > this.#firstWindow && !this.#isBargained) {
      this.#prices = bargain(this.#field, this.#maxStops);
      this.#isBargained = true;
    }
    const worth = worthOf(this.#prices, 2 ** this.#field.productCount - 1);
    return worth - missing * fullPrice > stops * this.#prices.highest;
  }
}
