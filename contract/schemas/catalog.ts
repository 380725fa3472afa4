import * as z from 'zod';
import { type FactType, forFacts, type ProductFact, type TypeOfFact } from '../product-facts.ts';
import { searchKinds } from '../vocabulary.ts';
import {
  address,
  availabilitySummary,
  categoryId,
  component,
  count,
  currency,
  dateTime,
  documentSchema,
  extra,
  freshness,
  minorAmount,
  moneyObservation,
  pairState,
  priceRange,
  purchaseEligibility,
  sku,
  slug,
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

const productStatus = component('ProductStatus', {
  code: z.string(),
  label: z.string(),
  lifecycle,
  source_raw: z.string(),
});

export const catalogPresence = z.enum(['listed', 'absent']);
export type CatalogPresence = z.infer<typeof catalogPresence>;

const productIdentity = {
  id: uuid,
  source_ids: z.strictObject({ agency_sku: sku }),
  name: text,
  brand: text.nullable(),
};

export const namedProduct = z.strictObject(productIdentity);

/** In `requested_products` of a comparison. */
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

/** Facts that some agencies report. A site has those that its profile names; null where the agency gives none. */
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

/** Former SKUs that several products had. Tells an ambiguous SKU from an unknown one. */
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

export const productAvailability = component('ProductAvailability', {
  product: namedProduct,
  summary: availabilitySummary,
  stores: z.array(storeAvailability),
});
export type ProductAvailability = z.infer<typeof productAvailability>;

const familyMember = component('FamilyMember', {
  ...productIdentity,
  relationship_type: z.string().nullable(),
  vintage_year: z.int().nullable(),
  age_statement: z.string().nullable(),
  package_size: reducedPackageSize,
  price: moneyObservation.nullable(),
  status: productStatus,
  inventory_retrieved_at: dateTime.nullable(),
  availability_summary: availabilitySummary,
});
export type FamilyMember = z.infer<typeof familyMember>;

/** Ascending. */
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
 * How a product changed, as columns: what `site.product.series` resolves with.
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

export const category = component('Category', {
  id: categoryId,
  parent_id: categoryId.nullable(),
  name: text,
  active: z.boolean(),
  product_count: count,
  total_product_count: count,
});
export type Category = z.infer<typeof category>;

/** Flat. */
export const categoryDocument = documentSchema(z.array(category));

export const brand = component('Brand', {
  id: uuid,
  slug,
  name: text,
  product_count: count,
  family_count: count,
  category_ids: z.array(categoryId),
  inventory_retrieved_at: dateTime.nullable(),
});

/**
 * A brand in the list of brands.
 *
 * @example
 * ```ts
 * import type { Brand } from 'shelfpress/client';
 *
 * const rows: Brand[] = await site.brands({ q: 'wren' }).take(10);
 * console.log(rows.map(({ name, product_count }) => `${name}: ${product_count} products`));
 * ```
 */
export type Brand = z.infer<typeof brand>;

export const brandDetail = component('BrandDetail', {
  ...brand.shape,
  aliases: z.array(z.string()),
  families: z.array(z.strictObject({ id: uuid, slug, name: text, member_count: count })),
});
export type BrandDetail = z.infer<typeof brandDetail>;

/**
 * The rows of `/brands` in their order, each with its folded name, slug and aliases. Filters of brands search these
 * names.
 */
export const brandIndex = component('BrandIndex', {
  warnings,
  brands: z.array(z.strictObject({ brand, names: z.array(z.string()) })),
});
export type BrandIndex = z.infer<typeof brandIndex>;

const familyIdentity = {
  id: uuid,
  slug,
  name: text,
  brand: text,
  brand_id: uuid,
  member_count: count,
  category_ids: z.array(categoryId),
  price_range: priceRange.nullable(),
};

export const familyRow = component('ProductFamilyRow', familyIdentity);

/**
 * A product family in the list of families.
 *
 * @example
 * ```ts
 * import type { FamilyRow } from 'shelfpress/client';
 *
 * const rows: FamilyRow[] = await site.families().take(10);
 * console.log(rows.map(({ name, member_count }) => `${name}: ${member_count}`));
 * ```
 */
export type FamilyRow = z.infer<typeof familyRow>;

export const observedHistorySemantics =
  'current_family_members_published_observations_not_inferred_sales_or_continuous_history';

const observedHistory = component('ObservedHistory', {
  tracking_started_at: dateTime,
  earliest_observed_at: dateTime,
  latest_observed_at: dateTime,
  last_price_change_at: dateTime.nullable(),
  last_inventory_change_at: dateTime.nullable(),
  last_reported_positive_at: dateTime.nullable(),
  retained_change_count: count,
  recent_change_count_30d: count,
  member_count: count,
  members_reporting_stock: count,
  positive_store_product_pairs: count,
  retention_days: count,
  observed_price: priceRange.nullable(),
  semantics: z.literal(observedHistorySemantics),
});
export type ObservedHistory = z.infer<typeof observedHistory>;

const family = component('ProductFamily', {
  ...familyIdentity,
  inventory_retrieved_at: dateTime.nullable(),
  observed_history: observedHistory,
  members: z.array(familyMember).min(1),
});

export const familyDocument = z.strictObject({ data: family, meta: z.strictObject({ warnings, freshness }) });

/**
 * A product family with every current member, from `site.family.byId`.
 *
 * @example
 * ```ts
 * import type { FamilyDocument } from 'shelfpress/client';
 *
 * const [row] = await site.families().take(1);
 * if (row) {
 *   const { data }: FamilyDocument = await site.family.byId(row.id);
 *   console.log(data.observed_history.last_price_change_at);
 * }
 * ```
 */
export type FamilyDocument = z.infer<typeof familyDocument>;

export const searchKind = z.enum(searchKinds);

const found = { id: uuid, name: text, brand: text.nullable(), path: address };

const searchHit = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('product'), ...found, agency_sku: sku }),
  z.strictObject({ kind: z.enum(['product_family', 'brand', 'store']), ...found }),
]);

/**
 * A hit of a search. A hit that is a product also has its SKU.
 *
 * @example
 * ```ts
 * import type { SearchHit } from 'shelfpress/client';
 *
 * const show = (hit: SearchHit) => console.log(hit.kind === 'product' ? hit.agency_sku : hit.kind, hit.name);
 * (await site.search({ q: 'rye' })).data.forEach(show);
 * ```
 */
export type SearchHit = z.infer<typeof searchHit>;

export const searchResult = z.strictObject({
  data: z.array(searchHit).max(100),
  meta: z.strictObject({ total: count, warnings }),
});

/**
 * The answer to a search: the best hits, and in `meta.total` how many there are.
 *
 * @example
 * ```ts
 * import type { SearchResult } from 'shelfpress/client';
 *
 * const { data, meta }: SearchResult = await site.search({ q: 'rye', limit: 2 });
 * console.log(data.length, 'of', meta.total);
 * ```
 */
export type SearchResult = z.infer<typeof searchResult>;

/**
 * Everything that `/search` can find, for tools and for the shim. It has one entry per hit, in the order product,
 * family, brand, store, and by name within each kind. `terms` are the folded words that find an entry, separated by
 * single spaces. The count is null for anything but a product that was retrieved in stores.
 */
export const searchIndex = component('SearchIndex', {
  publication_revision: uuid,
  warnings,
  entries: z.array(
    z.strictObject({ hit: searchHit, terms: z.string(), reported_positive_store_count: count.nullable() }),
  ),
});
export type SearchIndex = z.infer<typeof searchIndex>;

const { milliliters, container_count } = packageSize.shape;

/** In a table of the document, counted from 0. */
const position = count;

/**
 * `/products/browse.json`: the listed products in the order of `/products`, with a column for each field. Item n of
 * every column belongs to the same product. `brand`, `category` and `status` are positions in the tables. Columns from
 * retrievals cover the stores in scope, like an availability summary; they are null for a product that was never
 * retrieved.
 */
export const browseIndex = component('BrowseIndex', {
  publication_revision: uuid,
  warnings,
  currency,
  count,
  brands: z.array(z.strictObject({ slug, name: text })),
  categories: z.array(categoryId),
  statuses: z.array(productStatus.omit({ source_raw: true })),
  columns: component('BrowseColumns', {
    sku: z.array(sku),
    name: z.array(text),
    brand: z.array(position.nullable()),
    category: z.array(position.nullable()),
    in_family: z.array(z.boolean()),
    price_minor: z.array(minorAmount.nullable()),
    milliliters: z.array(milliliters),
    container_count: z.array(container_count),
    /** Of the whole package; null where it is not established. */
    total_milliliters: z.array(milliliters),
    status: z.array(position),
    reported_positive_store_count: z.array(count.nullable()),
    checked_store_count: z.array(count.nullable()),
    reported_quantity: z.array(count.nullable()),
    inventory_retrieved_on: z.array(z.iso.date().nullable()),
    meets_retrieval_policy: z.array(z.boolean()),
  }),
});

/**
 * `/products/absent.json`: the products that left the catalog, by name, with their last known values. Item n of every
 * column belongs to the same product. `last_listed_at`: when the last catalog that listed it was retrieved.
 */
export const absentIndex = component('AbsentIndex', {
  publication_revision: uuid,
  warnings,
  currency,
  count,
  columns: component('AbsentColumns', {
    sku: z.array(sku),
    name: z.array(text),
    brand: z.array(text.nullable()),
    milliliters: z.array(milliliters),
    container_count: z.array(container_count),
    price_minor: z.array(minorAmount.nullable()),
    last_listed_at: z.array(dateTime),
  }),
});

/**
 * The products that left the catalog: what `site.absentProducts` resolves with.
 *
 * @example
 * ```ts
 * import type { AbsentIndex } from 'shelfpress/client';
 *
 * const { count, columns }: AbsentIndex = await site.absentProducts();
 * console.log(count, columns.name[0], columns.last_listed_at[0]);
 * ```
 */
export type AbsentIndex = z.infer<typeof absentIndex>;

/**
 * The listed products as columns: what `site.browse` resolves with.
 *
 * @example
 * ```ts
 * import type { BrowseIndex } from 'shelfpress/client';
 *
 * const { count, columns, statuses }: BrowseIndex = await site.browse();
 * console.log(count, columns.name[0], statuses[columns.status[0] ?? 0]?.label);
 * ```
 */
export type BrowseIndex = z.infer<typeof browseIndex>;
