import * as z from 'zod';
import {
  categoryId,
  count,
  currency,
  dateTime,
  extra,
  minorAmount,
  sku,
  storeCode,
  text,
  uuid,
} from '../primitives.ts';
import type { ProductFact } from '../profile.ts';
import { warnings } from './envelope.ts';
import { availabilitySummary, moneyObservation, pairState, purchaseEligibility } from './observation.ts';

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

export const packageSize = z
  .strictObject({
    milliliters: volume,
    container_count: volume,
    unit_milliliters: volume,
    total_milliliters: volume,
    display: z.string().nullable(),
    interpretation: packageInterpretation,
    basis: packageBasis,
    normalization_state: normalizationState,
  })
  .meta({ id: 'PackageSize' });

export type PackageSize = z.infer<typeof packageSize>;

export const reducedPackageSize = z
  .strictObject({ milliliters: volume, display: z.string().nullable(), normalization_state: normalizationState })
  .meta({ id: 'ReducedPackageSize' });

export const lifecycle = z.enum(['active', 'discontinued', 'restricted', 'unavailable', 'unknown']);

export const productStatus = z
  .strictObject({ code: z.string(), label: z.string(), lifecycle, source_raw: z.string() })
  .meta({ id: 'ProductStatus' });

export const catalogPresence = z.enum(['listed', 'absent']);
export type CatalogPresence = z.infer<typeof catalogPresence>;

export const productSourceIds = z.strictObject({ agency_sku: sku });

const productIdentity = {
  id: uuid,
  source_ids: productSourceIds,
  name: text,
  brand: text.nullable(),
};

/** A product as the comparison returns it in `requested_products`. */
export const product = z
  .strictObject({
    ...productIdentity,
    brand_id: uuid.nullable(),
    package_size: packageSize,
    price: moneyObservation.nullable(),
    status: productStatus,
  })
  .meta({ id: 'Product' });

export type Product = z.infer<typeof product>;

/** What some agencies report besides. A site has those that its profile names; null where the agency gives none. */
export const facts = z
  .strictObject({
    promotion_price_minor: minorAmount.nullable(),
    promotion_ends_at: dateTime.nullable(),
    deposit_minor: minorAmount.nullable(),
    alcohol_by_volume: z.number().min(0).max(100).nullable(),
    producer: text.nullable(),
    country_of_origin: text.nullable(),
    vintage: z.int().nullable(),
    gtin: text.nullable(),
  } satisfies Record<ProductFact, z.ZodType>)
  .partial()
  .meta({ id: 'ProductFacts' });

export type ProductFacts = z.infer<typeof facts>;

export const productDetail = z
  .strictObject({
    ...product.shape,
    family_id: uuid.nullable(),
    category_ids: z.array(categoryId),
    catalog_presence: catalogPresence,
    former_skus: z.array(sku),
    inventory_retrieved_at: dateTime.nullable(),
    availability_summary: availabilitySummary,
    facts: extra(facts),
  })
  .meta({ id: 'ProductDetail' });

/** Former SKUs of several products. It tells an ambiguous SKU from an unknown one. */
export const formerSkuIndex = z.strictObject({ ambiguous: z.array(sku) }).meta({ id: 'FormerSkuIndex' });

export type ProductDetail = z.infer<typeof productDetail>;

export const productRow = z
  .strictObject({
    ...productIdentity,
    brand_id: uuid.nullable(),
    family_id: uuid.nullable(),
    package_size: reducedPackageSize,
    price: moneyObservation.nullable(),
    status: productStatus,
  })
  .meta({ id: 'ProductRow' });

export type ProductRow = z.infer<typeof productRow>;

export const storeAvailability = z.strictObject({
  store_id: uuid,
  inventory_store_code: storeCode.nullable(),
  name: text,
  state: pairState,
  reported_quantity: count.nullable(),
  purchase_eligibility: purchaseEligibility.nullable(),
  retrieved_at: dateTime.nullable(),
  meets_retrieval_policy: z.boolean(),
});

export type StoreAvailability = z.infer<typeof storeAvailability>;

export const productAvailability = z
  .strictObject({
    product: z.strictObject(productIdentity),
    summary: availabilitySummary,
    stores: z.array(storeAvailability),
  })
  .meta({ id: 'ProductAvailability' });

export type ProductAvailability = z.infer<typeof productAvailability>;

/** A product as a family lists it. */
export const familyMember = z
  .strictObject({
    ...productIdentity,
    relationship_type: z.string().nullable(),
    vintage_year: z.int().nullable(),
    age_statement: z.string().nullable(),
    package_size: reducedPackageSize,
    price: moneyObservation.nullable(),
    status: productStatus,
    inventory_retrieved_at: dateTime.nullable(),
    availability_summary: availabilitySummary,
  })
  .meta({ id: 'FamilyMember' });

export type FamilyMember = z.infer<typeof familyMember>;

/** Sequences of publications, ascending. */
const publications = z.array(z.int().min(1));
const times = z.array(dateTime);

/**
 * `/products/{product_id}/series.json`: how a product changed, as columns. Items of the same position belong together.
 * A step holds until the next one. There is a retrieval for each attempt, and none for a publication without one.
 */
export const productSeries = z
  .strictObject({
    product: z.strictObject(productIdentity),
    warnings,
    currency,
    retention_days: count,
    retrievals: z
      .strictObject({
        publication: publications,
        attempted_at: times,
        succeeded: z.array(z.boolean()),
        reported_positive_store_count: z.array(count.nullable()),
        reported_quantity: z.array(count.nullable()),
      })
      .meta({ id: 'RetrievalSeries' }),
    prices: z
      .strictObject({ publication: publications, at: times, price_minor: z.array(minorAmount.nullable()) })
      .meta({ id: 'PriceSeries' }),
    statuses: z
      .strictObject({
        publication: publications,
        at: times,
        code: z.array(z.string()),
        label: z.array(z.string()),
        lifecycle: z.array(lifecycle),
      })
      .meta({ id: 'StatusSeries' }),
    presence: z
      .strictObject({ publication: publications, at: times, catalog_presence: z.array(catalogPresence) })
      .meta({ id: 'PresenceSeries' }),
  })
  .meta({ id: 'ProductSeries' });

export type ProductSeries = z.infer<typeof productSeries>;
