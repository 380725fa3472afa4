import type {
  ComparisonCoverage,
  ComparisonPlan,
  CoverageMode,
} from '../../generator/contract/documents/comparison.ts';
import { bitCount, type Plan } from './plans/candidates.ts';
import type { Scope, StoreDirectory } from './scope.ts';
import { anywhere, type ScopeCoverage } from './scope.ts';

/** Values that all plans of one answer share. */
export type PlanContext = {
  readonly directory: StoreDirectory;
  readonly scope: Scope;
  readonly coverage: ScopeCoverage;
  /** In the order of the request. */
  readonly productIds: readonly string[];
  readonly mode: CoverageMode;
};

/** The document of a plan, contract.md 9. Each product is assigned to the nearest store of the plan that covers it. */
export function planDocument(plan: Plan, context: PlanContext): ComparisonPlan {
  const { scope, coverage, productIds } = context;
  const distances = plan.map((candidate) => scope.distances[candidate] as number);
  let covered = 0;
  const stores = plan.map((candidate) => {
    const assigned = (coverage.covered[candidate] as number) & ~covered;
    covered |= assigned;
    return planStore(candidate, assigned, context);
  });
  return {
    stop_count: plan.length,
    farthest_store_distance_m: Math.max(...distances),
    total_origin_distance_m: distances.reduce((sum, distance) => sum + distance, 0),
    distance_metric: 'straight_line_from_supplied_coordinates',
    covered_product_count: bitCount(covered),
    requested_product_count: productIds.length,
    covered_product_ids: idsIn(covered, productIds),
    uncovered_product_ids: idsIn(~covered, productIds),
    stores,
  };
}

function planStore(
  candidate: number,
  assigned: number,
  { directory, scope, coverage, productIds, mode }: PlanContext,
): ComparisonPlan['stores'][number] {
  const store = directory.stores[scope.stores[candidate] as number];
  if (!store) throw new Error(`expected a store in scope at position ${candidate}, got none`);
  const covered = coverage.covered[candidate] as number;
  return {
    store: { ...store, distance_m: scope.distances[candidate] as number },
    assigned_product_ids: idsIn(assigned, productIds),
    covered_product_ids: idsIn(covered, productIds),
    reported_product_ids: idsIn(coverage.positive[candidate] as number, productIds),
    eligible_product_ids: idsIn(coverage.eligible[candidate] as number, productIds),
    covered_product_count: bitCount(covered),
    selected_coverage_mode: mode,
  };
}

/**
 * `meta.coverage`. A product is covered if any store in scope covers it, contract.md 9. `productIds`: the requested
 * products, in order.
 */
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
function idsIn(products: number, productIds: readonly string[]): string[] {
  return productIds.filter((_, position) => ((products >>> position) & 1) === 1);
}
