import * as z from 'zod';
import {
  catalogPresence,
  facts,
  lifecycle,
  normalizationState,
  type PackageSize,
  type ProductDetail,
  packageBasis,
  packageInterpretation,
  type StoreAvailability,
} from '../documents/catalog.ts';
import { about } from '../documents/metadata.ts';
import {
  accessType,
  geoPoint,
  operationalState,
  operationalStatus,
  presenceState,
  type StoreDetail,
  storeService,
} from '../documents/store.ts';
import {
  type AvailabilitySummary,
  categoryId,
  count,
  country,
  currency,
  dateTime,
  lastRefreshAttempt,
  minorAmount,
  moneyObservation,
  observedState,
  purchaseEligibility,
  sku,
  storeCode,
  text,
  uuid,
  warnings,
} from '../primitives.ts';
import { codeMeaning, minorUnit, type ProductFact, type Profile, usualProfile } from '../profile.ts';
import {
  type Column,
  type Columns,
  columnOf,
  columnsIn,
  describe,
  type ExportFields,
  exportFieldDescription,
  exportSchemaVersion,
  recordMaker,
  recordOf,
  type Said,
} from './table.ts';

export const exportResource = z.enum(['products', 'stores', 'inventory']);
export type ExportResource = z.infer<typeof exportResource>;

const ofProduct = columnOf<ProductDetail>();

const storesOf = (meaning: string, of: (summary: AvailabilitySummary) => number) =>
  ofProduct('integer', count, meaning, ({ availability_summary }) => of(availability_summary), 'stores');

const volumeOf = (meaning: string, of: (size: PackageSize) => number | null, unit = 'mL') =>
  ofProduct('integer or null', z.int().min(1).nullable(), meaning, ({ package_size }) => of(package_size), unit);

/** A column of a fact that some agencies report. */
const factOf = (fact: ProductFact, type: string, meaning: string, unit: Said | null = null): Column<ProductDetail> => ({
  type: `${type} or null`,
  unit,
  meaning,
  schema: facts.shape[fact].unwrap(),
  of: (product) => product.facts?.[fact] ?? null,
  when: ({ product_facts }) => product_facts.includes(fact),
});

const productTime = (meaning: string, of: (product: ProductDetail) => string | null) =>
  ofProduct('date-time or null', dateTime.nullable(), meaning, of);

/** The columns of the products export, of `data` in `/v1/products/{id}`. */
export const productColumns = {
  id: ofProduct('uuid', uuid, 'Stable product id', ({ id }) => id),
  agency_sku: ofProduct(
    'string',
    sku,
    codeMeaning('sku', "The agency's six-digit code, leading zeros kept", "The agency's code"),
    ({ source_ids }) => source_ids.agency_sku,
  ),
  name: ofProduct('string', text, 'Display title without its resolved brand', ({ name }) => name),
  brand: ofProduct('string or null', text.nullable(), 'Name of the reviewed brand', ({ brand }) => brand),
  brand_id: ofProduct('uuid or null', uuid.nullable(), 'Id of the reviewed brand', ({ brand_id }) => brand_id),
  family_id: ofProduct(
    'uuid or null',
    uuid.nullable(),
    'Id of the public product family',
    ({ family_id }) => family_id,
  ),
  category_ids: ofProduct(
    'array of string',
    z.array(categoryId),
    'Categories the product is filed under',
    ({ category_ids }) => category_ids,
  ),
  former_skus: ofProduct(
    'array of string',
    z.array(sku),
    'Codes the product had before',
    ({ former_skus }) => former_skus,
  ),
  package_milliliters: volumeOf('Legacy size; ambiguous for multipacks', ({ milliliters }) => milliliters),
  package_container_count: volumeOf(
    'Containers in the package',
    ({ container_count }) => container_count,
    'containers',
  ),
  package_unit_milliliters: volumeOf('Volume of one container', ({ unit_milliliters }) => unit_milliliters),
  package_total_milliliters: volumeOf('Volume of the whole package', ({ total_milliliters }) => total_milliliters),
  package_display: ofProduct(
    'string or null',
    z.string().nullable(),
    'Human-readable size',
    ({ package_size }) => package_size.display,
  ),
  package_interpretation: ofProduct(
    'string',
    packageInterpretation,
    'How the size was read',
    ({ package_size }) => package_size.interpretation,
  ),
  package_basis: ofProduct(
    'string',
    packageBasis,
    'What the reading rests on',
    ({ package_size }) => package_size.basis,
  ),
  package_normalization_state: ofProduct(
    'string',
    normalizationState,
    'Whether the size is established',
    ({ package_size }) => package_size.normalization_state,
  ),
  price_amount_minor: ofProduct(
    'integer or null',
    minorAmount.nullable(),
    'Observed price',
    ({ price }) => price?.amount_minor ?? null,
    minorUnit,
  ),
  price_currency: ofProduct(
    'string or null',
    currency.nullable(),
    'Currency of the price',
    ({ price }) => price?.currency ?? null,
  ),
  price_display: ofProduct(
    'string or null',
    text.nullable(),
    'The price as text',
    ({ price }) => price?.display ?? null,
  ),
  price_source: ofProduct(
    'string or null',
    moneyObservation.shape.source.nullable(),
    'Where the price was seen',
    ({ price }) => price?.source ?? null,
  ),
  price_source_updated_at: productTime(
    'When the source says it updated the price',
    ({ price }) => price?.times.source_updated_at ?? null,
  ),
  price_retrieved_at: productTime('When the price was retrieved', ({ price }) => price?.times.retrieved_at ?? null),
  price_published_at: productTime(
    'When that retrieval was published',
    ({ price }) => price?.times.published_at ?? null,
  ),
  status_code: ofProduct('string', z.string(), 'Source status code', ({ status }) => status.code),
  status_label: ofProduct('string', z.string(), 'Source status label', ({ status }) => status.label),
  status_source_raw: ofProduct(
    'string',
    z.string(),
    'Raw source value of the status',
    ({ status }) => status.source_raw,
  ),
  lifecycle: ofProduct('string', lifecycle, 'Lifecycle the status stands for', ({ status }) => status.lifecycle),
  catalog_presence: ofProduct(
    'string',
    catalogPresence,
    'Whether the catalog in force lists the product',
    ({ catalog_presence }) => catalog_presence,
  ),
  inventory_retrieved_at: productTime(
    'Last successful inventory retrieval',
    ({ inventory_retrieved_at }) => inventory_retrieved_at,
  ),
  scope_store_count: storesOf('Stores in scope', ({ scope_store_count }) => scope_store_count),
  reported_positive_store_count: storesOf(
    'Stores in scope reported to have the product',
    ({ reported_positive_store_count }) => reported_positive_store_count,
  ),
  eligible_positive_store_count: storesOf(
    'Of these, where it is classified for ordinary consumer purchase',
    ({ eligible_positive_store_count }) => eligible_positive_store_count,
  ),
  reported_zero_store_count: storesOf(
    'Stores in scope with an explicit zero',
    ({ reported_zero_store_count }) => reported_zero_store_count,
  ),
  row_absent_store_count: storesOf(
    'Stores in scope that were checked and had no row',
    ({ row_absent_store_count }) => row_absent_store_count,
  ),
  unchecked_store_count: storesOf(
    'Stores in scope that were never checked',
    ({ unchecked_store_count }) => unchecked_store_count,
  ),
  inventory_retrieved_at_min: productTime(
    'Oldest retrieval of a pair in scope',
    ({ availability_summary }) => availability_summary.retrieved_at_min,
  ),
  inventory_retrieved_at_max: productTime(
    'Newest retrieval of a pair in scope',
    ({ availability_summary }) => availability_summary.retrieved_at_max,
  ),
  retrieval_policy_id: ofProduct(
    'string',
    text,
    'Retrieval-age policy in force',
    ({ availability_summary }) => availability_summary.retrieval_policy_id,
  ),
  meets_retrieval_policy: ofProduct(
    'boolean',
    z.boolean(),
    'Whether the last successful retrieval is within the policy',
    ({ availability_summary }) => availability_summary.meets_retrieval_policy,
  ),
  upstream_age_known: ofProduct(
    'boolean',
    z.literal(false),
    'Always false: the source does not date its quantities',
    ({ availability_summary }) => availability_summary.upstream_age_known,
  ),
  last_refresh_attempted_at: productTime(
    'Last attempt to retrieve the inventory',
    ({ availability_summary }) => availability_summary.last_refresh_attempt?.attempted_at ?? null,
  ),
  last_refresh_status: ofProduct(
    'string or null',
    lastRefreshAttempt.shape.status.nullable(),
    'How that attempt ended',
    ({ availability_summary }) => availability_summary.last_refresh_attempt?.status ?? null,
  ),
  reported_quantity: {
    ...ofProduct(
      'integer or null',
      count.nullable(),
      'Quantity reported of the whole state; null: unchecked so far',
      ({ availability_summary }) => availability_summary.reported_quantity ?? null,
      'packages',
    ),
    when: ({ inventory }: Profile) => inventory === 'statewide',
  },
  promotion_price_minor: factOf('promotion_price_minor', 'integer', 'Promotional price', minorUnit),
  promotion_ends_at: factOf('promotion_ends_at', 'date-time', 'When the promotion ends'),
  deposit_minor: factOf('deposit_minor', 'integer', 'Deposit on the containers', minorUnit),
  alcohol_by_volume: factOf('alcohol_by_volume', 'number', 'Alcohol by volume', 'percent'),
  producer: factOf('producer', 'string', 'Producer'),
  country_of_origin: factOf('country_of_origin', 'string', 'Country of origin, as the agency writes it'),
  vintage: factOf('vintage', 'integer', 'Vintage, as the agency says'),
  gtin: factOf('gtin', 'string', 'Global Trade Item Number'),
};

const ofStore = columnOf<StoreDetail>();

const storeText = (meaning: string, of: (store: StoreDetail) => string) => ofStore('string', z.string(), meaning, of);

const optionalText = (meaning: string, of: (store: StoreDetail) => string | null) =>
  ofStore('string or null', z.string().nullable(), meaning, of);

const addressText = (meaning: string, of: (store: StoreDetail) => string | null) =>
  ofStore(
    ({ country: here }) => (here === usualProfile.country ? 'string' : 'string or null'),
    z.string().nullable(),
    meaning,
    of,
  );

/** The columns of the stores export, of `data` in `/v1/stores/{id}`. */
export const storeColumns = {
  id: ofStore('uuid', uuid, 'Stable store id', ({ id }) => id),
  inventory_store_code: ofStore(
    'string or null',
    storeCode.nullable(),
    codeMeaning('store_code', 'Four-digit code in the inventory source', 'Code in the inventory source'),
    ({ source_ids }) => source_ids.inventory_store_code,
  ),
  directory_id: optionalText('Id in the store directory', ({ source_ids }) => source_ids.directory_id),
  name: ofStore('string', text, 'Store name', ({ name }) => name),
  address_line1: storeText('Street address', ({ address }) => address.line1),
  address_line2: optionalText('Second address line', ({ address }) => address.line2),
  city: storeText('City', ({ address }) => address.city),
  region: addressText('State', ({ address }) => address.region),
  postal_code: addressText('Postal code', ({ address }) => address.postal_code),
  country: ofStore('string', country, 'Country', ({ address }) => address.country),
  phone: optionalText('Phone, E.164 when verified', ({ phone }) => phone),
  telephone_uri: optionalText('tel: URI of a verified phone', ({ contact_links }) => contact_links.telephone_uri),
  geo_uri: optionalText('geo: URI of the published coordinates', ({ contact_links }) => contact_links.geo_uri),
  latitude: ofStore(
    'number or null',
    geoPoint.shape.latitude.nullable(),
    'WGS84 latitude',
    ({ location }) => location?.latitude ?? null,
    'degrees',
  ),
  longitude: ofStore(
    'number or null',
    geoPoint.shape.longitude.nullable(),
    'WGS84 longitude',
    ({ location }) => location?.longitude ?? null,
    'degrees',
  ),
  access_type: ofStore('string', accessType, 'Who may buy there', ({ access_type }) => access_type),
  operational_state: ofStore(
    'string',
    operationalState,
    'Whether the store is open',
    ({ operational_status }) => operational_status.state,
  ),
  operational_note: optionalText('Note on the state', ({ operational_status }) => operational_status.note),
  operational_source: ofStore(
    'string',
    operationalStatus.shape.source,
    'Who established the state',
    ({ operational_status }) => operational_status.source,
  ),
  services: ofStore('array of string', z.array(storeService), 'Services of the store', ({ services }) => services),
  regular_hours_available: ofStore(
    'boolean',
    z.boolean(),
    'Whether regular hours are known',
    ({ regular_hours_available }) => regular_hours_available,
  ),
  regular_hours: optionalText('Regular hours', ({ regular_hours }) => regular_hours),
  directory_presence_state: ofStore(
    'string or null',
    presenceState.nullable(),
    'Presence in the store directory',
    ({ directory_presence }) => directory_presence?.state ?? null,
  ),
  directory_last_seen_at: ofStore(
    'date-time or null',
    dateTime.nullable(),
    'Last directory retrieval that had the store',
    ({ directory_presence }) => directory_presence?.last_seen_at ?? null,
  ),
  details_source_updated_at: ofStore(
    'date-time or null',
    dateTime.nullable(),
    'When the source says it updated the details',
    ({ details_times }) => details_times.source_updated_at,
  ),
  details_retrieved_at: ofStore(
    'date-time',
    dateTime,
    'When the directory with these details was retrieved',
    ({ details_times }) => details_times.retrieved_at,
  ),
  details_published_at: ofStore(
    'date-time',
    dateTime,
    'When that retrieval was published',
    ({ details_times }) => details_times.published_at,
  ),
};

/** An observed pair: a row of `/v1/products/{id}/availability` whose state is not `unchecked`, with the product's ids. */
type ObservedPair = Pick<StoreAvailability, 'store_id' | 'inventory_store_code' | 'reported_quantity'> &
  Pick<StoreAvailability, 'purchase_eligibility' | 'meets_retrieval_policy'> & {
    readonly product: { readonly id: string; readonly sku: string };
    readonly state: z.infer<typeof observedState>;
    readonly retrieved_at: string;
  };

const ofPair = columnOf<ObservedPair>();

/** The columns of the inventory export. */
export const inventoryColumns = {
  product_id: ofPair('uuid', uuid, 'Product of the pair', ({ product }) => product.id),
  agency_sku: ofPair('string', sku, "The product's current code", ({ product }) => product.sku),
  store_id: ofPair('uuid', uuid, 'Store of the pair', ({ store_id }) => store_id),
  inventory_store_code: ofPair(
    'string or null',
    storeCode.nullable(),
    "The store's inventory code",
    ({ inventory_store_code }) => inventory_store_code,
  ),
  state: ofPair('string', observedState, 'What the last successful retrieval reported', ({ state }) => state),
  reported_quantity: ofPair(
    'integer or null',
    count.nullable(),
    'Reported quantity; null where no row was reported',
    ({ reported_quantity }) => reported_quantity,
    'packages',
  ),
  purchase_eligibility: ofPair(
    'string or null',
    purchaseEligibility.nullable(),
    'Classification of a positive report',
    ({ purchase_eligibility }) => purchase_eligibility,
  ),
  retrieved_at: ofPair('date-time', dateTime, 'When the pair was retrieved', ({ retrieved_at }) => retrieved_at),
  meets_retrieval_policy: ofPair(
    'boolean',
    z.boolean(),
    'Whether that is within the policy at publication',
    ({ meets_retrieval_policy }) => meets_retrieval_policy,
  ),
};

/** The `record_type` of each export's data records. */
export const recordTypes = { products: 'product', stores: 'store', inventory: 'inventory' } as const;

/** A function that makes the data records of an export. */
export function exportRecordMaker(
  resource: ExportResource,
  profile: Profile,
): (source: never) => Record<string, unknown> {
  return recordMaker(recordTypes[resource], columnsIn(profile, exportColumns[resource] as Columns));
}

/** What the records of each export are made of, and its columns. */
export type ExportSources = {
  readonly products: ProductDetail;
  readonly stores: StoreDetail;
  readonly inventory: ObservedPair;
};

const exportColumns: { readonly [Name in ExportResource]: Columns<ExportSources[Name]> } = {
  products: productColumns,
  stores: storeColumns,
  inventory: inventoryColumns,
};

/** The schemas of the data records. */
export const exportRecords = {
  products: recordOf(recordTypes.products, productColumns),
  stores: recordOf(recordTypes.stores, storeColumns),
  inventory: recordOf(recordTypes.inventory, inventoryColumns),
};
export type ProductRecord = z.infer<typeof exportRecords.products>;
export type StoreRecord = z.infer<typeof exportRecords.stores>;
export type InventoryRecord = z.infer<typeof exportRecords.inventory>;

/** The first record of every export file. Its own fields are nested, so it adds one column instead of seven. */
export const exportHeader = z.strictObject({
  record_type: z.literal('header'),
  header: z.strictObject({
    resource: exportResource,
    schema_version: z.literal(exportSchemaVersion),
    publication_revision: uuid,
    published_at: dateTime,
    record_count: count,
    warnings,
    /** What the operator states of the data. Left out where that is nothing. */
    about: about.optional(),
    fields: z.array(exportFieldDescription),
  }),
});
export type ExportHeader = z.infer<typeof exportHeader>;

/** The header's `fields` of a resource, in the order of its records' keys. */
export function describeFields(resource: ExportResource, profile: Profile): ExportFields {
  return describe(exportColumns[resource], profile);
}
