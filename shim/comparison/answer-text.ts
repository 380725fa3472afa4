import type { CoverageMode } from '../../generator/contract/documents/comparison.ts';
import { bitCount, type Plan } from './plans/candidates.ts';
import { anywhere, type Scope, type ScopeCoverage, type StoreDirectory } from './scope.ts';

/*
 * The parts of an answer as JSON text, contract.md 9. They are put together from texts that were made once for each
 * store and product: to build the objects and print them would take most of the time of a comparison.
 */

/** Values that all plans of one answer share. */
export type PlanContext = {
  readonly directory: StoreDirectory;
  readonly scope: Scope;
  readonly coverage: ScopeCoverage;
  /** As JSON, in the order of the request. */
  readonly productIds: readonly string[];
  readonly mode: CoverageMode;
};

/** A plan. Each product is assigned to the nearest store of the plan that covers it. */
export function planText(plan: Plan, context: PlanContext): string {
  const { scope, coverage, productIds } = context;
  const distances = plan.map((candidate) => scope.distances[candidate] as number);
  let covered = 0;
  const stores = plan.map((candidate) => {
    const assigned = (coverage.covered[candidate] as number) & ~covered;
    covered |= assigned;
    return planStoreText(candidate, assigned, context);
  });
  return (
    `{"stop_count":${plan.length}` +
    `,"farthest_store_distance_m":${Math.max(...distances)}` +
    `,"total_origin_distance_m":${distances.reduce((sum, distance) => sum + distance, 0)}` +
    ',"distance_metric":"straight_line_from_supplied_coordinates"' +
    `,"covered_product_count":${bitCount(covered)}` +
    `,"requested_product_count":${productIds.length}` +
    `,"covered_product_ids":${idsIn(covered, productIds)}` +
    `,"uncovered_product_ids":${idsIn(~covered, productIds)}` +
    `,"stores":[${stores.join()}]}`
  );
}

function planStoreText(
  candidate: number,
  assigned: number,
  { directory, scope, coverage, productIds, mode }: PlanContext,
): string {
  const store = directory.texts[scope.stores[candidate] as number];
  if (!store) throw new Error(`expected a store in scope at position ${candidate}, got none`);
  const covered = coverage.covered[candidate] as number;
  return (
    `{"store":${store.beforeDistance}${scope.distances[candidate]}${store.afterDistance}` +
    `,"assigned_product_ids":${idsIn(assigned, productIds)}` +
    `,"covered_product_ids":${idsIn(covered, productIds)}` +
    `,"reported_product_ids":${idsIn(coverage.positive[candidate] as number, productIds)}` +
    `,"eligible_product_ids":${idsIn(coverage.eligible[candidate] as number, productIds)}` +
    `,"covered_product_count":${bitCount(covered)}` +
    `,"selected_coverage_mode":"${mode}"}`
  );
}

/** How many pairs of the scope have no observation that counts. */
export function uncheckedPairCount({ covered, productCount, observedPairCount }: ScopeCoverage): number {
  return covered.length * productCount - observedPairCount;
}

/**
 * `meta.coverage`. A product is covered if any store in scope covers it. `productIds`: those of the requested products as
 * JSON, in order.
 */
export function coverageText(coverage: ScopeCoverage, productIds: readonly string[], mode: CoverageMode): string {
  const { productCount, observedPairCount, retrievedAtMin, retrievedAtMax } = coverage;
  const [storeCount, covered] = [coverage.covered.length, anywhere(coverage.covered)];
  const eligible = anywhere(coverage.eligible);
  return (
    `{"selected_coverage_mode":"${mode}"` +
    `,"covered_product_ids":${idsIn(covered, productIds)}` +
    `,"uncovered_product_ids":${idsIn(~covered, productIds)}` +
    `,"uncertain_product_ids":${idsIn(~covered & coverage.uncheckedAnywhere, productIds)}` +
    `,"restricted_product_ids":${idsIn(coverage.restrictedAnywhere & ~eligible, productIds)}` +
    `,"reported_positive_product_ids":${idsIn(anywhere(coverage.positive), productIds)}` +
    `,"purchase_eligible_product_ids":${idsIn(eligible, productIds)}` +
    `,"requested_product_count":${productCount}` +
    `,"store_count":${storeCount}` +
    `,"expected_pair_count":${storeCount * productCount}` +
    `,"observed_pair_count":${observedPairCount}` +
    `,"unchecked_pair_count":${uncheckedPairCount(coverage)}` +
    `,"retrieved_at_min":${JSON.stringify(retrievedAtMin)}` +
    `,"retrieved_at_max":${JSON.stringify(retrievedAtMax)}` +
    ',"upstream_age_known":false}'
  );
}

/** The ids of a set of products as a JSON array, in the order of the request. */
function idsIn(products: number, productIds: readonly string[]): string {
  let text = '';
  for (let position = 0; position < productIds.length; position += 1) {
    if (((products >>> position) & 1) === 1) text += text === '' ? productIds[position] : `,${productIds[position]}`;
  }
  return `[${text}]`;
}
