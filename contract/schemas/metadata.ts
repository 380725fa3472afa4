import * as z from 'zod';
import { exportSchemaVersion } from '../columns/table.ts';
import { hasCredentials } from '../credentials.ts';
import { productFacts } from '../product-facts.ts';
import { agencyCode, type Profile, usualProfile } from '../profile.ts';
import type { ChangeType } from '../vocabulary.ts';
import { changeType, correction, feedState, newestCorrection, revisionCorrection } from './change.ts';
import {
  address,
  bySite,
  component,
  count,
  currency,
  dateTime,
  extra,
  freshness,
  minorAmount,
  month,
  sha256,
  text,
  uuid,
  warnings,
} from './primitives.ts';
import { namedProduct } from './product.ts';

/** The identifier of a license, such as `CC-BY-4.0`. */
export const licenseName = z.string().regex(/^[-a-zA-Z0-9._]+$/);

/** A DOI without a URL in front, such as `10.5281/zenodo.1234567`, of the characters that CFF 1.2.0 allows. */
export const doi = z.string().regex(/^10\.\d{4,9}(\.\d+)?\/[\w:/;.()[\]-]+$/, 'a DOI such as 10.5281/zenodo.1234567');

/** The operator's statements in the curation: who publishes the data, under what terms. Null if not stated. */
export const about = component('About', {
  title: text.nullable(),
  agency: text.nullable(),
  notice: text.nullable(),
  license: z.strictObject({ name: licenseName, url: z.url().nullable() }).nullable(),
  source_url: z.url().nullable(),
  contact: text.nullable(),
  doi: doi.nullable().default(null),
  spatial_coverage: text.nullable().default(null),
});
export type About = z.infer<typeof about>;

/** Sites with version 1.1.0 of the contract or older do not have it. */
export const metadataAbout = z.object({ data: z.object({ about: about.nullable().default(null) }) });

/** A contact is an email address or a URL. */
export function contactPoint({ contact }: About): { readonly email: string } | { readonly url: string } | null {
  if (contact === null) return null;
  return isWebUrl(contact) ? { url: contact } : { email: contact };
}

/** An http or https URL without credentials, and without characters that no URI has, RFC 3986 2. */
const webUrl = /^https?:\/\/[^\s\p{Cc}<>"{}|\\^`]+$/u;

export function isWebUrl(url: string): boolean {
  return webUrl.test(url) && URL.canParse(url) && !hasCredentials(url);
}

/** The version of the contract that the service description names. */
export const contractVersion = '1.0.0';

export const serviceName = 'Reported Inventory and Change-History Read Service';

const observations = 'Reported quantities are observations, not purchase guarantees.';

const publishers = {
  independent: 'This service is independent of the agency and is not endorsed by it.',
  agency: 'The agency itself publishes this service.',
} as const satisfies Record<Profile['statement'], string>;

type Publisher = (typeof publishers)[Profile['statement']];

/** What the site says about its publisher and, if it has an inventory, about observations. */
export function siteStatement({ statement, inventory }: Profile): Publisher | `${Publisher} ${typeof observations}` {
  const publisher = publishers[statement];
  return inventory === 'none' ? publisher : `${publisher} ${observations}`;
}

export function siteDescription(about: Pick<About, 'notice'> | null, profile: Profile): string {
  return [about?.notice, siteStatement(profile)].filter(Boolean).join(' ');
}

export const serviceStatements = Object.values(publishers).flatMap(
  (publisher) => [publisher, `${publisher} ${observations}`] as const,
);

/** Characters, or classes of them, optionally repeated: `^[0-9]{6}$`. Such a pattern matches any text quickly. */
const codePattern = /^\^(?:(?:\[[0-9A-Z-]+\]|[0-9A-Z-])(?:\{\d{1,2}(?:,\d{0,2})?\}|[+?*])?)+\$$/;

const codePatternText = 'a pattern like ^[0-9]{6}$, of 0-9, A-Z and -, because addresses contain codes';

const codes = component('CodeFormat', {
  pattern: z.string().max(100).regex(codePattern, codePatternText),
  example: z.string().regex(new RegExp(`^${agencyCode}$`)),
});

export const profile = component('Profile', {
  /** ISO 4217. */
  currency: z.string().regex(/^[A-Z]{3}$/, 'a currency of ISO 4217, such as EUR'),
  /** ISO 3166-1, the country of every store. */
  country: z.string().regex(/^[A-Z]{2}$/),
  /** BCP 47, the language of names and texts. */
  language: z.string().regex(/^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/),
  /** The agency's time zone, a name of IANA; null if not stated. */
  time_zone: z.string().min(1).nullable(),
  /** Whether somebody independent or the agency publishes the service. */
  statement: z.enum(['independent', 'agency']),
  sku: codes,
  store_code: codes,
  /** How stock is reported: for each store, for the whole state in one number, or not at all. */
  inventory: z.enum(['stores', 'statewide', 'none']),
  product_facts: z.array(z.enum(productFacts)),
});

/** Without a profile in `/metadata`, the site has the usual one. */
export const metadataProfile = z.object({ data: z.object({ service: z.object({ profile: profile.optional() }) }) });

export const serviceIndex = component('ServiceIndex', {
  name: z.literal(serviceName),
  contract_version: z.literal(contractVersion),
  publication_revision: uuid,
  published_at: dateTime,
  links: z.record(z.string(), address),
});

export const metadata = component('Metadata', {
  service: z.strictObject({
    name: z.literal(serviceName),
    contract_version: z.literal(contractVersion),
    statement: bySite(z.enum(serviceStatements), { type: 'string', const: siteStatement(usualProfile) }, (profile) => ({
      type: 'string',
      const: siteStatement(profile),
    })),
    profile: extra(profile),
  }),
  about: about.nullable(),
  publication: z.strictObject({ revision: uuid, sequence: z.int().min(1), published_at: dateTime }),
  counts: z.strictObject({
    products: count,
    listed_products: count,
    product_families: count,
    brands: count,
    stores: count,
    categories: count,
    inventory_pairs: count,
    change_events: count,
  }),
  retention: z.strictObject({ history_days: count, publication_days: count }),
  retrieval_policy: z.strictObject({ id: text, max_age_seconds: count }),
  correction: newestCorrection.nullable(),
  feed: feedState,
});
export type Metadata = z.infer<typeof metadata>;

const exportFile = z.strictObject({ record_count: count, url: address });
export const exportFiles = z.strictObject({ products: exportFile, stores: exportFile, inventory: exportFile });
export type ExportFiles = z.infer<typeof exportFiles>;

/** Parquet or CSV. `etag` has its quotes. */
const tableFile = component('TableFile', { record_count: count, url: address, size: count, sha256, etag: z.string() });

/**
 * A Parquet or CSV file in the export manifest.
 *
 * @example
 * ```ts
 * import type { TableFile } from 'shelfpress/client';
 *
 * const { data } = await site.exports();
 * const daily: TableFile = data.parquet.history.daily;
 * console.log(daily.url, daily.size, daily.sha256);
 * ```
 */
export type TableFile = z.infer<typeof tableFile>;

/** The Parquet files of one publication, which never change. */
const publicationTables = component('PublicationTables', {
  products: tableFile,
  stores: tableFile,
  inventory: tableFile,
  daily: tableFile,
});

/**
 * Tables over time, which grow: the events in pieces of the change history, the events in no piece yet, the rows of
 * every day, and tables that give context.
 */
const historyTables = component('HistoryTables', {
  changes: tableFile,
  newest_changes: tableFile,
  daily: tableFile,
  products_over_time: tableFile,
  stores_over_time: tableFile,
  categories: tableFile,
  coverage: tableFile,
});

const exportTables = component('ExportTables', {
  format: z.literal('parquet'),
  files: publicationTables,
  history: historyTables,
});
export type ExportTables = z.infer<typeof exportTables>;

const monthFile = component('MonthFile', { month, ...tableFile.shape });

/**
 * CSV files for spreadsheets: one of the current publication, which never changes, and tables over time. `daily` is the
 * newest of `daily_months`, which are listed newest first.
 */
const csvTables = component('CsvTables', {
  format: z.literal('gzip_csv'),
  products: tableFile,
  prices: tableFile,
  daily: tableFile,
  daily_months: z.array(monthFile),
});
export type CsvTables = z.infer<typeof csvTables>;

const exportManifest = component('ExportManifest', {
  publication_revision: uuid,
  published_at: dateTime,
  format: z.literal('gzip_ndjson'),
  schema_version: z.literal(exportSchemaVersion),
  files: exportFiles,
  parquet: exportTables,
  csv: csvTables,
  /** Retained publications that were corrected, newest first. Their files stay as they are. */
  corrections: z.array(revisionCorrection),
});

export const exportManifestDocument = z.strictObject({
  data: exportManifest,
  meta: z.strictObject({ warnings, freshness }),
});

/**
 * The export files of a publication: the result of `site.exports`.
 *
 * @example
 * ```ts
 * import type { ExportManifestDocument } from 'shelfpress/client';
 *
 * const { data }: ExportManifestDocument = await site.exports();
 * console.log(data.files.products.url);
 * ```
 */
export type ExportManifestDocument = z.infer<typeof exportManifestDocument>;

export const retainedPublication = component('RetainedPublication', {
  revision: uuid,
  sequence: z.int().min(1),
  published_at: dateTime,
  current: z.boolean(),
  exports: exportFiles,
  correction: correction.nullable(),
});
export type RetainedPublication = z.infer<typeof retainedPublication>;

/** The most publications in the document, and the most products in each of its lists. */
export const mostActivePublications = 60;
export const mostActiveProducts = 10;

const products = <Entry extends z.ZodType>(entry: Entry) => z.array(entry).max(mostActiveProducts);

const priceMove = component('PriceMove', {
  product: namedProduct,
  previous_minor: minorAmount,
  current_minor: minorAmount,
});

/**
 * `/metadata/activity.json`: how many events of each type the newest publications brought, as columns, and the largest
 * changes of the newest one. `prices` is about the newest of these publications that changed a price; null if none did.
 */
export const activity = component('Activity', {
  publication_revision: uuid,
  warnings,
  currency,
  publications: component('PublicationActivity', {
    publication: z.array(z.int().min(1)).min(1).max(mostActivePublications),
    published_at: z.array(dateTime),
    events: component(
      'EventCounts',
      Object.fromEntries(changeType.options.map((type) => [type, z.array(count)])) as Record<
        ChangeType,
        z.ZodArray<typeof count>
      >,
    ),
  }),
  most_changed: products(component('ChangedProduct', { product: namedProduct, event_count: z.int().min(1) })),
  prices: component('PriceActivity', {
    publication: z.int().min(1),
    published_at: dateTime,
    rise_count: count,
    fall_count: count,
    largest_rises: products(priceMove),
    largest_falls: products(priceMove),
  }).nullable(),
});

/**
 * The changes of the newest publications: the result of `site.activity`.
 *
 * @example
 * ```ts
 * import type { Activity } from 'shelfpress/client';
 *
 * const { prices }: Activity = await site.activity();
 * console.log(prices?.rise_count, prices?.fall_count);
 * ```
 */
export type Activity = z.infer<typeof activity>;
export type PriceMove = z.infer<typeof priceMove>;
