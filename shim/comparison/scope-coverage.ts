import { earlierOf, laterOf } from '../../generator/contract/instant.ts';
import { type ProductObservations, pairBits } from './requested-products.ts';
import type { Scope } from './scope.ts';

/**
 * The states of the requested products in the stores in scope. In a set of products, bit p stands for the product at
 * position p.
 */
export type ScopeCoverage = {
  readonly productCount: number;
  /**
   * By store, in the order of the scope: the products reported positive there, and those of them that are
   * purchase-eligible.
   */
  readonly positive: Int32Array;
  readonly eligible: Int32Array;
  /** By store: the products that it covers, which is one of the two arrays above. */
  readonly covered: Int32Array;
  /** The products that are restricted in any store in scope, and those that are unchecked in any of them. */
  readonly restrictedAnywhere: number;
  readonly uncheckedAnywhere: number;
  readonly observedPairCount: number;
  readonly retrievedAtMin: string | null;
  readonly retrievedAtMax: string | null;
};

export type CoverageRules = {
  readonly purchaseEligibility: 'eligible' | 'any';
  readonly inventoryAge: 'within_policy' | 'any_age';
};

/**
 * Applies the pair states of contract.md 9. With `within_policy`, an observation that does not meet the policy counts
 * as unchecked.
 */
export function scopeCoverage(
  { stores }: Scope,
  products: readonly ProductObservations[],
  { purchaseEligibility, inventoryAge }: CoverageRules,
): ScopeCoverage {
  const positive = new Int32Array(stores.length);
  const eligible = new Int32Array(stores.length);
  const required = inventoryAge === 'within_policy' ? pairBits.observed | pairBits.withinPolicy : pairBits.observed;
  let [restrictedAnywhere, uncheckedAnywhere, observedPairCount] = [0, 0, 0];
  let retrievedAtMin: string | null = null;
  let retrievedAtMax: string | null = null;
  for (const [position, { pairs, retrievalOf, retrievals }] of products.entries()) {
    const product = 1 << position;
    const isUsed = new Uint8Array(retrievals.length);
    let observedCount = 0;
    for (let index = 0; index < stores.length; index += 1) {
      const store = stores[index] as number;
      const bits = pairs[store] as number;
      if ((bits & required) !== required) continue;
      observedCount += 1;
      isUsed[retrievalOf[store] as number] = 1;
      if ((bits & pairBits.positive) !== 0) positive[index] = (positive[index] as number) | product;
      if ((bits & pairBits.eligible) !== 0) eligible[index] = (eligible[index] as number) | product;
      if ((bits & pairBits.restricted) !== 0) restrictedAnywhere |= product;
    }
    if (observedCount < stores.length) uncheckedAnywhere |= product;
    observedPairCount += observedCount;
    for (const [retrieval, retrievedAt] of retrievals.entries()) {
      if (isUsed[retrieval] === 0) continue;
      retrievedAtMin = earlierOf(retrievedAt, retrievedAtMin);
      retrievedAtMax = laterOf(retrievedAt, retrievedAtMax);
    }
  }
  return {
    productCount: products.length,
    positive,
    eligible,
    covered: purchaseEligibility === 'eligible' ? eligible : positive,
    restrictedAnywhere,
    uncheckedAnywhere,
    observedPairCount,
    retrievedAtMin,
    retrievedAtMax,
  };
}

/** The union of the sets. */
export function anywhere(sets: Int32Array): number {
  let union = 0;
  for (const set of sets) union |= set;
  return union;
}
