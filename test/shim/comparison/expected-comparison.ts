import geographiclib from 'geographiclib-geodesic';
import { warningCode } from '../../../contract/schemas/primitives.ts';
import type { ComparisonQuery } from '../../../shim/comparison/compare.ts';
import {
  type ComparisonWorld,
  idFor,
  type PairLetter,
  pairLetters,
  productDocument,
  storeSummary,
  type WorldProduct,
  type WorldStore,
} from './comparison-world.ts';

type StoreInScope = WorldStore & { readonly distance: number };
type Plan = readonly StoreInScope[];

/**
 * The answer computed in the way contract.md 9 describes it: lists every plan, and sorts them by the contract's rules.
 * It is slow, and shares nothing with the shim but the geodesic.
 */
export function expectedComparison(world: ComparisonWorld, query: ComparisonQuery) {
  const products = (query.product_ids ?? []).map(
    (id) => world.products.find(({ name }) => idFor(name) === id) as WorldProduct,
  );
  const scope = storesWithin(world, query).sort(byDistanceThenId);
  const mode = query.purchase_eligibility === 'any' ? 'reported_positive' : 'purchase_eligible_reported_positive';

  const observation = (product: WorldProduct, store: WorldStore) => {
    const pair = product.pairs[store.name];
    const retrieval = pair && product.retrievals[pair.retrieval];
    const counts = retrieval !== undefined && (query.inventory_age === 'any_age' || retrieval.meetsPolicy);
    return counts ? { letter: pair?.letter as PairLetter, retrievedAt: retrieval.retrievedAt } : null;
  };
  const isLetter = (product: WorldProduct, store: WorldStore, letters: readonly PairLetter[]) =>
    letters.includes(observation(product, store)?.letter ?? pairLetters.unchecked);
  const isEligible = (product: WorldProduct, store: WorldStore) => isLetter(product, store, [pairLetters.eligible]);
  const isRestricted = (product: WorldProduct, store: WorldStore) => isLetter(product, store, [pairLetters.restricted]);
  const isPositive = (product: WorldProduct, store: WorldStore) =>
    isLetter(product, store, [pairLetters.eligible, pairLetters.restricted, pairLetters.not_eligible]);
  const covers = query.purchase_eligibility === 'any' ? isPositive : isEligible;
  const ids = (test: (product: WorldProduct) => boolean) => products.filter(test).map(({ name }) => idFor(name));
  const coveredBy = (stores: Plan) => products.filter((product) => stores.some((store) => covers(product, store)));

  const plans = allPlans(scope, query.max_stops).filter((plan) => coveredBy(plan).length > 0);
  const singles = plans.filter(({ length }) => length === 1);
  const isComplete = (plan: Plan) => coveredBy(plan).length === products.length;

  const pick: Readonly<Record<string, Plan | undefined>> = {
    best_single_store: first(singles, (plan) => [-coveredBy(plan).length, ...nearest(plan)]),
    closest_store_with_any: first(singles, nearest),
    closest_complete_store: first(singles.filter(isComplete), nearest),
    fewest_stores_complete: first(plans.filter(isComplete), fewest),
    best_partial_plan: first(plans, (plan) => [-coveredBy(plan).length, ...fewest(plan)]),
  };

  const reasonWithout = (strategy: string) => {
    if (singles.length === 0) return 'NO_REPORTED_MATCH';
    if (strategy === 'closest_complete_store') return 'NO_SINGLE_STORE_COVERS_ALL_PRODUCTS';
    return isComplete(scope) ? 'COMPLETE_PLAN_EXCEEDS_MAX_STOPS' : 'NO_COMPLETE_PLAN_IN_SCOPE';
  };

  const planDocument = (plan: Plan) => ({
    stop_count: plan.length,
    farthest_store_distance_m: Math.max(...plan.map(({ distance }) => distance)),
    total_origin_distance_m: plan.reduce((sum, { distance }) => sum + distance, 0),
    distance_metric: 'straight_line_from_supplied_coordinates',
    covered_product_count: coveredBy(plan).length,
    requested_product_count: products.length,
    covered_product_ids: ids((product) => coveredBy(plan).includes(product)),
    uncovered_product_ids: ids((product) => !coveredBy(plan).includes(product)),
    stores: plan.map((store) => ({
      store: { ...storeSummary(store), distance_m: store.distance },
      assigned_product_ids: ids((product) => plan.find((stop) => covers(product, stop)) === store),
      covered_product_ids: ids((product) => covers(product, store)),
      reported_product_ids: ids((product) => isPositive(product, store)),
      eligible_product_ids: ids((product) => isEligible(product, store)),
      covered_product_count: products.filter((product) => covers(product, store)).length,
      selected_coverage_mode: mode,
    })),
  });

  const pairs = products.flatMap((product) => scope.map((store) => observation(product, store)));
  const observed = pairs.filter((pair) => pair !== null);
  const retrievedAt = observed.map((pair) => pair.retrievedAt).sort((a, b) => Date.parse(a) - Date.parse(b));
  const isAnywhere = (test: typeof covers) => (product: WorldProduct) => scope.some((store) => test(product, store));
  const isUnchecked = (product: WorldProduct, store: WorldStore) => observation(product, store) === null;
  const isCovered = isAnywhere(covers);
  const warned = new Set([...world.warnings, ...products.flatMap(({ warnings }) => warnings)]);
  const isPartial = observed.length < pairs.length;

  return {
    data: {
      requested_products: products.map(productDocument),
      scope: {
        origin: { latitude: query.lat, longitude: query.lng },
        radius_m: query.radius_m,
        store_count: scope.length,
        inventory_age: query.inventory_age,
        purchase_eligibility: query.purchase_eligibility,
        max_stops: query.max_stops,
      },
      strategies: query.strategies.map((strategy) => {
        const plan = pick[strategy];
        return {
          strategy,
          result_state: plan ? (isComplete(plan) ? 'complete' : 'partial') : 'no_solution',
          completeness_required: strategy === 'closest_complete_store' || strategy === 'fewest_stores_complete',
          no_solution_reason: plan ? null : reasonWithout(strategy),
          plan: plan ? planDocument(plan) : null,
        };
      }),
    },
    meta: {
      warnings: warningCode.options
        .filter((code) => (code === 'INVENTORY_COVERAGE_PARTIAL' ? isPartial : warned.has(code)))
        .map((code) => ({ code })),
      coverage: {
        selected_coverage_mode: mode,
        covered_product_ids: ids(isCovered),
        uncovered_product_ids: ids((product) => !isCovered(product)),
        uncertain_product_ids: ids((product) => !isCovered(product) && isAnywhere(isUnchecked)(product)),
        restricted_product_ids: ids((product) => isAnywhere(isRestricted)(product) && !isAnywhere(isEligible)(product)),
        reported_positive_product_ids: ids(isAnywhere(isPositive)),
        purchase_eligible_product_ids: ids(isAnywhere(isEligible)),
        requested_product_count: products.length,
        store_count: scope.length,
        expected_pair_count: pairs.length,
        observed_pair_count: observed.length,
        unchecked_pair_count: pairs.length - observed.length,
        retrieved_at_min: retrievedAt[0] ?? null,
        retrieved_at_max: retrievedAt[retrievedAt.length - 1] ?? null,
        upstream_age_known: false,
      },
    },
  };
}

function storesWithin({ stores }: ComparisonWorld, { lat, lng, radius_m }: ComparisonQuery): StoreInScope[] {
  return stores.flatMap((store) => {
    if (store.location === null) return [];
    const { latitude, longitude } = store.location;
    const { s12 } = geographiclib.Geodesic.WGS84.Inverse(lat, lng, latitude, longitude);
    const distance = Math.round(s12 as number);
    return distance <= radius_m ? [{ ...store, distance }] : [];
  });
}

function byDistanceThenId(a: StoreInScope, b: StoreInScope): number {
  return a.distance - b.distance || (idFor(a.name) < idFor(b.name) ? -1 : 1);
}

/** Every set of one to `maxStops` stores, nearest first. */
function allPlans(scope: readonly StoreInScope[], maxStops: number): Plan[] {
  const plans: Plan[] = [];
  const extend = (plan: Plan, from: number) => {
    for (const [index, store] of scope.entries()) {
      if (index < from) continue;
      plans.push([...plan, store]);
      if (plan.length + 1 < maxStops) extend([...plan, store], index + 1);
    }
  };
  extend([], 0);
  return plans;
}

type Key = readonly (number | string)[];

/** Sort key of a single store: distance, then id. */
function nearest(plan: Plan): Key {
  return [plan[0]?.distance ?? 0, ...plan.map(({ name }) => idFor(name))];
}

/** Sort key: the number of stores, the farthest distance, the total distance, then the ids, nearest store first. */
function fewest(plan: Plan): Key {
  const distances = plan.map(({ distance }) => distance);
  const total = distances.reduce((sum, distance) => sum + distance, 0);
  return [plan.length, Math.max(...distances), total, ...plan.map(({ name }) => idFor(name))];
}

/** The plan with the smallest key; undefined if there are no plans. */
function first(plans: readonly Plan[], sortKey: (plan: Plan) => Key): Plan | undefined {
  return plans.map((plan) => ({ plan, key: sortKey(plan) })).sort((a, b) => compareKeys(a.key, b.key))[0]?.plan;
}

function compareKeys(a: Key, b: Key): number {
  for (const [index, left] of a.entries()) {
    const right = b[index];
    if (right === undefined || left === right) continue;
    return left < right ? -1 : 1;
  }
  return 0;
}
