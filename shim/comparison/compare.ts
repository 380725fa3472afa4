import type { QueryOf } from '../../contract/parameters.ts';
import { formatPath } from '../../contract/paths.ts';
import type { Warning } from '../../contract/schemas/primitives.ts';
import type { Comparison, ComparisonStrategy, CoverageMode, NoSolutionReason } from '../../contract/schemas/store.ts';
import { type StrategyName, strategyNames } from '../../contract/vocabulary.ts';
import { warningCodes } from '../../contract/warnings.ts';
import { ProblemError } from '../problems.ts';
import type { PublicationFiles } from '../site/publication-files.ts';
import { bitCount, type Plan, searchPlans } from './plan-search.ts';
import { requestedProducts } from './requested-products.ts';
import {
  anywhere,
  type ScopeCoverage,
  type StoreInScope,
  scopeCoverage,
  storeDirectoryReading,
  storesInScope,
} from './scope.ts';

type Products = 'product_ids' | 'skus';

/** A query with defaults filled in. It has exactly one of `product_ids` and `skus`, in the order requested. */
export type ComparisonQuery = Required<Omit<QueryOf<'comparison'>, Products>> & Pick<QueryOf<'comparison'>, Products>;

/** The defaults in the description of the service. Validation makes sure that latitude and longitude are given. */
export const comparisonDefaults: ComparisonQuery = {
  lat: 0,
  lng: 0,
  radius_m: 50_000,
  strategies: strategyNames,
  purchase_eligibility: 'eligible',
  inventory_age: 'within_policy',
  max_stops: 3,
};

const modes: Readonly<Record<ComparisonQuery['purchase_eligibility'], CoverageMode>> = {
  eligible: 'purchase_eligible_reported_positive',
  any: 'reported_positive',
};

/** What all parts of an answer share. `productIds`: in the order of the request. */
type Scope = {
  readonly stores: readonly StoreInScope[];
  readonly coverage: ScopeCoverage;
  readonly productIds: readonly string[];
  readonly mode: CoverageMode;
};

/** The whole body of `/availability/comparison`, contract.md 9. Throws a ProblemError. */
export async function compare(files: PublicationFiles, query: ComparisonQuery): Promise<Comparison> {
  const { purchase_eligibility, inventory_age, radius_m, max_stops } = query;
  const openDirectory = files.require(formatPath('comparison_stores'), storeDirectoryReading);
  const [directory, products] = await Promise.all([openDirectory, requestedProducts(files, query, openDirectory)]);
  if (directory.inventory !== undefined) {
    const name = query.skus ? 'skus' : 'product_ids';
    const reason = 'expected products of stores, but this site has no inventory of stores, so it compares nothing';
    throw new ProblemError('INVALID_PARAMETER', [{ name, reason }]);
  }

  const origin = { latitude: query.lat, longitude: query.lng };
  const observations = products.map((product) => product.observations);
  const stores = storesInScope(directory, origin, radius_m);
  const coverage = scopeCoverage(stores, observations, query);
  const productIds = products.map(({ product }) => product.id);
  const scope = { stores, coverage, productIds, mode: modes[purchase_eligibility] };
  const best = bestPlan(scope, query);
  return {
    data: {
      requested_products: products.map(({ product }) => product),
      scope: { origin, radius_m, store_count: stores.length, inventory_age, purchase_eligibility, max_stops },
      strategies: query.strategies.map((strategy) => strategyDocument(strategy, best, scope)),
    },
    meta: {
      warnings: answerWarnings([directory, ...observations], uncheckedPairCount(coverage) > 0),
      coverage: coverageDocument(scope),
    },
  };
}

/** The best plan of up to `max_stops` stores; null if there is none, or if no strategy needs it. */
function bestPlan({ stores, coverage }: Scope, { strategies, max_stops }: ComparisonQuery): Plan | null {
  if (!strategies.includes('fewest_stores_complete') && !strategies.includes('best_partial_plan')) return null;
  const distances = new Int32Array(stores.map(({ distance }) => distance));
  const idRanks = new Int32Array(stores.map(({ number }) => number));
  return searchPlans({ distances, coverage: coverage.covered, idRanks }, max_stops);
}

/** The answer's entry for a strategy. `best`: the best plan of several stores. */
function strategyDocument(strategy: StrategyName, best: Plan | null, scope: Scope): ComparisonStrategy {
  const { covered } = scope.coverage;
  const all = 2 ** scope.productIds.length - 1;
  const picked = pickPlan(strategy, covered, all, best);
  const isComplete = picked?.reduce((products, store) => products | (covered[store] as number), 0) === all;
  const isRequired = completeOnly.has(strategy);
  const plan = isComplete || !isRequired ? picked : null;
  return {
    strategy,
    result_state: plan ? (isComplete ? 'complete' : 'partial') : 'no_solution',
    completeness_required: isRequired,
    no_solution_reason: plan ? null : reasonWithoutPlan(strategy, covered, all),
    plan: plan && planDocument(plan, scope),
  };
}

/** The strategies that only accept complete plans. */
const completeOnly: ReadonlySet<StrategyName> = new Set(['closest_complete_store', 'fewest_stores_complete']);

/**
 * Picks the plan for a strategy, complete or not, contract.md 9. Stores are in order of distance, then id, so the first
 * one found wins every tie. `all`: the set of all requested products.
 */
function pickPlan(strategy: StrategyName, coverage: Int32Array, all: number, best: Plan | null): Plan | null {
  const single = (store: number): Plan | null => (store < 0 ? null : [store]);
  switch (strategy) {
    case 'best_single_store': {
      const most = coverage.reduce((size, covered) => Math.max(size, bitCount(covered)), 1);
      return single(coverage.findIndex((covered) => bitCount(covered) === most));
    }
    case 'closest_store_with_any':
      return single(coverage.findIndex((covered) => covered !== 0));
    case 'closest_complete_store':
      return single(coverage.indexOf(all));
    case 'fewest_stores_complete':
    case 'best_partial_plan':
      return best;
  }
}

function reasonWithoutPlan(strategy: StrategyName, coverage: Int32Array, all: number): NoSolutionReason {
  const covered = anywhere(coverage);
  if (covered === 0) return 'NO_REPORTED_MATCH';
  if (strategy === 'closest_complete_store') return 'NO_SINGLE_STORE_COVERS_ALL_PRODUCTS';
  return covered === all ? 'COMPLETE_PLAN_EXCEEDS_MAX_STOPS' : 'NO_COMPLETE_PLAN_IN_SCOPE';
}

/** A plan as the answer has it. Each product is assigned to the nearest store of the plan that covers it. */
function planDocument(plan: Plan, { stores, coverage, productIds, mode }: Scope): ComparisonStrategy['plan'] {
  const distances = plan.map((stop) => (stores[stop] as StoreInScope).distance);
  let covered = 0;
  const stops = plan.map((stop) => {
    const { store, distance } = stores[stop] as StoreInScope;
    const coveredHere = coverage.covered[stop] as number;
    const assigned = coveredHere & ~covered;
    covered |= coveredHere;
    return {
      store: { ...store, distance_m: distance },
      assigned_product_ids: idsIn(assigned, productIds),
      covered_product_ids: idsIn(coveredHere, productIds),
      reported_product_ids: idsIn(coverage.positive[stop] as number, productIds),
      eligible_product_ids: idsIn(coverage.eligible[stop] as number, productIds),
      covered_product_count: bitCount(coveredHere),
      selected_coverage_mode: mode,
    };
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
    stores: stops,
  };
}

/** `meta.coverage`. A product is covered if any store in scope covers it. */
function coverageDocument({ coverage, productIds, mode }: Scope): Comparison['meta']['coverage'] {
  const { productCount, observedPairCount, retrievedAtMin, retrievedAtMax } = coverage;
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
    unchecked_pair_count: uncheckedPairCount(coverage),
    retrieved_at_min: retrievedAtMin,
    retrieved_at_max: retrievedAtMax,
    upstream_age_known: false,
  };
}

/** How many pairs in scope have no observation that counts. */
function uncheckedPairCount({ covered, productCount, observedPairCount }: ScopeCoverage): number {
  return covered.length * productCount - observedPairCount;
}

/** The ids of a set of products, in the order of the request. */
function idsIn(products: number, productIds: readonly string[]): string[] {
  return productIds.filter((_, position) => ((products >>> position) & 1) === 1);
}

/**
 * The warnings of an answer, each once, in the order of the enum. INVENTORY_COVERAGE_PARTIAL depends only on the pairs
 * of this answer.
 */
function answerWarnings(sources: readonly { readonly warnings: readonly Warning[] }[], isPartial: boolean): Warning[] {
  const codes = new Set<Warning['code']>();
  for (const { warnings } of sources) for (const { code } of warnings) codes.add(code);
  codes.delete('INVENTORY_COVERAGE_PARTIAL');
  if (isPartial) codes.add('INVENTORY_COVERAGE_PARTIAL');
  return warningCodes.filter((code) => codes.has(code)).map((code) => ({ code }));
}
