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
  ofProduct('integer', count, meaning, (row) => of(row.availability_summary), 'stores');

const volumeOf = (meaning: string, of: (size: PackageSize) => number | null, unit = 'mL') =>
  ofProduct('integer', z.int().min(1).nullable(), meaning, (row) => of(row.package_size), unit);

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
  ofProduct('date-time', dateTime.nullable(), meaning, of);

/** The columns of the products export, of `data` in `/v1/products/{id}`. */
export const productColumns = {
  id: ofProduct('uuid', uuid, 'Stable product id', (row) => row.id),
  agency_sku: ofProduct(
    'string',
    sku,
    codeMeaning('sku', "The agency's six-digit code, leading zeros kept", "The agency's code"),
    (row) => row.source_ids.agency_sku,
  ),
  name: ofProduct('string', text, 'Display title without its resolved brand', (row) => row.name),
  brand: ofProduct('string', text.nullable(), 'Name of the reviewed brand', (row) => row.brand),
  brand_id: ofProduct('uuid', uuid.nullable(), 'Id of the reviewed brand', (row) => row.brand_id),
  family_id: ofProduct('uuid', uuid.nullable(), 'Id of the public product family', (row) => row.family_id),
  category_ids: ofProduct(
    'array of string',
    z.array(categoryId),
    'Categories the product is filed under',
    (row) => row.category_ids,
  ),
  former_skus: ofProduct('array of string', z.array(sku), 'Codes the product had before', (row) => row.former_skus),
  package_milliliters: volumeOf('Legacy size; ambiguous for multipacks', (row) => row.milliliters),
  package_container_count: volumeOf('Containers in the package', (row) => row.container_count, 'containers'),
  package_unit_milliliters: volumeOf('Volume of one container', (row) => row.unit_milliliters),
  package_total_milliliters: volumeOf('Volume of the whole package', (row) => row.total_milliliters),
  package_display: ofProduct('string', z.string().nullable(), 'Human-readable size', (row) => row.package_size.display),
  package_interpretation: ofProduct(
    'string',
    packageInterpretation,
    'How the size was read',
    (row) => row.package_size.interpretation,
  ),
  package_basis: ofProduct('string', packageBasis, 'What the reading rests on', (row) => row.package_size.basis),
  package_normalization_state: ofProduct(
    'string',
    normalizationState,
    'Whether the size is established',
    (row) => row.package_size.normalization_state,
  ),
  price_amount_minor: ofProduct(
    'integer',
    minorAmount.nullable(),
    'Observed price',
    (row) => row.price?.amount_minor ?? null,
    minorUnit,
  ),
  price_currency: ofProduct(
    'string',
    currency.nullable(),
    'Currency of the price',
    (row) => row.price?.currency ?? null,
  ),
  price_display: ofProduct('string', text.nullable(), 'The price as text', (row) => row.price?.display ?? null),
  price_source: ofProduct(
    'string',
    moneyObservation.shape.source.nullable(),
    'Where the price was seen',
    (row) => row.price?.source ?? null,
  ),
  price_source_updated_at: productTime(
    'When the source says it updated the price',
    (row) => row.price?.times.source_updated_at ?? null,
  ),
  price_retrieved_at: productTime('When the price was retrieved', (row) => row.price?.times.retrieved_at ?? null),
  price_published_at: productTime('When that retrieval was published', (row) => row.price?.times.published_at ?? null),
  status_code: ofProduct('string', z.string(), 'Source status code', (row) => row.status.code),
  status_label: ofProduct('string', z.string(), 'Source status label', (row) => row.status.label),
  status_source_raw: ofProduct('string', z.string(), 'Raw source value of the status', (row) => row.status.source_raw),
  lifecycle: ofProduct('string', lifecycle, 'Lifecycle the status stands for', (row) => row.status.lifecycle),
  catalog_presence: ofProduct(
    'string',
    catalogPresence,
    'Whether the catalog in force lists the product',
    (row) => row.catalog_presence,
  ),
  inventory_retrieved_at: productTime('Last successful inventory retrieval', (row) => row.inventory_retrieved_at),
  scope_store_count: storesOf('Stores in scope', (row) => row.scope_store_count),
  reported_positive_store_count: storesOf(
    'Stores in scope reported to have the product',
    (row) => row.reported_positive_store_count,
  ),
  eligible_positive_store_count: storesOf(
    'Of these, where it is classified for ordinary consumer purchase',
    (row) => row.eligible_positive_store_count,
  ),
  reported_zero_store_count: storesOf('Stores in scope with an explicit zero', (row) => row.reported_zero_store_count),
  row_absent_store_count: storesOf(
    'Stores in scope that were checked and had no row',
    (row) => row.row_absent_store_count,
  ),
  unchecked_store_count: storesOf('Stores in scope that were never checked', (row) => row.unchecked_store_count),
  inventory_retrieved_at_min: productTime(
    'Oldest retrieval of a pair in scope',
    (row) => row.availability_summary.retrieved_at_min,
  ),
  inventory_retrieved_at_max: productTime(
    'Newest retrieval of a pair in scope',
    (row) => row.availability_summary.retrieved_at_max,
  ),
  retrieval_policy_id: ofProduct(
    'string',
    text,
    'Retrieval-age policy in force',
    (row) => row.availability_summary.retrieval_policy_id,
  ),
  meets_retrieval_policy: ofProduct(
    'boolean',
    z.boolean(),
    'Whether the last successful retrieval is within the policy',
    (row) => row.availability_summary.meets_retrieval_policy,
  ),
  upstream_age_known: ofProduct(
    'boolean',
    z.literal(false),
    'Always false: the source does not date its quantities',
    (row) => row.availability_summary.upstream_age_known,
  ),
  last_refresh_attempted_at: productTime(
    'Last attempt to retrieve the inventory',
    (row) => row.availability_summary.last_refresh_attempt?.attempted_at ?? null,
  ),
  last_refresh_status: ofProduct(
    'string',
    lastRefreshAttempt.shape.status.nullable(),
    'How that attempt ended',
    (row) => row.availability_summary.last_refresh_attempt?.status ?? null,
  ),
  reported_quantity: {
    ...ofProduct(
      'integer',
      count.nullable(),
      'Quantity reported of the whole state; null: unchecked so far',
      (row) => row.availability_summary.reported_quantity ?? null,
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
  ofStore('string', z.string().nullable(), meaning, of);

const addressText = (meaning: string, of: (store: StoreDetail) => string | null) =>
  ofStore(
    ({ country: here }) => (here === usualProfile.country ? 'string' : 'string or null'),
    z.string().nullable(),
    meaning,
    of,
  );

/** The columns of the stores export, of `data` in `/v1/stores/{id}`. */
export const storeColumns = {
  id: ofStore('uuid', uuid, 'Stable store id', (row) => row.id),
  inventory_store_code: ofStore(
    'string',
    storeCode.nullable(),
    codeMeaning('store_code', 'Four-digit code in the inventory source', 'Code in the inventory source'),
    (row) => row.source_ids.inventory_store_code,
  ),
  directory_id: optionalText('Id in the store directory', (row) => row.source_ids.directory_id),
  name: ofStore('string', text, 'Store name', (row) => row.name),
  address_line1: storeText('Street address', (row) => row.address.line1),
  address_line2: optionalText('Second address line', (row) => row.address.line2),
  city: storeText('City', (row) => row.address.city),
  region: addressText('State', (row) => row.address.region),
  postal_code: addressText('Postal code', (row) => row.address.postal_code),
  country: ofStore('string', country, 'Country', (row) => row.address.country),
  phone: optionalText('Phone, E.164 when verified', (row) => row.phone),
  telephone_uri: optionalText('tel: URI of a verified phone', (row) => row.contact_links.telephone_uri),
  geo_uri: optionalText('geo: URI of the published coordinates', (row) => row.contact_links.geo_uri),
  latitude: ofStore(
    'number',
    geoPoint.shape.latitude.nullable(),
    'WGS84 latitude',
    (row) => row.location?.latitude ?? null,
    'degrees',
  ),
  longitude: ofStore(
    'number',
    geoPoint.shape.longitude.nullable(),
    'WGS84 longitude',
    (row) => row.location?.longitude ?? null,
    'degrees',
  ),
  access_type: ofStore('string', accessType, 'Who may buy there', (row) => row.access_type),
  operational_state: ofStore(
    'string',
    operationalState,
    'Whether the store is open',
    (row) => row.operational_status.state,
  ),
  operational_note: optionalText('Note on the state', (row) => row.operational_status.note),
  operational_source: ofStore(
    'string',
    operationalStatus.shape.source,
    'Who established the state',
    (row) => row.operational_status.source,
  ),
  services: ofStore('array of string', z.array(storeService), 'Services of the store', (row) => row.services),
  regular_hours_available: ofStore(
    'boolean',
    z.boolean(),
    'Whether regular hours are known',
    (row) => row.regular_hours_available,
  ),
  regular_hours: optionalText('Regular hours', (row) => row.regular_hours),
  directory_presence_state: ofStore(
    'string',
    presenceState.nullable(),
    'Presence in the store directory',
    (row) => row.directory_presence?.state ?? null,
  ),
  directory_last_seen_at: ofStore(
    'date-time',
    dateTime.nullable(),
    'Last directory retrieval that had the store',
    (row) => row.directory_presence?.last_seen_at ?? null,
  ),
  details_source_updated_at: ofStore(
    'date-time',
    dateTime.nullable(),
    'When the source says it updated the details',
    (row) => row.details_times.source_updated_at,
  ),
  details_retrieved_at: ofStore(
    'date-time',
    dateTime,
    'When the directory with these details was retrieved',
    (row) => row.details_times.retrieved_at,
  ),
  details_published_at: ofStore(
    'date-time',
    dateTime,
    'When that retrieval was published',
    (row) => row.details_times.published_at,
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
  product_id: ofPair('uuid', uuid, 'Product of the pair', (row) => row.product.id),
  agency_sku: ofPair('string', sku, "The product's current code", (row) => row.product.sku),
  store_id: ofPair('uuid', uuid, 'Store of the pair', (row) => row.store_id),
  inventory_store_code: ofPair(
    'string',
    storeCode.nullable(),
    "The store's inventory code",
    (row) => row.inventory_store_code,
  ),
  state: ofPair('string', observedState, 'What the last successful retrieval reported', (row) => row.state),
  reported_quantity: ofPair(
    'integer',
    count.nullable(),
    'Reported quantity; null where no row was reported',
    (row) => row.reported_quantity,
    'packages',
  ),
  purchase_eligibility: ofPair(
    'string',
    purchaseEligibility.nullable(),
    'Classification of a positive report',
    (row) => row.purchase_eligibility,
  ),
  retrieved_at: ofPair('date-time', dateTime, 'When the pair was retrieved', (row) => row.retrieved_at),
  meets_retrieval_policy: ofPair(
    'boolean',
    z.boolean(),
    'Whether that is within the policy at publication',
    (row) => row.meets_retrieval_policy,
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
