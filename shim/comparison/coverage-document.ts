import type { ComparisonCoverage, CoverageMode } from '../../generator/contract/documents/comparison.ts';
import { anywhere, type ScopeCoverage } from './scope-coverage.ts';

/** `meta.coverage`: *covered* means by any store in scope, contract.md 9. `productIds` are those requested, in order. */
export function coverageDocument(
  coverage: ScopeCoverage,
  productIds: readonly string[],
  mode: CoverageMode,
): ComparisonCoverage {
  const { productCount, observedPairCount } = coverage;
  const [storeCount, covered] = [coverage.covered.length, anywhere(coverage.covered)];
  const eligible = anywhere(coverage.eligible);
  return {
    selected_coverage_mode: mode,
    covered_product_ids: idsIn(covered, productIds),
    uncovered_product_ids: idsIn(~covered, productIds),
    uncertain_product_ids: idsIn(~covered & coverage.uncheckedAnywhere, productIds),
    restricted_product_ids: idsIn(coverage.restrictedAnywhere & ~eligible, productIds),
    reported_positive_product_ids: idsIn(anywhere(coverage.positive), productIds),
    purchase_eligible_product_ids: idsIn(eligible, productIds),
    requested_product_count: productCount,
    store_count: storeCount,
    expected_pair_count: storeCount * productCount,
    observed_pair_count: observedPairCount,
    unchecked_pair_count: storeCount * productCount - observedPairCount,
    retrieved_at_min: coverage.retrievedAtMin,
    retrieved_at_max: coverage.retrievedAtMax,
    upstream_age_known: false,
  };
}

/** The ids of a set of products, in the order of the request. */
export function idsIn(products: number, productIds: readonly string[]): string[] {
  return productIds.filter((_, position) => ((products >>> position) & 1) === 1);
}
