import * as z from 'zod';
import { inventoryAges, purchaseEligibilityModes, strategyNames } from '../vocabulary.ts';
import {
  addressPart,
  availabilitySummary,
  component,
  count,
  country,
  dateTime,
  extra,
  observationTimes,
  purchaseEligibility,
  sku,
  storeCode,
  text,
  uuid,
  warnings,
} from './primitives.ts';
import { product, productAvailability } from './product.ts';

export const geoPoint = component('GeoPoint', {
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
});

export const accessType = z.enum(['consumer_state_store', 'licensee_only', 'package_agency', 'unknown']);

export const operationalState = z.enum(['open', 'temporarily_closed', 'permanently_closed', 'unknown']);

export const operationalStatus = z.strictObject({
  state: operationalState,
  note: z.string().nullable(),
  source: z.enum(['reviewed_editorial', 'unknown']),
});

export const storeService = z.enum([
  'refrigerated_beer',
  'wine_store',
  'high_end_product_room',
  'curbside_pickup',
  'accessible_entrance',
  'parking',
]);

export const presenceState = z.enum(['present', 'suspect_missing', 'retirement_review_required', 'reviewed_retired']);

const directoryPresence = z.strictObject({ state: presenceState, last_seen_at: dateTime.nullable() });

const storeSourceIds = z.strictObject({
  inventory_store_code: storeCode.nullable(),
  directory_id: z.string().nullable(),
});

export const storeSummary = component('StoreSummary', {
  id: uuid,
  source_ids: storeSourceIds,
  name: text,
  address: z.strictObject({
    line1: z.string(),
    line2: z.string().nullable(),
    city: z.string(),
    region: addressPart,
    postal_code: addressPart,
    country,
  }),
  phone: z.string().nullable(),
  contact_links: z.strictObject({ telephone_uri: z.string().nullable(), geo_uri: z.string().nullable() }),
  location: geoPoint.nullable(),
  distance_m: count.nullable(),
  access_type: accessType,
  operational_status: operationalStatus,
  services: z.array(storeService),
  regular_hours_available: z.boolean(),
  directory_presence: directoryPresence.nullable(),
  details_times: observationTimes,
});

/**
 * A store in the list of stores, or in a plan of a comparison.
 *
 * @example
 * ```ts
 * import type { StoreSummary } from 'shelfpress/client';
 *
 * const rows: StoreSummary[] = await site.stores().take(10);
 * console.log(rows.map(({ name, address }) => `${name}, ${address.city}`));
 * ```
 */
export type StoreSummary = z.infer<typeof storeSummary>;

export const storeDetail = component('StoreDetail', { ...storeSummary.shape, regular_hours: z.string().nullable() });
export type StoreDetail = z.infer<typeof storeDetail>;

const stockedProduct = z.strictObject({
  product_id: uuid,
  agency_sku: sku,
  name: text,
  brand: text.nullable(),
  reported_quantity: z.int().min(1),
  purchase_eligibility: purchaseEligibility,
  retrieved_at: dateTime,
  meets_retrieval_policy: z.boolean(),
});

/** The catalog products that are reported positive in a store. */
export const storeStock = component('StoreAvailability', {
  store: z.strictObject({ id: uuid, source_ids: storeSourceIds, name: text }),
  checked_product_count: count,
  products: z.array(stockedProduct),
});
export type StoreStock = z.infer<typeof storeStock>;

export const strategyName = z.enum(strategyNames);

export const inventoryAge = z.enum(inventoryAges);
export const purchaseEligibilityMode = z.enum(purchaseEligibilityModes);
const coverageMode = z.enum(['purchase_eligible_reported_positive', 'reported_positive']);

export type CoverageMode = z.infer<typeof coverageMode>;

const productIds = z.array(uuid);

const planStore = z.strictObject({
  store: storeSummary,
  assigned_product_ids: productIds,
  covered_product_ids: productIds,
  reported_product_ids: productIds,
  eligible_product_ids: productIds,
  covered_product_count: count,
  selected_coverage_mode: coverageMode,
});

const plan = z.strictObject({
  stop_count: z.int().min(1),
  farthest_store_distance_m: count,
  total_origin_distance_m: count,
  distance_metric: z.literal('straight_line_from_supplied_coordinates'),
  covered_product_count: z.int().min(1),
  requested_product_count: z.int().min(1).max(25),
  covered_product_ids: productIds,
  uncovered_product_ids: productIds,
  stores: z.array(planStore).min(1).max(3),
});

const noSolutionReason = z.enum([
  'NO_REPORTED_MATCH',
  'NO_SINGLE_STORE_COVERS_ALL_PRODUCTS',
  'NO_COMPLETE_PLAN_IN_SCOPE',
  'COMPLETE_PLAN_EXCEEDS_MAX_STOPS',
]);
export type NoSolutionReason = z.infer<typeof noSolutionReason>;

const strategy = z.strictObject({
  strategy: strategyName,
  result_state: z.enum(['complete', 'partial', 'no_solution']),
  completeness_required: z.boolean(),
  no_solution_reason: noSolutionReason.nullable(),
  plan: plan.nullable(),
});
export type ComparisonStrategy = z.infer<typeof strategy>;

const coverage = z.strictObject({
  selected_coverage_mode: coverageMode,
  covered_product_ids: productIds,
  uncovered_product_ids: productIds,
  uncertain_product_ids: productIds,
  restricted_product_ids: productIds,
  reported_positive_product_ids: productIds,
  purchase_eligible_product_ids: productIds,
  requested_product_count: z.int().min(1).max(25),
  store_count: count,
  expected_pair_count: count,
  observed_pair_count: count,
  unchecked_pair_count: count,
  retrieved_at_min: dateTime.nullable(),
  retrieved_at_max: dateTime.nullable(),
  upstream_age_known: z.literal(false),
});

/** The document at `/availability/comparison`. */
export const comparison = component('Comparison', {
  data: z.strictObject({
    requested_products: z.array(product).min(1).max(25),
    scope: z.strictObject({
      origin: geoPoint,
      radius_m: z.int().min(1).max(500_000),
      store_count: count,
      inventory_age: inventoryAge,
      purchase_eligibility: purchaseEligibilityMode,
      max_stops: z.int().min(1).max(3),
    }),
    strategies: z.array(strategy).min(1).max(5),
  }),
  meta: z.strictObject({ warnings, coverage }),
});

/**
 * The answer to a comparison.
 *
 * @example
 * ```ts
 * import type { Comparison } from 'shelfpress/client';
 *
 * const comparison: Comparison = await site.compare({ skus: ['014100'], lat: 43.2, lng: -118.3 });
 * console.log(comparison.data.strategies.map(({ strategy, result_state }) => `${strategy}: ${result_state}`));
 * ```
 */
export type Comparison = z.infer<typeof comparison>;

/** The stores of comparisons, by id. A product's availability has a row for each, in the same order. */
export const comparisonStores = component('ComparisonStores', {
  warnings,
  /** Only where no inventory of stores is reported. */
  inventory: extra(z.enum(['statewide', 'none'])),
  stores: z.array(storeSummary),
});
export type ComparisonStores = z.infer<typeof comparisonStores>;

/** A product's own document. A comparison answers with some of its fields. */
export const requestedProduct = z.object({ data: z.object(product.shape) });

/** A product's availability, with only what a comparison needs. */
export const requestedAvailability = z.object({
  data: z.object({
    ...productAvailability.pick({
      retrieved_at: true,
      stores: true,
      other_stores_state: true,
      exception_store_ids: true,
      earlier_row_absent: true,
    }).shape,
    summary: availabilitySummary.pick({ scope_store_count: true, meets_retrieval_policy: true }),
  }),
  meta: z.object({ warnings }),
});
