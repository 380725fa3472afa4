import * as z from 'zod';
import { type FactType, forFacts, type ProductFact, type TypeOfFact } from '../product-facts.ts';
import {
  availabilitySummary,
  categoryId,
  component,
  count,
  currency,
  dateTime,
  extra,
  minorAmount,
  moneyObservation,
  pairState,
  purchaseEligibility,
  sku,
  storeCode,
  text,
  uuid,
  warnings,
} from './primitives.ts';

const volume = z.int().min(1).nullable();

export const normalizationState = z.enum(['normalized', 'unconfirmed', 'missing']);
export const packageInterpretation = z.enum(['single_container', 'multi_container', 'ambiguous', 'missing']);
export const packageBasis = z.enum([
  'normalized_source_size',
  'explicit_source_name_and_pack_count',
  'corroborated_source_name_and_total',
  'pack_count_with_ambiguous_source_size',
  'none',
]);

export const packageSize = component('PackageSize', {
  milliliters: volume,
  container_count: volume,
  unit_milliliters: volume,
  total_milliliters: volume,
  display: z.string().nullable(),
  interpretation: packageInterpretation,
  basis: packageBasis,
  normalization_state: normalizationState,
});
export type PackageSize = z.infer<typeof packageSize>;

export const reducedPackageSize = component('ReducedPackageSize', {
  milliliters: volume,
  display: z.string().nullable(),
  normalization_state: normalizationState,
});

export const lifecycle = z.enum(['active', 'discontinued', 'restricted', 'unavailable', 'unknown']);

export const productStatus = component('ProductStatus', {
  code: z.string(),
  label: z.string(),
  lifecycle,
  source_raw: z.string(),
});

export const catalogPresence = z.enum(['listed', 'absent']);
export type CatalogPresence = z.infer<typeof catalogPresence>;

export const productIdentity = {
  id: uuid,
  source_ids: z.strictObject({ agency_sku: sku }),
  name: text,
  brand: text.nullable(),
};

export const namedProduct = z.strictObject(productIdentity);

/** A product as `requested_products` of a comparison has it. */
export const product = component('Product', {
  ...productIdentity,
  brand_id: uuid.nullable(),
  package_size: packageSize,
  price: moneyObservation.nullable(),
  status: productStatus,
});
export type Product = z.infer<typeof product>;

const factValues = {
  money: minorAmount,
  instant: dateTime,
  percent: z.number().min(0).max(100),
  text,
  year: z.int(),
  gtin: text,
} as const satisfies Readonly<Record<FactType, z.ZodType>>;

type FactShape = { readonly [Fact in ProductFact]: z.ZodNullable<(typeof factValues)[TypeOfFact<Fact>]> };

/**
 * Facts that some agencies report. A site has the facts that its profile names. A fact is null where the agency gives
 * no value.
 */
export const facts = z
  .strictObject(forFacts(({ type }) => factValues[type].nullable()) as unknown as FactShape)
  .partial()
  .meta({ id: 'ProductFacts' });
export type ProductFacts = z.infer<typeof facts>;

export const productDetail = component('ProductDetail', {
  ...product.shape,
  family_id: uuid.nullable(),
  category_ids: z.array(categoryId),
  catalog_presence: catalogPresence,
  former_skus: z.array(sku),
  inventory_retrieved_at: dateTime.nullable(),
  availability_summary: availabilitySummary,
  facts: extra(facts),
});

/** Former SKUs that several products had. With this list, a reader can tell an ambiguous SKU from an unknown one. */
export const formerSkuIndex = component('FormerSkuIndex', { ambiguous: z.array(sku) });

export type ProductDetail = z.infer<typeof productDetail>;

export const productRow = component('ProductRow', {
  ...productIdentity,
  brand_id: uuid.nullable(),
  family_id: uuid.nullable(),
  package_size: reducedPackageSize,
  price: moneyObservation.nullable(),
  status: productStatus,
});

/**
 * A product in the list of products.
 *
 * @example
 * ```ts
 * import type { ProductRow } from 'shelfpress/client';
 *
 * const rows: ProductRow[] = await site.products().take(10);
 * console.log(rows.map(({ name, price }) => `${name}: ${price?.display}`));
 * ```
 */
export type ProductRow = z.infer<typeof productRow>;

/** A product in a store, whatever is known about it there. */
export const storePair = z.strictObject({
  store_id: uuid,
  inventory_store_code: storeCode.nullable(),
  name: text,
  state: pairState,
  reported_quantity: count.nullable(),
  purchase_eligibility: purchaseEligibility.nullable(),
  retrieved_at: dateTime.nullable(),
  meets_retrieval_policy: z.boolean(),
});
export type StorePair = z.infer<typeof storePair>;

/** A pair for which the last retrieval that covered it had a row. */
const reportedPair = storePair.extend({
  state: pairState.extract(['reported_positive', 'reported_zero']),
  reported_quantity: count,
  retrieved_at: dateTime,
});

/** Stores without a row that a retrieval before the product's last successful one covered last. */
const earlierRowAbsent = z.strictObject({
  retrieved_at: dateTime,
  meets_retrieval_policy: z.boolean(),
  store_ids: z.array(uuid),
});

export const productAvailability = component('ProductAvailability', {
  product: namedProduct,
  summary: availabilitySummary,
  /** The product's last successful retrieval. */
  retrieved_at: dateTime.nullable(),
  stores: z.array(reportedPair),
  other_stores_state: pairState.extract(['row_absent', 'unchecked']).nullable(),
  exception_store_ids: z.array(uuid),
  earlier_row_absent: z.array(earlierRowAbsent),
});
export type ProductAvailability = z.infer<typeof productAvailability>;

/** Sequences of publications, ascending. */
const publications = z.array(z.int().min(1));
const times = z.array(dateTime);

/**
 * `/products/{product_id}/series.json`: how a product changed, as columns. Items of the same position belong together.
 * A step holds until the next one. Each attempt is a retrieval; a publication without an attempt has none.
 */
export const productSeries = component('ProductSeries', {
  product: namedProduct,
  warnings,
  currency,
  retention_days: count,
  retrievals: component('RetrievalSeries', {
    publication: publications,
    attempted_at: times,
    succeeded: z.array(z.boolean()),
    reported_positive_store_count: z.array(count.nullable()),
    checked_store_count: z.array(count.nullable()),
    reported_quantity: z.array(count.nullable()),
  }),
  prices: component('PriceSeries', {
    publication: publications,
    at: times,
    price_minor: z.array(minorAmount.nullable()),
  }),
  statuses: component('StatusSeries', {
    publication: publications,
    at: times,
    code: z.array(z.string()),
    label: z.array(z.string()),
    lifecycle: z.array(lifecycle),
  }),
  presence: component('PresenceSeries', {
    publication: publications,
    at: times,
    catalog_presence: z.array(catalogPresence),
  }),
});

/**
 * How a product changed, as columns: the result of `site.product.series`.
 *
 * @example
 * ```ts
 * import type { ProductSeries } from 'shelfpress/client';
 *
 * const { data: product } = await site.product.bySku('014100');
 * const series: ProductSeries = await site.product.series(product.id);
 * console.log(series.retrievals.reported_quantity.at(-1));
 * ```
 */
export type ProductSeries = z.infer<typeof productSeries>;
