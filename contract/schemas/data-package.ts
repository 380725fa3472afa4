import * as z from 'zod';
import { csvMeanings, describeCsv } from '../columns/csv-tables.ts';
import { describeFields, exportResource, recordTypes } from '../columns/export.ts';
import { describeTable, publicationTable, tableMeanings } from '../columns/parquet.ts';
import type { ExportFields } from '../columns/table.ts';
import { csvFileName, type ExportObjects, exportFileName, tableFileName } from '../export-names.ts';
import { ndjsonMediaType, parquetMediaType } from '../headers.ts';
import { spdxLicense } from '../licenses.ts';
import type { Profile } from '../profile.ts';
import type { ExportResource } from '../vocabulary.ts';
import { type About, contactPoint, licenseName, siteDescription } from './metadata.ts';
import { component, count, dateTime, text, uuid } from './primitives.ts';

/** Frictionless Table Schema v1. `unit` is this service's own addition. */
export const tableFieldSchema = z.strictObject({
  name: text,
  type: z.enum(['string', 'integer', 'number', 'boolean', 'datetime', 'array', 'object']),
  format: z.literal('uuid').optional(),
  description: text,
  unit: text.optional(),
});
type TableField = z.infer<typeof tableFieldSchema>;

/** The license as the operator states it. `name` is an identifier such as `CC-BY-4.0`. */
export const dataLicense = z.strictObject({ name: licenseName, path: z.url().optional() });
export type DataLicense = z.infer<typeof dataLicense>;

/** The license that the curation states; null for none. */
export function statedLicense(about: About | null): DataLicense | null {
  if (!about?.license) return null;
  const { name, url } = about.license;
  return { name, ...(url === null ? {} : { path: url }) };
}

export const fileHash = z.string().regex(/^sha256:[0-9a-f]{64}$/);

/** The content of a compressed file. Absent from older packages. */
const unpacked = z.strictObject({ bytes: count, hash: fileHash }).optional();

const file = {
  path: text,
  profile: z.literal('data-resource'),
  description: text,
  bytes: count,
  hash: fileHash,
  schema: z.strictObject({ fields: z.array(tableFieldSchema) }),
};

const packageResource = z.discriminatedUnion('format', [
  z.strictObject({
    name: exportResource,
    format: z.literal('ndjson'),
    mediatype: z.literal(ndjsonMediaType),
    encoding: z.literal('utf-8'),
    compression: z.literal('gz'),
    ...file,
    unpacked,
  }),
  z.strictObject({
    name: z.literal('products_csv'),
    format: z.literal('csv'),
    mediatype: z.literal('text/csv'),
    encoding: z.literal('utf-8'),
    compression: z.literal('gz'),
    ...file,
    unpacked,
  }),
  z.strictObject({
    name: z.enum(['products_parquet', 'stores_parquet', 'inventory_parquet', 'daily_parquet']),
    format: z.literal('parquet'),
    mediatype: z.literal(parquetMediaType),
    ...file,
  }),
]);

/**
 * A Frictionless Data Package v1. `bytes` and `hash` describe the files as stored. `unpacked`, this service's own
 * addition, describes what clients that decode Content-Encoding save.
 */
export const dataPackage = component('DataPackage', {
  profile: z.literal('data-package'),
  name: z.string().regex(/^[-a-z0-9._/]+$/),
  id: uuid,
  title: text,
  description: text,
  version: uuid,
  created: dateTime,
  sources: z.array(z.strictObject({ title: text, path: z.url().optional() })).min(1),
  contributors: z
    .array(
      z.strictObject({ title: text, path: z.url().optional(), email: text.optional(), role: z.literal('publisher') }),
    )
    .optional(),
  licenses: z.array(dataLicense).min(1).optional(),
  resources: z.array(packageResource),
});
export type DataPackage = z.infer<typeof dataPackage>;

/**
 * `SHA256SUMS` as coreutils' sha256sum prints and checks it: one line per name of a file, sorted. Unpacked files have
 * lines too, for clients that save those.
 */
export function formatChecksums(files: ExportObjects): string {
  const lines = [...files].flatMap(([name, { sha256, names = [], unpacked }]) => [
    ...[name, ...names].map((own) => `${sha256}  ${own}\n`),
    ...(unpacked?.names ?? []).map((own) => `${unpacked?.sha256}  ${own}\n`),
  ]);
  return lines.sort((a, b) => (a.slice(66) < b.slice(66) ? -1 : 1)).join('');
}

/**
 * Makes the data package of a publication, with the operator's statements about the data. Names a license only if the
 * operator states one, because this program cannot know who owns the reported facts.
 */
export function makeDataPackage(
  publication: PublishedAt,
  files: ExportObjects,
  about: About | null,
  license: DataLicense | null,
  profile: Profile,
): DataPackage {
  return {
    ...packageMembers(publication, about, license, profile),
    resources: packageResources(files, profile),
  };
}

export type PublishedAt = { readonly revision: string; readonly published_at: string };

export function packageMembers(
  { revision, published_at }: PublishedAt,
  about: About | null,
  license: DataLicense | null,
  profile: Profile,
): Omit<DataPackage, 'resources'> {
  return {
    profile: 'data-package',
    name: `reported-inventory-${revision}`,
    id: revision,
    title: dataTitle(about),
    description: siteDescription(about, profile),
    version: revision,
    created: published_at,
    sources: [dataSource(about)],
    ...publisherFields(about),
    ...(license === null ? {} : { licenses: [license] }),
  };
}

/** The resources of the files that exist: NDJSON, Parquet, then CSV. */
function packageResources(files: ExportObjects, profile: Profile): DataPackage['resources'] {
  const csv = {
    name: 'products_csv',
    path: csvFileName,
    description: csvMeanings.products,
    form: { format: 'csv', mediatype: 'text/csv', encoding: 'utf-8', compression: 'gz' },
    fields: describeCsv('products', profile).map(tableField),
  };
  const lines = { format: 'ndjson', mediatype: ndjsonMediaType, encoding: 'utf-8', compression: 'gz' };
  const exports = exportResource.options.map((resource) => ({
    name: resource,
    path: exportFileName(resource),
    description: `One header record, then data records, whose record_type is ${recordTypes[resource]}.`,
    form: lines,
    fields: tableFields(resource, profile),
  }));
  const tables = publicationTable.options.map((table) => ({
    name: `${table}_parquet`,
    path: tableFileName(table),
    description: tableMeanings[table],
    form: { format: 'parquet', mediatype: parquetMediaType },
    fields: describeTable(table, profile).map(tableField),
  }));
  return [...exports, ...tables, csv].flatMap(({ name, path, description, form, fields }) => {
    const file = files.get(path);
    if (!file) return [];
    const { size, sha256, unpacked } = file;
    const content = {
      bytes: size,
      hash: `sha256:${sha256}`,
      schema: { fields },
      ...(unpacked ? { unpacked: { bytes: unpacked.size, hash: `sha256:${unpacked.sha256}` } } : {}),
    };
    return {
      name,
      path,
      profile: 'data-resource',
      description,
      ...form,
      ...content,
    } as DataPackage['resources'][number];
  });
}

function dataSource(about: About | null): DataPackage['sources'][number] {
  const title = `Catalog, store directory and inventory of ${about?.agency ?? 'the agency'}, as retrieved by this service`;
  return { title, ...(about?.source_url ? { path: about.source_url } : {}) };
}

/** The operator's title, or one that names the agency if it is known. */
function dataTitle(about: About | null): string {
  return about?.title ?? (about?.agency ? `Reported inventory of ${about.agency}` : 'Reported inventory');
}

/** The publisher is the site, if the operator states a title or a contact. */
function publisherFields(about: About | null): Pick<DataPackage, 'contributors'> {
  const title = publisherName(about);
  if (title === null) return {};
  const point = about && contactPoint(about);
  const reached = !point ? {} : 'url' in point ? { path: point.url } : point;
  return { contributors: [{ title, ...reached, role: 'publisher' }] };
}

/** The title of the site, or its contact; null if neither is stated. */
export function publisherName(about: About | null): string | null {
  const point = about && contactPoint(about);
  return about?.title ?? (point && ('url' in point ? new URL(point.url).host : point.email));
}

/** The header record is also a row of the table, with all other columns empty. So no column is required. */
function tableFields(resource: ExportResource, profile: Profile): TableField[] {
  return [
    { name: 'record_type', type: 'string', description: `header, or ${recordTypes[resource]}` },
    { name: 'header', type: 'object', description: 'What the header record says; in no other record' },
    ...describeFields(resource, profile).map(tableField),
  ];
}

export function tableField({ name, type, unit, meaning }: ExportFields[number]): TableField {
  return { name, ...tableType(type), description: meaning, ...(unit === null ? {} : { unit }) };
}

const tableTypes: Readonly<Record<string, Pick<TableField, 'type' | 'format'>>> = {
  uuid: { type: 'string', format: 'uuid' },
  string: { type: 'string' },
  integer: { type: 'integer' },
  decimal: { type: 'number' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  'date-time': { type: 'datetime' },
  'array of string': { type: 'array' },
  object: { type: 'object' },
};

/** Drops `or null`, because every column of a table may be empty. */
function tableType(type: string): Pick<TableField, 'type' | 'format'> {
  const known = tableTypes[type.replace(/ or null$/, '')];
  if (!known) throw new Error(`no table type for ${type}`);
  return known;
}

/**
 * How to cite a publication, in the Citation File Format 1.2.0, with the operator's statements. Texts are quoted as in
 * JSON, which is valid YAML. `home`: the address of the site, if it is known. If the operator names no author, the host
 * of that address stands for one. A license that SPDX does not list appears only as a URL.
 */
export function formatCitation(
  { revision, published_at }: { readonly revision: string; readonly published_at: string },
  about: About | null,
  license: DataLicense | null,
  home: string | null,
): string {
  const point = about && contactPoint(about);
  const publisher = publisherName(about) ?? (home === null ? 'unnamed' : new URL(home).host);
  const lines: [string, string | null][] = [
    ['cff-version', '1.2.0'],
    ['type', 'dataset'],
    ['message', 'Please cite the revision that you used, and the day on which you downloaded it.'],
    ['title', dataTitle(about)],
    ['abstract', about?.notice ?? null],
    ['version', revision],
    ['doi', about?.doi ?? null],
    ['date-released', published_at.slice(0, 10)],
    ['license', license && spdxLicense(license.name)],
    ['license-url', license?.path ?? null],
    ['url', home ?? about?.source_url ?? null],
  ];
  const fields = lines.flatMap(([key, value]) => (value === null ? [] : [`${key}: ${JSON.stringify(value)}\n`]));
  const authors = `authors:\n  - name: ${JSON.stringify(about?.agency ?? publisher)}\n`;
  const reached =
    point && ('url' in point ? `website: ${JSON.stringify(point.url)}` : `email: ${JSON.stringify(point.email)}`);
  const contact = reached ? `contact:\n  - name: ${JSON.stringify(publisher)}\n    ${reached}\n` : '';
  return `${fields.join('')}${authors}${contact}`;
}
