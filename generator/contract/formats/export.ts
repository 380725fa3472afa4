import * as z from 'zod';
import { about } from '../documents/about.ts';
import { warnings } from '../documents/envelope.ts';
import { pairState, purchaseEligibility } from '../documents/observation.ts';
import {
  catalogPresence,
  lifecycle,
  normalizationState,
  packageBasis,
  packageInterpretation,
} from '../documents/product.ts';
import { accessType, operationalState, operationalStatus, presenceState, storeService } from '../documents/store.ts';
import {
  categoryId,
  count,
  country,
  currency,
  dateTime,
  minorAmount,
  sku,
  storeCode,
  text,
  uuid,
} from '../primitives.ts';

export const exportSchemaVersion = 1;

export const exportResource = z.enum(['products', 'stores', 'inventory']);
export type ExportResource = z.infer<typeof exportResource>;

/** A column of an export file: its description in the header's `fields`, and the schema of its values. */
export type Field = { type: string; unit: string | null; meaning: string; schema: z.ZodType };

export function field<Schema extends z.ZodType>(
  type: string,
  schema: Schema,
  meaning: string,
  unit: string | null = null,
) {
  return { type, unit, meaning, schema } satisfies Field;
}

const summaryCount = (meaning: string) => field('integer', count, meaning, 'stores');
const atLeastOne = (meaning: string, unit: string) =>
  field('integer or null', z.int().min(1).nullable(), meaning, unit);
const milliliters = (meaning: string) => atLeastOne(meaning, 'mL');
const optionalText = (meaning: string) => field('string or null', z.string().nullable(), meaning);
const time = (meaning: string) => field('date-time or null', dateTime.nullable(), meaning);

/** The columns of a product in groups. Each group is a part of a record, and most parts stand in many records. */
export const productFieldGroups = {
  identity: {
    id: field('uuid', uuid, 'Stable product id'),
    agency_sku: field('string', sku, "The agency's six-digit code, leading zeros kept"),
    name: field('string', text, 'Display title without its resolved brand'),
  },
  brand: {
    brand: field('string or null', text.nullable(), 'Name of the reviewed brand'),
    brand_id: field('uuid or null', uuid.nullable(), 'Id of the reviewed brand'),
  },
  family: {
    family_id: field('uuid or null', uuid.nullable(), 'Id of the public product family'),
  },
  filing: {
    category_ids: field('array of string', z.array(categoryId), 'Categories the product is filed under'),
    former_skus: field('array of string', z.array(sku), 'Codes the product had before'),
  },
  package: {
    package_milliliters: milliliters('Legacy size; ambiguous for multipacks'),
    package_container_count: atLeastOne('Containers in the package', 'containers'),
    package_unit_milliliters: milliliters('Volume of one container'),
    package_total_milliliters: milliliters('Volume of the whole package'),
    package_display: optionalText('Human-readable size'),
    package_interpretation: field('string', packageInterpretation, 'How the size was read'),
    package_basis: field('string', packageBasis, 'What the reading rests on'),
    package_normalization_state: field('string', normalizationState, 'Whether the size is established'),
  },
  price: {
    price_amount_minor: field('integer or null', minorAmount.nullable(), 'Observed price', 'US cents'),
    price_currency: field('string or null', z.literal(currency).nullable(), 'Currency of the price'),
    price_display: field('string or null', text.nullable(), 'The price as text'),
    price_source: field(
      'string or null',
      z.enum(['agency_workbook', 'agency_locator']).nullable(),
      'Where the price was seen',
    ),
    price_source_updated_at: time('When the source says it updated the price'),
    price_retrieved_at: time('When the price was retrieved'),
    price_published_at: time('When that retrieval was published'),
  },
  status: {
    status_code: field('string', z.string(), 'Source status code'),
    status_label: field('string', z.string(), 'Source status label'),
    status_source_raw: field('string', z.string(), 'Raw source value of the status'),
    lifecycle: field('string', lifecycle, 'Lifecycle the status stands for'),
    catalog_presence: field('string', catalogPresence, 'Whether the catalog in force lists the product'),
  },
  inventory: {
    inventory_retrieved_at: time('Last successful inventory retrieval'),
    scope_store_count: summaryCount('Stores in scope'),
    reported_positive_store_count: summaryCount('Stores in scope reported to have the product'),
    eligible_positive_store_count: summaryCount('Of these, where it is classified for ordinary consumer purchase'),
    reported_zero_store_count: summaryCount('Stores in scope with an explicit zero'),
    row_absent_store_count: summaryCount('Stores in scope that were checked and had no row'),
    unchecked_store_count: summaryCount('Stores in scope that were never checked'),
    inventory_retrieved_at_min: time('Oldest retrieval of a pair in scope'),
    inventory_retrieved_at_max: time('Newest retrieval of a pair in scope'),
    retrieval_policy_id: field('string', text, 'Retrieval-age policy in force'),
    meets_retrieval_policy: field('boolean', z.boolean(), 'Whether the last successful retrieval is within the policy'),
    upstream_age_known: field('boolean', z.literal(false), 'Always false: the source does not date its quantities'),
    last_refresh_attempted_at: time('Last attempt to retrieve the inventory'),
    last_refresh_status: field('string or null', z.enum(['succeeded', 'failed']).nullable(), 'How that attempt ended'),
  },
};

export const productFields = {
  ...productFieldGroups.identity,
  ...productFieldGroups.brand,
  ...productFieldGroups.family,
  ...productFieldGroups.filing,
  ...productFieldGroups.package,
  ...productFieldGroups.price,
  ...productFieldGroups.status,
  ...productFieldGroups.inventory,
};

export const storeFields = {
  id: field('uuid', uuid, 'Stable store id'),
  inventory_store_code: field('string or null', storeCode.nullable(), 'Four-digit code in the inventory source'),
  directory_id: optionalText('Id in the store directory'),
  name: field('string', text, 'Store name'),
  address_line1: field('string', z.string(), 'Street address'),
  address_line2: optionalText('Second address line'),
  city: field('string', z.string(), 'City'),
  region: field('string', z.string(), 'State'),
  postal_code: field('string', z.string(), 'Postal code'),
  country: field('string', z.literal(country), 'Country'),
  phone: optionalText('Phone, E.164 when verified'),
  telephone_uri: optionalText('tel: URI of a verified phone'),
  geo_uri: optionalText('geo: URI of the published coordinates'),
  latitude: field('number or null', z.number().min(-90).max(90).nullable(), 'WGS84 latitude', 'degrees'),
  longitude: field('number or null', z.number().min(-180).max(180).nullable(), 'WGS84 longitude', 'degrees'),
  access_type: field('string', accessType, 'Who may buy there'),
  operational_state: field('string', operationalState, 'Whether the store is open'),
  operational_note: optionalText('Note on the state'),
  operational_source: field('string', operationalStatus.shape.source, 'Who established the state'),
  services: field('array of string', z.array(storeService), 'Services of the store'),
  regular_hours_available: field('boolean', z.boolean(), 'Whether regular hours are known'),
  regular_hours: optionalText('Regular hours'),
  directory_presence_state: field('string or null', presenceState.nullable(), 'Presence in the store directory'),
  directory_last_seen_at: time('Last directory retrieval that had the store'),
  details_source_updated_at: time('When the source says it updated the details'),
  details_retrieved_at: field('date-time', dateTime, 'When the directory with these details was retrieved'),
  details_published_at: field('date-time', dateTime, 'When that retrieval was published'),
};

export const inventoryFields = {
  product_id: field('uuid', uuid, 'Product of the pair'),
  agency_sku: field('string', sku, "The product's current code"),
  store_id: field('uuid', uuid, 'Store of the pair'),
  inventory_store_code: field('string or null', storeCode.nullable(), "The store's inventory code"),
  state: field('string', pairState.exclude(['unchecked']), 'What the last successful retrieval reported'),
  reported_quantity: field(
    'integer or null',
    count.nullable(),
    'Reported quantity; null where no row was reported',
    'packages',
  ),
  purchase_eligibility: field('string or null', purchaseEligibility.nullable(), 'Classification of a positive report'),
  retrieved_at: field('date-time', dateTime, 'When the pair was retrieved'),
  meets_retrieval_policy: field('boolean', z.boolean(), 'Whether that is within the policy at publication'),
};

type Schemas<Fields extends Record<string, Field>> = { [Key in keyof Fields]: Fields[Key]['schema'] };

export function recordOf<Type extends string, Fields extends Record<string, Field>>(type: Type, fields: Fields) {
  return z.strictObject({ record_type: z.literal(type), ...schemasOf(fields) });
}

function schemasOf<Fields extends Record<string, Field>>(fields: Fields): Schemas<Fields> {
  return Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema])) as Schemas<Fields>;
}

/** The `record_type` of each export's data records. */
export const recordTypes = { products: 'product', stores: 'store', inventory: 'inventory' } as const;

export const productRecord = recordOf(recordTypes.products, productFields);
export const storeRecord = recordOf(recordTypes.stores, storeFields);
export const inventoryRecord = recordOf(recordTypes.inventory, inventoryFields);

/** The parts of a product record, in the order of its keys. */
export const productRecordParts = {
  identity: recordOf(recordTypes.products, productFieldGroups.identity),
  brand: z.strictObject(schemasOf(productFieldGroups.brand)),
  family: z.strictObject(schemasOf(productFieldGroups.family)),
  filing: z.strictObject(schemasOf(productFieldGroups.filing)),
  package: z.strictObject(schemasOf(productFieldGroups.package)),
  price: z.strictObject(schemasOf(productFieldGroups.price)),
  status: z.strictObject(schemasOf(productFieldGroups.status)),
  inventory: z.strictObject(schemasOf(productFieldGroups.inventory)),
};

/** The parts of an inventory record, in the order of its keys. */
export const inventoryRecordParts = {
  product: inventoryRecord.pick({ record_type: true, product_id: true, agency_sku: true }),
  store: inventoryRecord.pick({ store_id: true, inventory_store_code: true }),
  observation: inventoryRecord.pick({ state: true, reported_quantity: true, purchase_eligibility: true }),
  retrieval: inventoryRecord.pick({ retrieved_at: true, meets_retrieval_policy: true }),
};

export type ProductRecord = z.infer<typeof productRecord>;
export type ProductRecordParts = {
  [Part in keyof typeof productRecordParts]: z.infer<(typeof productRecordParts)[Part]>;
};
export type StoreRecord = z.infer<typeof storeRecord>;
export type InventoryRecord = z.infer<typeof inventoryRecord>;

export const exportRecords = { products: productRecord, stores: storeRecord, inventory: inventoryRecord };

export const exportFieldDescription = z.strictObject({
  name: text,
  type: text,
  unit: z.string().nullable(),
  meaning: text,
});

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

export type ExportFields = ExportHeader['header']['fields'];

/**
 * The schema of records that have these columns. A file that was made before a column was added does not have it, and
 * its header does not name it.
 */
export function recordsWith(resource: ExportResource, columns: ExportFields): z.ZodType {
  const names = new Set(['record_type', ...columns.map(({ name }) => name)]);
  const shape = Object.entries<z.ZodType>(exportRecords[resource].shape).filter(([name]) => names.has(name));
  const key = JSON.stringify([resource, shape.map(([name]) => name)]);
  const known = recordSchemas.get(key) ?? z.strictObject(Object.fromEntries(shape));
  recordSchemas.set(key, known);
  return known;
}

/** One schema for all files with the same columns, so that it is compiled once. */
const recordSchemas = new Map<string, z.ZodType>();

/** The header's `fields` of a resource, in the order of its records' keys. */
export function describeFields(resource: ExportResource): ExportFields {
  return describe({ products: productFields, stores: storeFields, inventory: inventoryFields }[resource]);
}

export function describe(fields: Readonly<Record<string, Field>>): ExportFields {
  return Object.entries(fields).map(([name, { type, unit, meaning }]) => ({ name, type, unit, meaning }));
}
