import * as z from 'zod';
import { ndjsonMediaType } from '../headers.ts';
import { count, dateTime, text, uuid } from '../primitives.ts';
import { serviceName, serviceStatement } from '../version.ts';
import { describeFields, type ExportResource, exportResource, recordTypes } from './export.ts';
import type { ObjectReference } from './site.ts';

/** A column as Frictionless Table Schema v1 describes it; `unit` is an addition of ours. */
const tableField = z.strictObject({
  name: text,
  type: z.enum(['string', 'integer', 'number', 'boolean', 'datetime', 'array', 'object']),
  format: z.literal('uuid').optional(),
  description: text,
  unit: text.optional(),
});

type TableField = z.infer<typeof tableField>;

const packageResource = z.strictObject({
  name: exportResource,
  path: text,
  profile: z.literal('data-resource'),
  description: text,
  format: z.literal('ndjson'),
  mediatype: z.literal(ndjsonMediaType),
  encoding: z.literal('utf-8'),
  compression: z.literal('gz'),
  bytes: count,
  hash: z.string().regex(/^sha256:[0-9a-f]{64}$/),
  schema: z.strictObject({ fields: z.array(tableField) }),
});

/** The export files of a publication as a Frictionless Data Package v1: `bytes` and `hash` are of the gzip files. */
export const dataPackage = z
  .strictObject({
    profile: z.literal('data-package'),
    name: z.string().regex(/^[-a-z0-9._/]+$/),
    id: uuid,
    title: text,
    description: text,
    version: uuid,
    created: dateTime,
    sources: z.array(z.strictObject({ title: text })).min(1),
    resources: z.array(packageResource),
  })
  .meta({ id: 'DataPackage' });

export type DataPackage = z.infer<typeof dataPackage>;

/** The export files of one publication as they are downloaded. */
export type ExportObjects = Readonly<Record<ExportResource, ObjectReference>>;

/** What an export's file is called beside the package that speaks of it. */
export function exportFileName(resource: ExportResource): string {
  return `${resource}.ndjson.gz`;
}

/** `SHA256SUMS` as coreutils' sha256sum prints and checks it: a line a file, sorted by name. */
export function formatChecksums(files: ExportObjects): string {
  const lines = exportResource.options.map((resource) => `${files[resource].sha256}  ${exportFileName(resource)}\n`);
  return lines.sort((a, b) => (a.slice(66) < b.slice(66) ? -1 : 1)).join('');
}

/**
 * The package of a publication. It follows from the publication and its files alone, so that its bytes never change.
 * It names no license: whose the reported facts are is not this program's to say.
 */
export function dataPackageOf(
  { revision, published_at }: { readonly revision: string; readonly published_at: string },
  files: ExportObjects,
): DataPackage {
  return {
    profile: 'data-package',
    name: `reported-inventory-${revision}`,
    id: revision,
    title: serviceName,
    description: serviceStatement,
    version: revision,
    created: published_at,
    sources: [{ title: 'Catalog, store directory and inventory of the agency, as retrieved by this service' }],
    resources: exportResource.options.map((resource) => ({
      name: resource,
      path: exportFileName(resource),
      profile: 'data-resource',
      description: `One header record, then data records, whose record_type is ${recordTypes[resource]}.`,
      format: 'ndjson',
      mediatype: ndjsonMediaType,
      encoding: 'utf-8',
      compression: 'gz',
      bytes: files[resource].size,
      hash: `sha256:${files[resource].sha256}`,
      schema: { fields: tableFields(resource) },
    })),
  };
}

/** The header record makes a row too, in which every other column is empty: so no column is required. */
function tableFields(resource: ExportResource): TableField[] {
  return [
    { name: 'record_type', type: 'string', description: `header, or ${recordTypes[resource]}` },
    { name: 'header', type: 'object', description: 'What the header record says; in no other record' },
    ...describeFields(resource).map(({ name, type, unit, meaning }) => ({
      name,
      ...tableType(type),
      description: meaning,
      ...(unit === null ? {} : { unit }),
    })),
  ];
}

const tableTypes: Readonly<Record<string, Pick<TableField, 'type' | 'format'>>> = {
  uuid: { type: 'string', format: 'uuid' },
  string: { type: 'string' },
  integer: { type: 'integer' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  'date-time': { type: 'datetime' },
  'array of string': { type: 'array' },
  object: { type: 'object' },
};

/** `integer or null` is an integer: every column of a table may be empty. */
function tableType(type: string): Pick<TableField, 'type' | 'format'> {
  const known = tableTypes[type.replace(/ or null$/, '')];
  if (!known) throw new Error(`no table type for ${type}`);
  return known;
}
