import type { QueryOf } from '../../generator/contract/addresses.ts';
import {
  type Comparison,
  type CoverageMode,
  type NoSolutionReason,
  type StrategyName,
  strategyName,
} from '../../generator/contract/documents/comparison.ts';
import { type Warning, warningCode } from '../../generator/contract/documents/envelope.ts';
import { pathOf } from '../../generator/contract/paths.ts';
import { inSteps, Work } from '../scheduling/work.ts';
import type { PublicationFiles } from '../site/publication-files.ts';
import { UnreadableError } from '../site/verified-objects.ts';
import { coverageText, type PlanContext, planText, uncheckedPairCount } from './answer-text.ts';
import { bitCount, type Plan } from './plans/candidates.ts';
import { type BestPlans, planSearch } from './plans/plan-search.ts';
import { observationsPath, type RequestedProduct, requestedPaths, requestedProducts } from './requested-products.ts';
import { anywhere, type StoreDirectory, scopeAround, scopeCoverage, storeDirectoryReading } from './scope.ts';

type Products = 'product_ids' | 'skus';

/** A query with its defaults. It has exactly one of `product_ids` and `skus`, in the order requested. */
export type ComparisonQuery = Required<Omit<QueryOf<'comparison'>, Products>> & Pick<QueryOf<'comparison'>, Products>;

/** The defaults of the service description. Validation has ensured that latitude and longitude are present. */
export const comparisonDefaults: ComparisonQuery = {
  lat: 0,
  lng: 0,
  radius_m: 50_000,
  strategies: strategyName.options,
  purchase_eligibility: 'eligible',
  inventory_age: 'within_policy',
  max_stops: 3,
};

/** Units of work for the state of a product in a store. */
const pairUnits = 0.02;

const modes: Readonly<Record<ComparisonQuery['purchase_eligibility'], CoverageMode>> = {
  eligible: 'purchase_eligible_reported_positive',
  any: 'reported_positive',
};

/** The whole body of `/availability/comparison`, contract.md 9. Throws a ProblemError. */
export async function compare(view: PublicationFiles, query: ComparisonQuery, work = new Work()): Promise<Comparison> {
  return JSON.parse(await comparisonText(view, query, work));
}

/** The body of {@link compare} as JSON. */
export async function comparisonText(view: PublicationFiles, query: ComparisonQuery, work: Work): Promise<string> {
  const stores = pathOf('comparison_stores');
  const known = view.known?.(stores, storeDirectoryReading, work);
  if (known === undefined) await view.locate([stores, ...requestedPaths(query)], work);
  const [directory, products] = await Promise.all([
    known ?? view.require(stores, storeDirectoryReading, work),
    requestedProducts(view, query, work),
  ]);
  for (const observations of products) requireAgreement(directory, observations);

  const origin = { latitude: query.lat, longitude: query.lng };
  const scope = await scopeAround(directory, origin, query.radius_m, work);
  const turn = work.spend(Math.ceil(directory.stores.length * products.length * pairUnits));
  if (turn) await turn;
  const coverage = scopeCoverage(scope, products, query);
  const candidates = { distances: scope.distances, coverage: coverage.covered, idRanks: scope.stores };
  const plans = needPlans(query.strategies)
    ? await inSteps(planSearch(candidates, products.length, query.max_stops), work)
    : null;

  const productIds = products.map(({ id }) => JSON.stringify(id));
  const mode = modes[query.purchase_eligibility];
  const context = { directory, scope, coverage, productIds, mode };
  const scopeText = JSON.stringify({
    origin,
    radius_m: query.radius_m,
    store_count: scope.stores.length,
    inventory_age: query.inventory_age,
    purchase_eligibility: query.purchase_eligibility,
    max_stops: query.max_stops,
  });
  const strategies = query.strategies.map((strategy) => strategyText(strategy, plans, context));
  const warnings = warningsOf([directory, ...products], uncheckedPairCount(coverage) > 0);
  return (
    `{"data":{"requested_products":[${products.map(({ json }) => json).join()}]` +
    `,"scope":${scopeText}` +
    `,"strategies":[${strategies.join()}]}` +
    `,"meta":{"warnings":${JSON.stringify(warnings)}` +
    `,"coverage":${coverageText(coverage, productIds, mode)}}}`
  );
}

function strategyText(strategy: StrategyName, plans: BestPlans | null, context: PlanContext): string {
  const { covered } = context.coverage;
  const all = 2 ** context.productIds.length - 1;
  const plan = pickPlan(strategy, covered, all, plans);
  const reason = plan ? null : reasonWithoutPlan(strategy, covered, all);
  return (
    `{"strategy":"${strategy}"` +
    `,"result_state":"${plan ? (coverageOf(plan, covered) === all ? 'complete' : 'partial') : 'no_solution'}"` +
    `,"completeness_required":${completenessRequired[strategy]}` +
    `,"no_solution_reason":${JSON.stringify(reason)}` +
    `,"plan":${plan ? planText(plan, context) : null}}`
  );
}

/** The set of products that a plan covers. */
function coverageOf(plan: Plan, coverage: Int32Array): number {
  return plan.reduce((covered, store) => covered | (coverage[store] as number), 0);
}

/**
 * Each warning once, in the order of the enum. INVENTORY_COVERAGE_PARTIAL depends on the pairs of this answer alone.
 */
function warningsOf(sources: readonly { readonly warnings: readonly Warning[] }[], isPartial: boolean): Warning[] {
  const codes = new Set(sources.flatMap(({ warnings }) => warnings.map(({ code }) => code)));
  codes.delete('INVENTORY_COVERAGE_PARTIAL');
  if (isPartial) codes.add('INVENTORY_COVERAGE_PARTIAL');
  return warningCode.options.filter((code) => codes.has(code)).map((code) => ({ code }));
}

/** Checks that the availability of a product has a row for each store of the directory. */
function requireAgreement({ stores }: StoreDirectory, { id, storeCount }: RequestedProduct): void {
  if (storeCount === stores.length) return;
  throw new UnreadableError(`${observationsPath(id)}: expected ${stores.length} stores, got ${storeCount}`, null);
}

/** Whether a strategy accepts complete plans only. */
const completenessRequired: Readonly<Record<StrategyName, boolean>> = {
  best_single_store: false,
  closest_store_with_any: false,
  closest_complete_store: true,
  fewest_stores_complete: true,
  best_partial_plan: false,
};

/** Whether one of the strategies needs plans of several stores. */
function needPlans(strategies: readonly StrategyName[]): boolean {
  return strategies.includes('fewest_stores_complete') || strategies.includes('best_partial_plan');
}

/**
 * Picks the plan of a strategy, contract.md 9. The stores are in order of distance, then id, so the first one found wins
 * every tie. `all`: the set of all requested products. `plans`: the best plans of several stores; null where no strategy
 * needs them.
 */
function pickPlan(strategy: StrategyName, coverage: Int32Array, all: number, plans: BestPlans | null): Plan | null {
  const single = (store: number): Plan | null => (store < 0 ? null : [store]);
  switch (strategy) {
    case 'best_single_store':
      return single(largest(coverage));
    case 'closest_store_with_any':
      return single(coverage.findIndex((covered) => covered !== 0));
    case 'closest_complete_store':
      return single(coverage.indexOf(all));
    case 'fewest_stores_complete':
      return plans?.complete ?? null;
    case 'best_partial_plan':
      return plans?.fullest ?? null;
  }
}

function reasonWithoutPlan(strategy: StrategyName, coverage: Int32Array, all: number): NoSolutionReason {
  const covered = anywhere(coverage);
  if (covered === 0) return 'NO_REPORTED_MATCH';
  if (strategy === 'closest_complete_store') return 'NO_SINGLE_STORE_COVERS_ALL_PRODUCTS';
  return covered === all ? 'COMPLETE_PLAN_EXCEEDS_MAX_STOPS' : 'NO_COMPLETE_PLAN_IN_SCOPE';
}

/** The first of the stores that cover the most products; -1 if no store covers any. */
function largest(coverage: Int32Array): number {
  let [store, size] = [-1, 0];
  for (const [candidate, covered] of coverage.entries()) {
    const count = bitCount(covered);
    if (count > size) [store, size] = [candidate, count];
  }
  return store;
}
