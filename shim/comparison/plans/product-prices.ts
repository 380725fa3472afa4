import type { CoverageField } from './coverage-field.ts';

/** The highest price of a product: prices are whole numbers, so that sums of them are exact. */
export const fullPrice = 1024;

/** Products are taken in groups of five, with the sum of every subset of a group at hand. */
const groupSize = 5;

/**
 * A price for every product, at most {@link fullPrice}. A plan leaves products uncovered that are worth at least what
 * all products together are, less what its stores cover, each at most `highest`. Whatever the prices, this bound holds
 * (it is a Lagrangian relaxation); with good ones it is nearly as sharp as linear programming.
 */
export type ProductPrices = {
  readonly ofProduct: Int32Array;
  /** What the products that a store covers are worth together. */
  readonly ofStore: Int32Array;
  readonly highest: number;
  readonly groups: Int32Array;
};

/** What a set of products is worth. */
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
  return pricesWith(field, new Int32Array(field.productCount).fill(fullPrice));
}

export function pricesWith({ coverage }: CoverageField, ofProduct: Int32Array): ProductPrices {
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
  return { ofProduct, ofStore, highest, groups };
}
