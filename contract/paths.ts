import { type AddressKind, addressPaths } from './address-paths.ts';
import { csvFileName, exportFileName, tableFileName } from './export-names.ts';
import { monthOf } from './instant.ts';
import { agencyCode } from './profile.ts';
import type { ObjectReference } from './schemas/site-files.ts';
import { isFileName, objectPath, pointerFile, prefix, signatureFile } from './site-layout.ts';

import {
  categoryPattern,
  exportResources,
  type IcebergTable,
  icebergTables,
  monthPattern,
  publicationTables,
} from './vocabulary.ts';

export * from './site-layout.ts';

/** A regular expression for ids in paths. */
export const uuidPattern = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

const parameters = {
  product_id: uuidPattern,
  store_id: uuidPattern,
  family_id: uuidPattern,
  brand_id: uuidPattern,
  category_id: categoryPattern,
  revision: uuidPattern,
  snapshot: uuidPattern,
  sku: agencyCode,
  code: agencyCode,
  slug: '[a-z0-9-]+',
  resource: exportResources.join('|'),
  table: publicationTables.join('|'),
  iceberg_table: icebergTables.join('|'),
  context: 'products_over_time|stores_over_time|categories|coverage',
  problem: '[A-Z_]+',
  number: '[1-9][0-9]*',
  month: monthPattern,
  digest: '[0-9a-f]{16}',
  asset: '[0-9a-z]{8,16}',
} as const;

type Parameter = keyof typeof parameters;

export { addressPaths as templates };

type ParametersIn<Template extends string> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends Parameter ? Name : never) | ParametersIn<Rest>
  : never;

export type PathParameters<Kind extends AddressKind> = Record<ParametersIn<(typeof addressPaths)[Kind]>, string>;

export const placeholder = /\{([a-z_]+)\}/g;

const matchers = (Object.entries(addressPaths) as [AddressKind, string][]).map(([kind, template]) => ({
  kind,
  beginning: template.split('{', 1)[0] ?? '',
  ending: template.slice(template.lastIndexOf('}') + 1),
  names: [...template.matchAll(placeholder)].map(([, name]) => name as Parameter),
  pattern: new RegExp(
    `^${template.replaceAll('.', '\\.').replace(placeholder, (_, name: Parameter) => `(${parameters[name]})`)}$`,
  ),
}));

/** The kinds of addresses without parameters, by path, and what may match the others, by how many parts a path has. */
const fixedKinds: ReadonlyMap<string, AddressKind> = new Map(
  matchers.flatMap(({ kind, names }) => (names.length === 0 ? [[addressPaths[kind], kind]] : [])),
);
const matchersByParts = Map.groupBy(
  matchers.filter(({ names }) => names.length > 0),
  ({ kind }) => addressPaths[kind].split('/').length,
);

/** The templates, split at their parameters: a text, a name, a text, and so on. */
const pieces = Object.fromEntries(
  Object.entries(addressPaths).map(([kind, template]) => [kind, template.split(placeholder)]),
) as unknown as Readonly<Record<AddressKind, readonly string[]>>;

/** The path of an address, with `/v1`. */
export function formatPath<Kind extends AddressKind>(
  kind: Kind,
  ...[values]: [keyof PathParameters<Kind>] extends [never] ? [] : [PathParameters<Kind>]
): string {
  const given: Readonly<Record<string, string>> = values ?? {};
  return pieces[kind].map((piece, index) => (index % 2 === 0 ? piece : given[piece])).join('');
}

/** The inverse of {@link formatPath}; null if the path addresses nothing. */
export function parsePath(path: string): { kind: AddressKind; parameters: Partial<Record<Parameter, string>> } | null {
  const fixed = fixedKinds.get(path);
  if (fixed !== undefined) return { kind: fixed, parameters: {} };
  for (const { kind, beginning, ending, names, pattern } of matchersByParts.get(path.split('/').length) ?? []) {
    const match = path.startsWith(beginning) && path.endsWith(ending) ? pattern.exec(path) : null;
    if (match) return { kind, parameters: Object.fromEntries(names.map((name, i) => [name, match[i + 1] ?? ''])) };
  }
  return null;
}

/**
 * The patterns of all addresses except `/` and `/v1`. The files of `documents` have `.json` added to their addresses;
 * those of `named` have nothing added.
 */
export function addressPatterns(): { readonly named: readonly string[]; readonly documents: readonly string[] } {
  const sources = matchers
    .filter(({ kind }) => kind !== 'service_index' && kind !== 'explorer')
    .map(({ kind, pattern }) => ({ isNamed: isFileName(addressPaths[kind]), source: pattern.source.slice(1, -1) }));
  const patternSources = (isNamed: boolean) =>
    sources.filter((each) => each.isNamed === isNamed).map(({ source }) => source.replaceAll('\\/', '/'));
  return { named: patternSources(true), documents: patternSources(false) };
}

export const siteLink = 'site';

export function checkoutFolder(revision: string): string {
  return `checkouts/${revision}`;
}

/** A file that a host serves for mirrors, in addition to the answers. Its address is its path in the site's folder. */
export type SiteFileAddress =
  | { readonly kind: 'pointer' | 'signature' }
  | { readonly kind: 'object'; readonly sha256: string };

/** The file that a path addresses; null if it addresses no such file. */
export function parseSiteFile(path: string): SiteFileAddress | null {
  if (path === `/${pointerFile}`) return { kind: 'pointer' };
  if (path === `/${signatureFile}`) return { kind: 'signature' };
  const sha256 = /^\/objects\/[0-9a-f]{2}\/([0-9a-f]{64})$/.exec(path)?.[1];
  return sha256 !== undefined && path === `/${objectPath(sha256)}` ? { kind: 'object', sha256 } : null;
}

/** Prints the path of a document as it is, or as an absolute URL below the base URL. */
export type Addresser = (path: string) => string;

/**
 * Returns a function that prints addresses. Without a `baseUrl`, they are absolute paths. Adds `/v1` to a `baseUrl`
 * that does not end with it.
 */
export function addresser(baseUrl: string | null): Addresser {
  if (baseUrl === null) return (path) => path;
  const trimmed = baseUrl.replace(/\/+$/, '');
  const base = trimmed.endsWith(prefix) ? trimmed.slice(0, -prefix.length) : trimmed;
  return (path) => base + path;
}

/** The addresses of a publication's export files, by their names in the folder of its data package. */
export function exportFiles(revision: string): Map<string, string> {
  const ndjson = exportResources.map(
    (resource) => [exportFileName(resource), formatPath('export', { revision, resource })] as const,
  );
  const parquet = publicationTables.map(
    (table) => [tableFileName(table), formatPath('export_parquet', { revision, table })] as const,
  );
  return new Map([...ndjson, ...parquet, [csvFileName, formatPath('products_csv', { revision })]]);
}

/** Addresses that always lead to the current publication, each with the file's address below its revision or month. */
export function latestFiles({
  revision,
  published_at,
}: {
  readonly revision: string;
  readonly published_at: string;
}): ReadonlyMap<string, string> {
  return new Map([
    ...exportResources.map(
      (resource) => [formatPath('latest_export', { resource }), formatPath('export', { revision, resource })] as const,
    ),
    ...publicationTables.map(
      (table) => [formatPath('latest_parquet', { table }), formatPath('export_parquet', { revision, table })] as const,
    ),
    [formatPath('latest_products_csv'), formatPath('products_csv', { revision })],
    [formatPath('latest_checksums'), formatPath('export_checksums', { revision })],
    [formatPath('latest_citation'), formatPath('export_citation', { revision })],
    [formatPath('latest_package'), formatPath('export_package', { revision })],
    [formatPath('daily_csv'), formatPath('daily_month_csv', { month: monthOf(published_at) })],
  ]);
}

export function icebergFilePath(table: IcebergTable, revision: string): string {
  return table === 'changes'
    ? formatPath('publication_changes_parquet', { revision })
    : formatPath('export_parquet', { revision, table });
}

/** Every address of an Iceberg table begins with this path. */
export function icebergFolder(table: IcebergTable): string {
  return `${prefix}/iceberg/${table}`;
}

/** The name of a publication's manifest, in the folder `metadata` of its Iceberg table. */
export function manifestName(revision: string): string {
  return `${revision}.avro`;
}

/** The name of the manifest of what a publication replaced. It is in the same folder. */
export function deletionsName(revision: string): string {
  return `deleted-${revision}.avro`;
}

/**
 * The name of a publication's manifest list. It has a hash, because the list changes when a publication expires, while
 * readers may still hold the earlier one.
 */
export function manifestListName(revision: string, digest: string): string {
  return `snap-${revision}-${digest}.avro`;
}

/**
 * A publication's export files that exist, by name. `fileAt` finds the file at an address, and returns null if there is
 * none.
 */
export function exportObjects(
  revision: string,
  fileAt: (path: string) => ObjectReference | null,
): ReadonlyMap<string, ObjectReference> {
  const found = [...exportFiles(revision)].map(([name, path]) => [name, fileAt(path)] as const);
  return new Map(found.flatMap(([name, file]) => (file ? [[name, { sha256: file.sha256, size: file.size }]] : [])));
}
