import type { CoverageField } from './coverage-field.ts';

/** The highest price of a product: prices are whole numbers, so that sums of them are exact. */
export const fullPrice = 1024;

/** Rounds of the bargaining; more of them hardly improve the prices. */
const rounds = 64;
/** How fast a product becomes cheaper with every store too many that covers it. */
const steepness = 0.7;

/** Products are taken in groups of five, with the sum of every subset of a group at hand. */
const groupSize = 5;

/**
 * A price for every product, at most {@link fullPrice}. A plan leaves products uncovered that are worth at least what
 * all products together are, less what its stores cover, each at most `highest`. Whatever the prices, this bound holds
 * (it is a Lagrangian relaxation); with good ones it is nearly as sharp as linear programming.
 */
export type ProductPrices = {
  readonly ofStore: Int32Array;
  /** The highest of the stores. */
  readonly highest: number;
  readonly groups: Int32Array;
};

export function worthOf({ groups }: Pick<ProductPrices, 'groups'>, products: number): number {
  return (
    (groups[products & 31] as number) +
    (groups[32 + ((products >>> 5) & 31)] as number) +
    (groups[64 + ((products >>> 10) & 31)] as number) +
    (groups[96 + ((products >>> 15) & 31)] as number) +
    (groups[128 + (products >>> 20)] as number)
  );
}

/** Every product at the full price: a store is worth what it covers. */
export function evenPrices(field: CoverageField): ProductPrices {
  return pricesOf(field, new Int32Array(field.productCount).fill(fullPrice));
}

/**
 * Prices by fictitious play: the store that is worth most is bought, again and again; products that this covers more
 * often than plans of so many stores need to become cheaper. The prices of the best round count.
 */
export function bargain(field: CoverageField, stops: number): ProductPrices {
  const { productCount, coverage } = field;
  const all = 2 ** productCount - 1;
  const bought = new Int32Array(productCount);
  let best = evenPrices(field);
  let bestScore = Number.NEGATIVE_INFINITY;
  let prices = best;
  for (let round = 1; round <= rounds; round += 1) {
    const score = scoreOf(prices, all, stops);
    if (score > bestScore) [best, bestScore] = [prices, score];
    const covered = coverage[prices.ofStore.indexOf(prices.highest)] as number;
    for (let product = 0; product < productCount; product += 1) {
      bought[product] = (bought[product] as number) + ((covered >>> product) & 1);
    }
    prices = pricesOf(field, pricesAfter(bought, round / stops));
  }
  return best;
}

/** What plans leave uncovered for certain; where that is nothing, how near the prices come to it. */
function scoreOf(prices: ProductPrices, all: number, stops: number): number {
  const worth = worthOf(prices, all);
  const surplus = worth - stops * prices.highest;
  return surplus > 0 ? surplus : worth / prices.highest - stops;
}

function pricesAfter(bought: Int32Array, needed: number): Int32Array {
  const surplus = Array.from(bought, (times) => Math.max(0, times - needed));
  const least = Math.min(...surplus);
  return Int32Array.from(surplus, (times) => Math.round(fullPrice * Math.exp(steepness * (least - times))));
}

function pricesOf({ coverage }: CoverageField, ofProduct: Int32Array): ProductPrices {
  const groups = new Int32Array(32 * groupSize);
  for (let group = 0; group < groupSize; group += 1) {
    for (let subset = 1; subset < 32; subset += 1) {
      const product = groupSize * group + 31 - Math.clz32(subset & -subset);
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
  return { ofStore, highest, groups };
}
