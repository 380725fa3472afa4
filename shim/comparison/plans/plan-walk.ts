import type { Steps } from '../../scheduling/work.ts';
import { type CoverageField, lowestBit } from './candidates.ts';
import { type NearestCover, reaches } from './nearest-cover.ts';
import { fullPrice, type ProductPrices, worthOf } from './product-prices.ts';

/** The plans to look for: with `stops` stores and at most `missing` uncovered products. */
export type Wanted = { readonly stops: number; readonly missing: number };

/**
 * Walks through the plans of two or three stores, and keeps the best so far.
 *
 * Each store is chosen for the product that the fewest stores cover. A plan covers this product or leaves it out; in
 * the second case it may leave out one less of the others. `leftOut` are the products left out so far: plans that cover
 * one of them were visited before. The last store is the nearest one that covers the products still needed, because
 * among plans with the same other stores no other is better.
 */
export class PlanWalk {
  readonly #field: CoverageField;
  readonly #cover: NearestCover;
  readonly #prices: ProductPrices;
  readonly #wanted: Wanted;
  readonly #allProducts: number;
  #best: FieldPlan | null = null;
  #end = 0;
  /**
   * The position of the first store at the farthest distance of the best plan, while plans of that distance are
   * compared.
   */
  #tieStart: number | null = null;

  constructor(field: CoverageField, cover: NearestCover, prices: ProductPrices, wanted: Wanted) {
    this.#field = field;
    this.#cover = cover;
    this.#prices = prices;
    this.#wanted = wanted;
    this.#allProducts = 2 ** field.productCount - 1;
  }

  /**
   * Finds a plan of stores before `end` with the nearest farthest store. Each plan that is found moves the end to
   * before its farthest store. Returns whether there is one.
   */
  *narrow(end: number): Steps<boolean> {
    const { coverage, storesOf } = this.#field;
    this.#begin(end);
    let needed = this.#allProducts;
    let leftOut = 0;
    for (let missing = this.#wanted.missing; missing >= 0 && needed !== 0; missing -= 1) {
      const product = lowestBit(needed);
      const least = this.#leastWorth(needed, missing, this.#wanted.stops - 1);
      for (const store of storesOf[product] as Int32Array) {
        if (store >= this.#end) break;
        const covered = coverage[store] as number;
        if ((this.#prices.ofStore[store] as number) < least || (covered & leftOut) !== 0) continue;
        yield* this.#complete(store, needed & ~covered, leftOut, missing);
        yield this.#cover.takeUnits();
      }
      leftOut |= 1 << product;
      needed &= needed - 1;
    }
    return this.#best !== null;
  }

  /**
   * Finds the best of the plans with the same farthest distance as the best so far. Each has a store at that distance.
   */
  *settleTies(): Steps<FieldPlan> {
    const { coverage } = this.#field;
    const farthest = farthestDistance(this.#field, this.#best as FieldPlan);
    this.#tieStart = this.#countNearer(farthest);
    this.#begin(this.#countNearer(farthest + 1));
    const { missing, stops } = this.#wanted;
    const least = this.#leastWorth(this.#allProducts, missing, stops - 1);
    for (let store = this.#tieStart; store < this.#end && this.#canBeBetter([store]); store += 1) {
      if ((this.#prices.ofStore[store] as number) < least) continue;
      yield* this.#complete(store, this.#allProducts & ~(coverage[store] as number), 0, missing);
      yield this.#cover.takeUnits();
    }
    return this.#best as FieldPlan;
  }

  #begin(end: number): void {
    this.#end = end;
    this.#cover.begin(end);
  }

  *#complete(first: number, needed: number, leftOut: number, missing: number): Steps<void> {
    if (this.#cover.isDue(missing)) yield* this.#cover.renew(missing, this.#end);
    if (this.#wanted.stops === 2) this.#addLast([first], needed, missing);
    else yield* this.#addTwo(first, needed, leftOut, missing);
  }

  *#addTwo(first: number, neededAfterFirst: number, leftOutBefore: number, missingBefore: number): Steps<void> {
    const { coverage, storesOf } = this.#field;
    const { ofStore } = this.#prices;
    // Plans with a tied store before the first one were visited when that store was the first.
    const [metFrom, metTo] = [this.#tieStart ?? first, first];
    let needed = neededAfterFirst;
    let leftOut = leftOutBefore;
    for (let missing = missingBefore; missing >= 0 && needed !== 0; missing -= 1) {
      const product = lowestBit(needed);
      const stores = storesOf[product] as Int32Array;
      const least = this.#leastWorth(needed, missing, 1);
      let limit = this.#limit(first, stores);
      if (this.#cover.isDue(missing)) yield* this.#cover.renew(missing, this.#end);
      let table = this.#cover.table(missing);
      this.#cover.count(limit);
      for (let position = 0; position < limit; position += 1) {
        const second = stores[position] as number;
        const covered = coverage[second] as number;
        if ((ofStore[second] as number) < least || (covered & leftOut) !== 0) continue;
        if (second >= metFrom && second < metTo) continue;
        const open = needed & ~covered;
        if (table !== undefined && !reaches(table, open)) continue;
        if (this.#addLast([first, second], open, missing)) limit = this.#limit(first, stores);
        if (!this.#cover.isDue(missing)) continue;
        yield* this.#cover.renew(missing, this.#end);
        table = this.#cover.table(missing);
      }
      leftOut |= 1 << product;
      needed &= needed - 1;
    }
  }

  /**
   * Completes a plan with the nearest store that covers the needed products. If it is better, it becomes the best.
   * Returns whether it did.
   */
  #addLast(others: readonly number[], needed: number, missing: number): boolean {
    const last = this.#cover.find(needed, missing, this.#end);
    if (last < 0) return false;
    const plan = [...others, last].sort((a, b) => a - b);
    if (this.#tieStart !== null && !this.#isBetter(plan)) return false;
    this.#best = plan;
    if (this.#tieStart === null) this.#end = this.#countNearer(farthestDistance(this.#field, plan));
    return true;
  }

  /** How many of these stores, counted from the nearest, can make a better plan together with `first`. */
  #limit(first: number, stores: Int32Array): number {
    if (this.#tieStart !== null) {
      return passing(stores.length, (position) => this.#canBeBetter([first, stores[position] as number]));
    }
    if (first >= this.#end) return 0;
    return passing(stores.length, (position) => (stores[position] as number) < this.#end);
  }

  #countNearer(distance: number): number {
    const { distances } = this.#field;
    return passing(distances.length, (store) => (distances[store] as number) < distance);
  }

  #isBetter(plan: FieldPlan): boolean {
    return comparePlans(this.#field, plan, this.#best as FieldPlan) < 0;
  }

  /** Whether these stores can make a better plan together with the nearest other stores, whatever those cover. */
  #canBeBetter(stores: readonly number[]): boolean {
    const plan = [...stores];
    for (let store = 0; plan.length < this.#wanted.stops; store += 1) {
      if (store === this.#tieStart) store = Math.max(store, stores[0] as number);
      if (store >= this.#end) return false;
      if (!plan.includes(store)) plan.push(store);
    }
    plan.sort((a, b) => a - b);
    return (plan[plan.length - 1] as number) < this.#end && this.#isBetter(plan);
  }

  /**
   * The least worth of a store that can cover all `needed` products but `missing` together with `others` more stores.
   */
  #leastWorth(needed: number, missing: number, others: number): number {
    return worthOf(this.#prices, needed) - missing * fullPrice - others * this.#prices.highest;
  }
}

/** How many of the numbers 0 to `count - 1` pass a test, where no number passes after one that fails. */
function passing(count: number, test: (number: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (test(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Positions of stores in a field, ascending and so nearest first. */
export type FieldPlan = readonly number[];

function farthestDistance({ distances }: CoverageField, plan: FieldPlan): number {
  return distances[plan[plan.length - 1] as number] as number;
}

/**
 * Below 0 if `a` is the better of two plans with as many stores and the same farthest distance: by total distance, then
 * by the ids of the stores, nearest first, contract.md 9.
 */
function comparePlans({ distances, idRanks }: CoverageField, a: FieldPlan, b: FieldPlan): number {
  let difference = 0;
  for (let stop = 0; stop < a.length; stop += 1) {
    difference += (distances[a[stop] as number] as number) - (distances[b[stop] as number] as number);
  }
  for (let stop = 0; difference === 0 && stop < a.length; stop += 1) {
    difference = (idRanks[a[stop] as number] as number) - (idRanks[b[stop] as number] as number);
  }
  return difference;
}
