import type {
  Comparison,
  ComparisonStrategy,
  CoverageMode,
  StrategyName,
} from '../../generator/contract/documents/comparison.ts';
import { type Warning, warningCode } from '../../generator/contract/documents/envelope.ts';
import { pathOf } from '../../generator/contract/paths.ts';
import { inSteps, Work } from '../scheduling/work.ts';
import type { PublicationView } from '../site/publication-view.ts';
import { UnreadableError } from '../site/verified-objects.ts';
import { coverageDocument, type PlanContext, planDocument } from './documents.ts';
import { planSearch } from './plans/plan-search.ts';
import type { ProductObservations } from './requested-products.ts';
import { productPaths, requestedProducts } from './requested-products.ts';
import { type StoreDirectory, storeDirectoryReading, storesInScope } from './scope.ts';
import { scopeCoverage } from './scope-coverage.ts';
import { completenessRequired, needPlans, type Strategies, strategiesFor } from './strategies.ts';

export type ComparisonQuery = {
  /** Exactly one of `productIds` and `skus` is given, in the order requested. Ids are in lower case. */
  readonly productIds: readonly string[] | null;
  readonly skus: readonly string[] | null;
  readonly lat: number;
  readonly lng: number;
  readonly radiusM: number;
  /** In the order requested, or in the enum's order. */
  readonly strategies: readonly StrategyName[];
  readonly purchaseEligibility: 'eligible' | 'any';
  readonly inventoryAge: 'within_policy' | 'any_age';
  /** 1 to 3. */
  readonly maxStops: number;
};

/** Units of work per store: for its distance, and for its state for each product. */
const [distanceUnits, pairUnits] = [1, 0.02];

const modes: Readonly<Record<ComparisonQuery['purchaseEligibility'], CoverageMode>> = {
  eligible: 'purchase_eligible_reported_positive',
  any: 'reported_positive',
};

/** The whole body of `/availability/comparison`, contract.md 9. Throws a ProblemError. */
export async function compare(view: PublicationView, query: ComparisonQuery, work = new Work()): Promise<Comparison> {
  await view.locate([pathOf('comparison_stores'), ...productPaths(query)], work);
  const [directory, products] = await Promise.all([
    view.require(pathOf('comparison_stores'), storeDirectoryReading, work),
    requestedProducts(view, query, work),
  ]);
  for (const observations of products) requireAgreement(directory, observations);

  const origin = { latitude: query.lat, longitude: query.lng };
  await work.spend(Math.ceil(directory.stores.length * (distanceUnits + products.length * pairUnits)));
  const scope = storesInScope(directory, origin, query.radiusM);
  const coverage = scopeCoverage(scope, products, query);
  const candidates = { distances: scope.distances, coverage: coverage.covered, idRanks: scope.stores };
  const plans = needPlans(query.strategies)
    ? await inSteps(planSearch(candidates, products.length, query.maxStops), work)
    : null;
  const strategies = strategiesFor(candidates, products.length, plans);

  const productIds = products.map(({ product }) => product.id);
  const mode = modes[query.purchaseEligibility];
  const context = { directory, scope, coverage, productIds, mode };
  const coverageMeta = coverageDocument(coverage, productIds, mode);
  return {
    data: {
      requested_products: products.map(({ product }) => product),
      scope: {
        origin,
        radius_m: query.radiusM,
        store_count: scope.stores.length,
        inventory_age: query.inventoryAge,
        purchase_eligibility: query.purchaseEligibility,
        max_stops: query.maxStops,
      },
      strategies: query.strategies.map((strategy) => strategyDocument(strategy, strategies, context)),
    },
    meta: {
      warnings: warningsOf([directory, ...products], coverageMeta.unchecked_pair_count > 0),
      coverage: coverageMeta,
    },
  };
}

function strategyDocument(strategy: StrategyName, strategies: Strategies, context: PlanContext): ComparisonStrategy {
  const { plan, reason } = strategies.solve(strategy);
  const document = plan && planDocument(plan, context);
  const isComplete = document?.uncovered_product_ids.length === 0;
  return {
    strategy,
    result_state: document ? (isComplete ? 'complete' : 'partial') : 'no_solution',
    completeness_required: completenessRequired[strategy],
    no_solution_reason: reason,
    plan: document,
  };
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

/** Checks that the product's input has a letter for each store of the directory, unless it has no retrieval at all. */
function requireAgreement({ stores }: StoreDirectory, { product, pairs, retrievals }: ProductObservations): void {
  if (retrievals.length === 0 || pairs.length === stores.length) return;
  const path = pathOf('comparison_product', { product_id: product.id });
  throw new UnreadableError(`${path}: expected letters of ${stores.length} stores, got ${pairs.length}`, null);
}
