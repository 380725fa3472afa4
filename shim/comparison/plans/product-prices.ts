import type { Steps } from '../../scheduling/work.ts';
import { bitCount, type CoverageField, lowestBit } from './candidates.ts';

/** The highest price of a product. Prices are whole numbers, so that their sums are exact. */
export const fullPrice = 1024;

/** Products are in groups of five, with the sum of every subset of a group precomputed. */
const groupSize = 5;

/**
 * A price for every product, at most {@link fullPrice}. The products that a plan leaves uncovered are worth at least
 * the worth of all products, less `highest` for each of its stores. This bound holds for any prices (it is a Lagrangian
 * relaxation). With good prices it is nearly as sharp as linear programming.
 */
export type ProductPrices = {
  readonly ofProduct: Int32Array;
  /** By store: the worth of the products that it covers. */
  readonly ofStore: Int32Array;
  readonly highest: number;
  readonly groups: Int32Array;
};

/** The worth of a set of products: the sum of their prices. */
export function worthOf({ groups }: Pick<ProductPrices, 'groups'>, products: number): number {
  return (
    (groups[products & 31] as number) +
    (groups[32 + ((products >>> 5) & 31)] as number) +
    (groups[64 + ((products >>> 10) & 31)] as number) +
    (groups[96 + ((products >>> 15) & 31)] as number) +
    (groups[128 + (products >>> 20)] as number)
  );
}

/**
 * Prices with every product at the full price, so that the worth of a store is proportional to the number of products
 * it covers.
 */
export function evenPrices(field: CoverageField): ProductPrices {
  return pricesWith(field, new Int32Array(field.productCount).fill(fullPrice));
}

function pricesWith({ coverage }: CoverageField, ofProduct: Int32Array): ProductPrices {
  const groups = new Int32Array(32 * groupSize);
  for (let group = 0; group < groupSize; group += 1) {
    for (let subset = 1; subset < 32; subset += 1) {
      const product = groupSize * group + lowestBit(subset);
      groups[32 * group + subset] =
        (groups[32 * group + (subset & (subset - 1))] as number) + (ofProduct[product] ?? 0);
    }
  }
  let highest = 0;
  const ofStore = new Int32Array(coverage.length);
  for (let store = 0; store < coverage.length; store += 1) {
    const worth = worthOf({ groups }, coverage[store] as number);
    ofStore[store] = worth;
    if (worth > highest) highest = worth;
  }
  return { ofProduct, ofStore, highest, groups };
}

/** Rounds of each of the two methods. More of them hardly improve the prices. */
const playedRounds = 24;
const raisedRounds = 40;

/** Stores that are priced, or looked at by the greedy search, in a unit of work. */
const [pricedPerUnit, seenPerUnit] = [100, 200];

/** How fast a product becomes cheaper each time that it is covered more often than needed. */
const steepness = 0.7;
/** The part of its direction that a step keeps from the step before. */
const momentum = 0.7;
/** How far above the best bound so far a step aims, in products. */
const ambition = 0.5;

/**
 * Prices that rule out as many plans of `stops` stores as possible. The first method comes near good prices quickly.
 * The second improves them: it is the subgradient method with Polyak's step, with prices kept between zero and the full
 * price.
 */
export function* bargain(field: CoverageField, stops: number): Steps<ProductPrices> {
  const played = yield* best(playedPrices(field, stops), stops);
  return yield* best(raisedPrices(field, stops, played), stops);
}

/**
 * Fictitious play: chooses the store that is worth most, again and again, and makes the products that it covers
 * cheaper.
 */
function* playedPrices(field: CoverageField, stops: number): Generator<ProductPrices> {
  const { productCount } = field;
  const chosen = new Int32Array(productCount);
  let prices = evenPrices(field);
  yield prices;
  for (let round = 1; round < playedRounds; round += 1) {
    const covered = dearest(field, prices);
    for (let product = 0; product < productCount; product += 1) {
      chosen[product] = (chosen[product] as number) + ((covered >>> product) & 1);
    }
    prices = pricesWith(field, pricesAfter(chosen, round / stops));
    yield prices;
  }
}

/**
 * Prices by how often each product was chosen beyond what is needed. The product with the smallest surplus has the full
 * price.
 */
function pricesAfter(chosen: Int32Array, needed: number): Int32Array {
  let least = Number.POSITIVE_INFINITY;
  for (const times of chosen) least = Math.min(least, Math.max(0, times - needed));
  const prices = new Int32Array(chosen.length);
  for (let product = 0; product < chosen.length; product += 1) {
    const surplus = Math.max(0, (chosen[product] as number) - needed) - least;
    prices[product] = surplus === 0 ? fullPrice : Math.round(fullPrice * Math.exp(-steepness * surplus));
  }
  return prices;
}

function* raisedPrices(field: CoverageField, stops: number, start: ProductPrices): Generator<ProductPrices> {
  const { productCount } = field;
  const wanted = Float64Array.from(start.ofProduct);
  const direction = new Float64Array(productCount);
  let prices = start;
  let most = 0;
  yield prices;
  for (let round = 1; round < raisedRounds; round += 1) {
    const surplus = surplusOf(prices, stops);
    most = Math.max(most, surplus);
    const covered = dearest(field, prices);
    let length = 0;
    for (let product = 0; product < productCount; product += 1) {
      const step = 1 - stops * ((covered >>> product) & 1) + momentum * (direction[product] as number);
      direction[product] = step;
      length += step * step;
    }
    if (length === 0) return;
    const factor = (most + ambition * fullPrice - surplus) / length;
    for (let product = 0; product < productCount; product += 1) {
      const raised = (wanted[product] as number) + factor * (direction[product] as number);
      wanted[product] = Math.min(fullPrice, Math.max(0, raised));
    }
    prices = pricesWith(field, Int32Array.from(wanted, Math.round));
    yield prices;
  }
}

/** The products covered by the store that is worth most. */
function dearest({ coverage }: CoverageField, { ofStore, highest }: ProductPrices): number {
  return coverage[ofStore.indexOf(highest)] as number;
}

function* best(offers: Iterable<ProductPrices>, stops: number): Steps<ProductPrices> {
  let [winner, most]: [ProductPrices | null, number] = [null, Number.NEGATIVE_INFINITY];
  for (const prices of offers) {
    const score = scoreOf(prices, stops);
    if (winner === null || score > most) [winner, most] = [prices, score];
    yield Math.ceil(prices.ofStore.length / pricedPerUnit);
  }
  return winner as ProductPrices;
}

/** The worth that every plan leaves uncovered. If there is none, how near the prices come to such a bound. */
function scoreOf(prices: ProductPrices, stops: number): number {
  const surplus = surplusOf(prices, stops);
  if (prices.highest === 0) return Number.NEGATIVE_INFINITY;
  return surplus > 0 ? surplus : surplus / prices.highest;
}

/** The worth of all products beyond what `stops` stores can cover. */
function surplusOf(prices: ProductPrices, stops: number): number {
  return worthOf(prices, 2 ** prices.ofProduct.length - 1) - stops * prices.highest;
}

/** The greedy search starts once from each of this many stores that cover the most products. */
const beginnings = 16;

/**
 * A number of products that a plan of `stops` stores can cover, found greedily: store by store, the one that adds most.
 * Often no plan covers more, and then a single search proves it.
 */
export function* greedyCoverage({ coverage, sizes }: CoverageField, stops: number): Steps<number> {
  const units = Math.ceil((stops * coverage.length) / seenPerUnit);
  let most = 0;
  for (const first of largestFirst(sizes)) {
    let covered = coverage[first] as number;
    for (let stop = 1; stop < stops; stop += 1) covered |= largestGain(coverage, covered);
    most = Math.max(most, bitCount(covered));
    yield units;
  }
  return most;
}

/** The stores that cover the most products, the nearest of them first. */
function largestFirst(sizes: Uint8Array): number[] {
  // Numbers without a comparison function are sorted many times faster.
  const keys = Float64Array.from(sizes, (size, store) => (255 - size) * sizes.length + store).sort();
  return Array.from(keys.subarray(0, beginnings), (key) => key % sizes.length);
}

function largestGain(coverage: Int32Array, covered: number): number {
  let [gain, size] = [0, 0];
  for (const candidate of coverage) {
    const added = candidate & ~covered;
    const count = bitCount(added);
    if (count > size) [gain, size] = [added, count];
  }
  return gain;
}
