import * as z from 'zod';
import { warningCode } from '../../contract/documents/envelope.ts';
import { moneyObservation } from '../../contract/documents/observation.ts';
import {
  lifecycle,
  normalizationState,
  packageBasis,
  packageInterpretation,
} from '../../contract/documents/product.ts';
import {
  accessType,
  geoPoint,
  operationalState,
  operationalStatus,
  presenceState,
  storeService,
} from '../../contract/documents/store.ts';
import {
  anyText,
  categoryId,
  contact,
  flag,
  instant,
  integer,
  licenseName,
  line,
  listOfUnique,
  listUpTo,
  name,
  reportRepeats,
  sku,
  slug,
  storeCode,
  utcInstant,
  volume,
  webUrl,
  wholeNumber,
} from './fields.ts';
import { limits } from './limits.ts';

/*
 * Schemas of the files of a snapshot folder, format version 1. Keys that are not named here are ignored, so that a
 * collector may add columns. A missing key is a fault, so that a renamed column is noticed.
 */

const retrieval = z.object({ source_updated_at: instant.nullable(), retrieved_at: instant });

export const snapshotHeader = z.object({
  format: z.literal('inventory-snapshot'),
  format_version: z.literal(1),
  published_at: utcInstant,
  catalog: retrieval.nullable(),
  directory: retrieval.nullable(),
  policy: z.object({ id: name, max_age_seconds: wholeNumber }),
  retention: z.object({ history_days: wholeNumber, publication_days: wholeNumber }),
  warnings: listOfUnique('warnings', warningCode),
});
export type SnapshotHeader = z.infer<typeof snapshotHeader>;

export const productLine = z.object({
  sku,
  source_name: name,
  name,
  size_ml: wholeNumber.nullable(),
  size_text: anyText.nullable(),
  pack_count: wholeNumber.nullable(),
  price_minor: wholeNumber.nullable(),
  price_source: moneyObservation.shape.source,
  status_code: anyText,
  status_label: anyText,
  status_raw: anyText,
  lifecycle,
  category_id: categoryId.nullable(),
});
export type ProductLine = z.infer<typeof productLine>;

export const storeLine = z
  .object({
    inventory_store_code: storeCode.nullable(),
    directory_id: name.nullable(),
    name,
    address: z.object({
      line1: anyText,
      line2: anyText.nullable(),
      city: anyText,
      region: anyText,
      postal_code: anyText,
    }),
    phone: anyText.nullable(),
    location: z.object(geoPoint.shape).nullable(),
    access_type: accessType,
    operational_status: z.object({
      state: operationalState,
      note: anyText.nullable(),
      source: operationalStatus.shape.source,
    }),
    services: listOfUnique('services', storeService),
    regular_hours: anyText.nullable(),
    directory_presence: z.object({ state: presenceState, last_seen_at: instant.nullable() }).nullable(),
  })
  .superRefine((store, context) => {
    if (store.inventory_store_code !== null || store.directory_id !== null) return;
    const message = 'an inventory_store_code or a directory_id';
    context.addIssue({ code: 'custom', message, params: { got: 'neither' } });
  });
export type StoreLine = z.infer<typeof storeLine>;

const reportedRow = z.tuple([storeCode, wholeNumber], 'a pair of store code and quantity');

export const inventoryLine = z
  .object({
    sku,
    attempted_at: instant,
    status: z.enum(['succeeded', 'failed']),
    retrieved_at: instant.nullable(),
    source_updated_at: instant.nullable(),
    rows: listUpTo(limits.inventoryRows, reportedRow),
  })
  .superRefine(({ status, retrieved_at, rows }, context) => {
    const fault = (message: string, ...path: PropertyKey[]) => context.addIssue({ code: 'custom', message, path });
    if (status === 'succeeded' && retrieved_at === null)
      fault('a date-time, as the retrieval succeeded', 'retrieved_at');
    if (status === 'failed' && retrieved_at !== null) fault('null, as the retrieval failed', 'retrieved_at');
    if (status === 'failed' && rows.length > 0) fault('no rows, as the retrieval failed', 'rows');
    const quantities = rows.map(([, quantity]) => quantity);
    const isExact = Number.isSafeInteger(quantities.reduce((sum, quantity) => sum + quantity, 0));
    if (quantities.every(Number.isSafeInteger) && !isExact)
      fault(`quantities that add up to at most ${Number.MAX_SAFE_INTEGER}`, 'rows');
    reportRepeats(
      rows.map(([code]) => code),
      context,
      (index) => `rows[${index}]`,
      (index) => ['rows', index, 0],
    );
  });
export type InventoryLine = z.infer<typeof inventoryLine>;

export const inventoryScope = z.object({ inventory_store_codes: z.array(storeCode) });

export const curationCategory = z.object({ id: categoryId, parent_id: categoryId.nullable(), name, active: flag });
export type CurationCategory = z.infer<typeof curationCategory>;

export const curationBrand = z.object({ slug, name, aliases: listUpTo(limits.shortList, name), reviewed: flag });

export const curationFamily = z.object({ slug, name, brand: slug });

export const curationProduct = z.object({
  sku,
  brand: slug.nullable(),
  family: slug.nullable(),
  relationship_type: name.nullable(),
  vintage_year: integer.nullable(),
  age_statement: name.nullable(),
  package: z
    .object({
      container_count: volume,
      unit_milliliters: volume,
      total_milliliters: volume,
      display: anyText.nullable(),
      interpretation: packageInterpretation,
      basis: packageBasis,
      normalization_state: normalizationState,
    })
    .nullable(),
});
export type CurationProduct = z.infer<typeof curationProduct>;

export const formerSku = z.object({ former_sku: sku, sku });

const license = z.object({ name: licenseName, url: webUrl.nullable().default(null) });

/**
 * What the operator states of the data. Every member may be missing, so here a key that is not named is a fault.
 * Otherwise it would go unnoticed that `licence` states nothing.
 */
export const about = z
  .strictObject(
    {
      title: line.nullable().default(null),
      agency: line.nullable().default(null),
      notice: line.nullable().default(null),
      license: license.nullable().default(null),
      source_url: webUrl.nullable().default(null),
      contact: contact.nullable().default(null),
    },
    { error: ({ code }) => (code === 'unrecognized_keys' ? `only the keys ${aboutKeys}` : undefined) },
  )
  .transform((stated) => (Object.values(stated).every((value) => value === null) ? null : stated));
const aboutKeys = 'title, agency, notice, license, source_url, contact';

export const curation = z.object({
  about: about.nullable().default(null),
  categories: z.array(curationCategory),
  brands: z.array(curationBrand),
  families: z.array(curationFamily),
  products: z.array(curationProduct),
  sku_history: z.array(formerSku),
});
export type Curation = z.infer<typeof curation>;
