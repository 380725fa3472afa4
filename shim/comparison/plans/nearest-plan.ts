import type { Steps } from '../../scheduling/work.ts';
import type { CoverageField } from './coverage-field.ts';
import type { FieldPlan } from './nearest-cover.ts';
import { NearestCover } from './nearest-cover.ts';
import { PlanWalk, type Wanted } from './plan-walk.ts';
import { bargain, evenPrices, fullPrice, type ProductPrices, worthOf } from './product-prices.ts';

/** Settings that affect the time of the search, but not the plans that it finds. */
export type Tuning = {
  /** The number of the nearest stores that are tried first. */
  readonly firstWindow: number;
  /** A table is made once looking at stores has cost this many times as much as the table. */
  readonly patience: number;
};

const windowGrowth = 8;

/** Finds the best plan with a given number of stores that leaves at most a given number of products uncovered. */
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
   * null if there is none. No plan with fewer stores may exist.
   *
   * With `expected`, the search begins with the nearest stores and goes on to larger windows until it finds a plan.
   * Otherwise small windows would mostly be in vain, so it begins with all stores.
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

  /** Whether the prices rule out such a plan. Good prices are computed only when the search leaves the first window. */
  #isHopeless({ stops, missing }: Wanted, window: number): boolean {
    if (window > this.#firstWindow && !this.#isBargained) {
      this.#prices = bargain(this.#field, this.#maxStops);
      this.#isBargained = true;
    }
    const worth = worthOf(this.#prices, 2 ** this.#field.productCount - 1);
    return worth - missing * fullPrice > stops * this.#prices.highest;
  }
}
