import * as z from 'zod';
import { type FactType, factKinds, type ProductFact } from '../../contract/product-facts.ts';
import { isCode, type Profile, usualProfile } from '../../contract/profile.ts';
import { doi, profile } from '../../contract/schemas/metadata.ts';
import { moneyObservation, warningCode } from '../../contract/schemas/primitives.ts';
import { lifecycle, normalizationState, packageBasis, packageInterpretation } from '../../contract/schemas/product.ts';
import {
  accessType,
  geoPoint,
  operationalState,
  operationalStatus,
  presenceState,
  storeService,
} from '../../contract/schemas/store.ts';
import type { RowOf } from '../database/schema.ts';
import {
  agencyCode,
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
  slug,
  utcInstant,
  volume,
  volumeOfSource,
  webUrl,
  wholeNumber,
} from './fields.ts';
import { limits } from './limits.ts';
import { isZone } from './time-zones.ts';

/*
 * Schemas of the files of a snapshot folder, format version 1. Unknown keys are ignored, so that a collector can add
 * columns. A missing key is a fault, so that a renamed column is noticed.
 */

const retrieval = z.object({ source_updated_at: instant.nullable(), retrieved_at: instant });

/** Missing members get the usual values. */
const statedProfile = z
  .strictObject(profile.partial().shape)
  .transform((stated): Profile => ({ ...usualProfile, ...(stated as Partial<Profile>) }))
  .superRefine((stated, context) => {
    const fault = (path: PropertyKey[], message: string) => context.addIssue({ code: 'custom', message, path });
    const { currency, time_zone: zone } = stated;
    if (!Intl.supportedValuesOf('currency').includes(currency)) fault(['currency'], 'a currency of ISO 4217');
    if (zone !== null && !isZone(zone)) fault(['time_zone'], 'a time zone like Europe/Helsinki, or null');
    for (const kind of ['sku', 'store_code'] as const)
      if (!isCode(kind, stated, stated[kind].example))
        fault([kind, 'example'], `a code that ${stated[kind].pattern} matches`);
    if (new Set(stated.product_facts).size < stated.product_facts.length) fault(['product_facts'], 'each fact once');
  });

export const snapshotHeader = z.object({
  format: z.literal('inventory-snapshot'),
  format_version: z.literal(1),
  published_at: utcInstant,
  catalog: retrieval.nullable(),
  directory: retrieval.nullable(),
  policy: z.object({ id: name, max_age_seconds: wholeNumber }),
  retention: z.object({ history_days: wholeNumber, publication_days: wholeNumber }),
  warnings: listOfUnique('warnings', warningCode),
  profile: statedProfile.optional(),
});
export type SnapshotHeader = z.infer<typeof snapshotHeader>;

export function profileIn({ profile = usualProfile }: Pick<SnapshotHeader, 'profile'>): Profile {
  return profile;
}

export const curationCategory = z.object({ id: categoryId, parent_id: categoryId.nullable(), name, active: flag });
export type CurationCategory = z.infer<typeof curationCategory>;

export const curationBrand = z.object({ slug, name, aliases: listUpTo(limits.shortList, name), reviewed: flag });

export const curationFamily = z.object({ slug, name, brand: slug });

const license = z.object({ name: licenseName, url: webUrl.nullable().default(null) });

/** The operator's statements. All are optional, so an unknown key such as `licence` must be a fault. */
export const about = z
  .strictObject(
    {
      title: line.nullable().default(null),
      agency: line.nullable().default(null),
      notice: line.nullable().default(null),
      license: license.nullable().default(null),
      source_url: webUrl.nullable().default(null),
      contact: contact.nullable().default(null),
      doi: doi.nullable().default(null),
      spatial_coverage: line.nullable().default(null),
    },
    { error: ({ code }) => (code === 'unrecognized_keys' ? `only the keys ${aboutKeys}` : undefined) },
  )
  .transform((stated) => (Object.values(stated).every((value) => value === null) ? null : stated));
const aboutKeys = 'title, agency, notice, license, source_url, contact, doi, spatial_coverage';

const factValues: Readonly<Record<FactType, z.ZodType<string | number>>> = {
  money: wholeNumber,
  instant,
  percent: z.number('a number from 0 to 100').min(0).max(100),
  text: name,
  year: z.int('a year of four digits').min(1000).max(9999),
  gtin: z.string().regex(/^(?:\d{8}|\d{12,14})$/, 'a GTIN of 8, 12, 13 or 14 digits'),
};

export function partSchemas(profile: Profile) {
  const sku = agencyCode('sku', profile);
  const storeCode = agencyCode('store_code', profile);
  const addressPart = profile.country === usualProfile.country ? anyText : anyText.nullable();
  const ownFacts = profile.product_facts.map((fact) => [fact, factValues[factKinds[fact].type].nullable()]);

  const productLine = z.object({
    sku,
    source_name: name,
    name,
    size_ml: volumeOfSource.nullable(),
    size_text: anyText.nullable(),
    /** What `size_ml` measures; null or missing if the agency does not say. */
    size_of: z.enum(['container', 'package']).nullable().optional(),
    pack_count: wholeNumber.nullable(),
    price_minor: wholeNumber.nullable(),
    price_source: moneyObservation.shape.source,
    status_code: anyText,
    status_label: anyText,
    status_raw: anyText,
    lifecycle,
    category_id: categoryId.nullable(),
    ...(Object.fromEntries(ownFacts) as FactsOfLine),
  });

  const storeLine = z
    .object({
      inventory_store_code: storeCode.nullable(),
      directory_id: name.nullable(),
      name,
      address: z.object({
        line1: anyText,
        line2: anyText.nullable(),
        city: anyText,
        region: addressPart,
        postal_code: addressPart,
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

  const reportedRow = z.tuple([storeCode, wholeNumber], 'a pair of store code and quantity');
  const rows = listUpTo(limits.inventoryRows, reportedRow);
  const isStatewide = profile.inventory === 'statewide';
  const inventoryLine = z
    .object({
      sku,
      attempted_at: instant,
      status: z.enum(['succeeded', 'failed']),
      retrieved_at: instant.nullable(),
      source_updated_at: instant.nullable(),
      rows: isStatewide ? rows.default([]) : rows,
      ...((isStatewide ? { quantity: wholeNumber.nullable() } : {}) as unknown as StatewideQuantity),
    })
    // `superRefine` doubles the time of the whole check, and its garbage stays in memory for long.
    .check(({ value: line, issues }) => {
      const { status, retrieved_at, rows, quantity } = line;
      const fault = (message: string, ...path: PropertyKey[]) =>
        issues.push({ code: 'custom', message, input: line, path });
      if (status === 'succeeded' && retrieved_at === null)
        fault('a date-time, as the retrieval succeeded', 'retrieved_at');
      if (status === 'failed' && retrieved_at !== null) fault('null, as the retrieval failed', 'retrieved_at');
      if (status === 'failed' && rows.length > 0) fault('no rows, as the retrieval failed', 'rows');
      if (isStatewide && rows.length > 0)
        fault('no rows, because the profile says that inventory is statewide', 'rows');
      if (isStatewide && (quantity === null) !== (status === 'failed'))
        fault(
          status === 'failed' ? 'null, as the retrieval failed' : 'a quantity, as the retrieval succeeded',
          'quantity',
        );
      const quantities = rows.map(([, quantity]) => quantity);
      const isExact = Number.isSafeInteger(quantities.reduce((sum, quantity) => sum + quantity, 0));
      if (quantities.every(Number.isSafeInteger) && !isExact)
        fault(`quantities that add up to at most ${Number.MAX_SAFE_INTEGER}`, 'rows');
      const codes = rows.map(([code]) => code);
      reportRepeats(codes, issues, 'rows', (index) => ['rows', index, 0]);
    });

  const inventoryScope = z.object({ inventory_store_codes: z.array(storeCode) });

  const curationProduct = z.object({
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

  const formerSku = z.object({ former_sku: sku, sku });

  const curation = z.object({
    about: about.nullable().default(null),
    categories: z.array(curationCategory),
    brands: z.array(curationBrand),
    families: z.array(curationFamily),
    products: z.array(curationProduct),
    sku_history: z.array(formerSku),
  });

  return { productLine, storeLine, inventoryLine, inventoryScope, curationProduct, formerSku, curation };
}

type FactsOfLine = { readonly [Fact in ProductFact]: z.ZodOptional<z.ZodType<RowOf<'product_version'>[Fact]>> };

/** Only sites with a stock of the whole state have this key. */
type StatewideQuantity = { readonly quantity: z.ZodOptional<z.ZodNullable<typeof wholeNumber>> };

export type PartSchemas = ReturnType<typeof partSchemas>;
export type ProductLine = z.infer<PartSchemas['productLine']>;
export type StoreLine = z.infer<PartSchemas['storeLine']>;
export type InventoryLine = z.infer<PartSchemas['inventoryLine']>;
export type CurationProduct = z.infer<PartSchemas['curationProduct']>;
export type Curation = z.infer<PartSchemas['curation']>;
