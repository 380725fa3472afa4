import type { CoverageField } from './coverage-field.ts';
import { fullPrice, type ProductPrices, pricesWith, worthOf } from './product-prices.ts';

/** Rounds of each of the two ways; more of them hardly improve the prices. */
const playedRounds = 24;
const raisedRounds = 40;

/** How fast a product becomes cheaper with every time too many that it was covered. */
const steepness = 0.7;
/** How much of its direction a step keeps from the one before. */
const momentum = 0.7;
/** How far above the best prices so far a step aims, in products. */
const ambition = 0.5;

/**
 * Prices that rule out as much as can be of plans of so many stores. The first way comes near good prices at once, the
 * second improves them: it is the subgradient method with Polyak's step, and prices between nothing and the full one.
 */
export function bargain(field: CoverageField, stops: number): ProductPrices {
  const played = best(playedPrices(field, stops), stops);
  return best(raisedPrices(field, stops, played), stops);
}

/** Fictitious play: the store that is worth most is chosen, again and again, and what it covers becomes cheaper. */
function* playedPrices(field: CoverageField, stops: number): Generator<ProductPrices> {
  const { productCount } = field;
  const chosen = new Int32Array(productCount);
  let prices = pricesWith(field, new Int32Array(productCount).fill(fullPrice));
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

/** The product that is chosen least for what is needed has the full price. */
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

/** What the store that is worth most covers. */
function dearest({ coverage }: CoverageField, { ofStore, highest }: ProductPrices): number {
  return coverage[ofStore.indexOf(highest)] as number;
}

function best(offers: Iterable<ProductPrices>, stops: number): ProductPrices {
  let [winner, most]: [ProductPrices | null, number] = [null, Number.NEGATIVE_INFINITY];
  for (const prices of offers) {
    const score = scoreOf(prices, stops);
    if (winner === null || score > most) [winner, most] = [prices, score];
  }
  return winner as ProductPrices;
}

/** What plans leave uncovered for certain; where that is nothing, how near the prices come to it. */
function scoreOf(prices: ProductPrices, stops: number): number {
  const surplus = surplusOf(prices, stops);
  if (prices.highest === 0) return Number.NEGATIVE_INFINITY;
  return surplus > 0 ? surplus : surplus / prices.highest;
}

/** What all products are worth beyond what so many stores can cover. */
function surplusOf(prices: ProductPrices, stops: number): number {
  return worthOf(prices, 2 ** prices.ofProduct.length - 1) - stops * prices.highest;
}
