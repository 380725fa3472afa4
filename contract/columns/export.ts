import * as z from 'zod';
import { type FactType, forFacts } from '../product-facts.ts';
import { codeMeaning, minorUnit, type Profile, usualProfile } from '../profile.ts';
import { about } from '../schemas/metadata.ts';
import { count, dateTime, observedState, sku, uuid, warnings } from '../schemas/primitives.ts';
import { type ProductDetail, productDetail, storePair } from '../schemas/product.ts';
import { type StoreDetail, storeDetail } from '../schemas/store.ts';
import { type ExportResource, exportResources } from '../vocabulary.ts';
import {
  type Columns,
  columnMaker,
  columnsIn,
  describe,
  type ExportFields,
  exportFieldDescription,
  exportSchemaVersion,
  type ProfiledText,
  recordMaker,
  recordSchema,
} from './table.ts';

export const exportResource = z.enum(exportResources);

const productColumn = columnMaker(productDetail);

const storeCountColumn = <const Count extends string>(name: Count, meaning: string) =>
  productColumn(`availability_summary.${name}`, meaning, 'stores');

const factUnits: Readonly<Partial<Record<FactType, ProfiledText>>> = { money: minorUnit, percent: 'percent' };

const factColumns = forFacts(({ type, meaning }, fact) => ({
  ...productColumn(`facts.${fact}`, meaning, factUnits[type] ?? null),
  when: ({ product_facts }: Profile) => product_facts.includes(fact),
}));

/** The values come from `data` in `/v1/products/{id}`. */
export const productColumns = {
  id: productColumn('id', 'Stable product id'),
  agency_sku: productColumn(
    'source_ids.agency_sku',
    codeMeaning('sku', "The agency's six-digit code, leading zeros kept", "The agency's code"),
  ),
  name: productColumn('name', 'Display title without its resolved brand'),
  brand: productColumn('brand', 'Name of the reviewed brand'),
  brand_id: productColumn('brand_id', 'Id of the reviewed brand'),
  family_id: productColumn('family_id', 'Id of the public product family'),
  category_ids: productColumn('category_ids', 'Categories the product is filed under'),
  former_skus: productColumn('former_skus', 'Codes the product had before'),
  package_milliliters: productColumn('package_size.milliliters', 'Legacy size; ambiguous for multipacks', 'mL'),
  package_container_count: productColumn('package_size.container_count', 'Containers in the package', 'containers'),
  package_unit_milliliters: productColumn('package_size.unit_milliliters', 'Volume of one container', 'mL'),
  package_total_milliliters: productColumn('package_size.total_milliliters', 'Volume of the whole package', 'mL'),
  package_display: productColumn('package_size.display', 'Human-readable size'),
  package_interpretation: productColumn('package_size.interpretation', 'How the size was read'),
  package_basis: productColumn('package_size.basis', 'What the reading rests on'),
  package_normalization_state: productColumn('package_size.normalization_state', 'Whether the size is established'),
  price_amount_minor: productColumn('price.amount_minor', 'Observed price', minorUnit),
  price_currency: productColumn('price.currency', 'Currency of the price'),
  price_display: productColumn('price.display', 'The price as text'),
  price_source: productColumn('price.source', 'Where the price was seen'),
  price_source_updated_at: productColumn('price.times.source_updated_at', 'When the source says it updated the price'),
  price_retrieved_at: productColumn('price.times.retrieved_at', 'When the price was retrieved'),
  price_published_at: productColumn('price.times.published_at', 'When that retrieval was published'),
  status_code: productColumn('status.code', 'Source status code'),
  status_label: productColumn('status.label', 'Source status label'),
  status_source_raw: productColumn('status.source_raw', 'Raw source value of the status'),
  lifecycle: productColumn('status.lifecycle', 'Lifecycle the status stands for'),
  catalog_presence: productColumn('catalog_presence', 'Whether the catalog in force lists the product'),
  inventory_retrieved_at: productColumn('inventory_retrieved_at', 'Last successful inventory retrieval'),
  scope_store_count: storeCountColumn('scope_store_count', 'Stores in scope'),
  reported_positive_store_count: storeCountColumn(
    'reported_positive_store_count',
    'Stores in scope reported to have the product',
  ),
  eligible_positive_store_count: storeCountColumn(
    'eligible_positive_store_count',
    'Of these, where it is classified for ordinary consumer purchase',
  ),
  reported_zero_store_count: storeCountColumn('reported_zero_store_count', 'Stores in scope with an explicit zero'),
  row_absent_store_count: storeCountColumn(
    'row_absent_store_count',
    'Stores in scope that were checked and had no row',
  ),
  unchecked_store_count: storeCountColumn('unchecked_store_count', 'Stores in scope that were never checked'),
  inventory_retrieved_at_min: productColumn(
    'availability_summary.retrieved_at_min',
    'Oldest retrieval of a pair in scope',
  ),
  inventory_retrieved_at_max: productColumn(
    'availability_summary.retrieved_at_max',
    'Newest retrieval of a pair in scope',
  ),
  retrieval_policy_id: productColumn('availability_summary.retrieval_policy_id', 'Retrieval-age policy in force'),
  meets_retrieval_policy: productColumn(
    'availability_summary.meets_retrieval_policy',
    'Whether the last successful retrieval is within the policy',
  ),
  upstream_age_known: productColumn(
    'availability_summary.upstream_age_known',
    'Always false: the source does not date its quantities',
  ),
  last_refresh_attempted_at: productColumn(
    'availability_summary.last_refresh_attempt.attempted_at',
    'Last attempt to retrieve the inventory',
  ),
  last_refresh_status: productColumn('availability_summary.last_refresh_attempt.status', 'How that attempt ended'),
  reported_quantity: {
    ...productColumn(
      'availability_summary.reported_quantity',
      'Quantity reported of the whole state; null: unchecked so far',
      'packages',
    ),
    when: ({ inventory }: Profile) => inventory === 'statewide',
  },
  ...factColumns,
};

const storeColumn = columnMaker(storeDetail);

const addressType = ({ country }: Profile) => (country === usualProfile.country ? 'string' : 'string or null');

/** The values come from `data` in `/v1/stores/{id}`. */
export const storeColumns = {
  id: storeColumn('id', 'Stable store id'),
  inventory_store_code: storeColumn(
    'source_ids.inventory_store_code',
    codeMeaning('store_code', 'Four-digit code in the inventory source', 'Code in the inventory source'),
  ),
  directory_id: storeColumn('source_ids.directory_id', 'Id in the store directory'),
  name: storeColumn('name', 'Store name'),
  address_line1: storeColumn('address.line1', 'Street address'),
  address_line2: storeColumn('address.line2', 'Second address line'),
  city: storeColumn('address.city', 'City'),
  region: { ...storeColumn('address.region', 'State'), type: addressType },
  postal_code: { ...storeColumn('address.postal_code', 'Postal code'), type: addressType },
  country: storeColumn('address.country', 'Country'),
  phone: storeColumn('phone', 'Phone, E.164 when verified'),
  telephone_uri: storeColumn('contact_links.telephone_uri', 'tel: URI of a verified phone'),
  geo_uri: storeColumn('contact_links.geo_uri', 'geo: URI of the published coordinates'),
  latitude: storeColumn('location.latitude', 'WGS84 latitude', 'degrees'),
  longitude: storeColumn('location.longitude', 'WGS84 longitude', 'degrees'),
  access_type: storeColumn('access_type', 'Who may buy there'),
  operational_state: storeColumn('operational_status.state', 'Whether the store is open'),
  operational_note: storeColumn('operational_status.note', 'Note on the state'),
  operational_source: storeColumn('operational_status.source', 'Who established the state'),
  services: storeColumn('services', 'Services of the store'),
  regular_hours_available: storeColumn('regular_hours_available', 'Whether regular hours are known'),
  regular_hours: storeColumn('regular_hours', 'Regular hours'),
  directory_presence_state: storeColumn('directory_presence.state', 'Presence in the store directory'),
  directory_last_seen_at: storeColumn('directory_presence.last_seen_at', 'Last directory retrieval that had the store'),
  details_source_updated_at: storeColumn(
    'details_times.source_updated_at',
    'When the source says it updated the details',
  ),
  details_retrieved_at: storeColumn(
    'details_times.retrieved_at',
    'When the directory with these details was retrieved',
  ),
  details_published_at: storeColumn('details_times.published_at', 'When that retrieval was published'),
};

/** A pair whose state is not `unchecked`, with the product's ids. */
const observedPair = z.object({
  ...storePair.omit({ name: true }).shape,
  product: z.object({ id: uuid, sku }),
  state: observedState,
  retrieved_at: dateTime,
});

const pairColumn = columnMaker(observedPair);

export const inventoryColumns = {
  product_id: pairColumn('product.id', 'Product of the pair'),
  agency_sku: pairColumn('product.sku', "The product's current code"),
  store_id: pairColumn('store_id', 'Store of the pair'),
  inventory_store_code: pairColumn('inventory_store_code', "The store's inventory code"),
  state: pairColumn('state', 'What the last successful retrieval reported'),
  reported_quantity: pairColumn('reported_quantity', 'Reported quantity; null where no row was reported', 'packages'),
  purchase_eligibility: pairColumn('purchase_eligibility', 'Classification of a positive report'),
  retrieved_at: pairColumn('retrieved_at', 'When the pair was retrieved'),
  meets_retrieval_policy: pairColumn('meets_retrieval_policy', 'Whether that is within the policy at publication'),
};

export const recordTypes = { products: 'product', stores: 'store', inventory: 'inventory' } as const;

export function exportRecordMaker(
  resource: ExportResource,
  profile: Profile,
): (source: never) => Record<string, unknown> {
  return recordMaker(recordTypes[resource], columnsIn(profile, exportColumns[resource] as Columns));
}

export type ExportSources = {
  readonly products: ProductDetail;
  readonly stores: StoreDetail;
  readonly inventory: z.infer<typeof observedPair>;
};

const exportColumns: { readonly [Name in ExportResource]: Columns<ExportSources[Name]> } = {
  products: productColumns,
  stores: storeColumns,
  inventory: inventoryColumns,
};

export const exportRecords = {
  products: recordSchema(recordTypes.products, productColumns),
  stores: recordSchema(recordTypes.stores, storeColumns),
  inventory: recordSchema(recordTypes.inventory, inventoryColumns),
};
export type ProductRecord = z.infer<typeof exportRecords.products>;
export type StoreRecord = z.infer<typeof exportRecords.stores>;
export type InventoryRecord = z.infer<typeof exportRecords.inventory>;

/**
 * The first record of every export file. Its fields are nested, so that a table of all records has one more column
 * instead of seven.
 */
export const exportHeader = z.strictObject({
  record_type: z.literal('header'),
  header: z.strictObject({
    resource: exportResource,
    schema_version: z.literal(exportSchemaVersion),
    publication_revision: uuid,
    published_at: dateTime,
    record_count: count,
    warnings,
    /** Left out if the operator states nothing. */
    about: about.optional(),
    fields: z.array(exportFieldDescription),
  }),
});
export type ExportHeader = z.infer<typeof exportHeader>;

/** The `fields` of a resource's header, in the order of its records' keys. */
export function describeFields(resource: ExportResource, profile: Profile): ExportFields {
  return describe(exportColumns[resource], profile);
}
