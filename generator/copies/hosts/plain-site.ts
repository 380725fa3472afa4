import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { addressTable } from '../../../contract/addresses.ts';
import * as headers from '../../../contract/headers.ts';
import {
  addresser,
  explorerFile,
  formatPath,
  pointerFile,
  signatureFile,
  uuidPattern,
} from '../../../contract/paths.ts';
import { type ProblemCode, problemKinds } from '../../../contract/problem.ts';
import { formerSkuIndex } from '../../../contract/schemas/product.ts';
import { Failure } from '../../files/failure.ts';
import { packageFolder } from '../../files/package-files.ts';
import { baseAddress, profileIn, readPreviousSite, soundDocument } from '../../site/built-site.ts';
import { refusePart } from '../../site/mirror-holding.ts';
import type { Routes } from '../../site/route-table.ts';
import { Storage } from '../../site/storage.ts';

export type Placement = {
  readonly directory: string;
  readonly out: string;
  /** The site's folder on the machine that serves it; null for this machine. */
  readonly root: string | null;
  /** Port, or address and port. */
  readonly listen: string;
  /** The name that the server answers to; null for any name. */
  readonly serverName: string | null;
  /** The root URL of a host with the shim, which answers queries; null if there is none. */
  readonly shim: string | null;
};

export function defaultPlacement(directory: string): Placement {
  return { directory, out: join(directory, 'hosts'), root: null, listen: '8080', serverName: null, shim: null };
}

/** `name`: the file's path below the folder that all these files are written to. */
export type HostFile = { readonly name: string; readonly text: string };

export type PlainSite = ReturnType<typeof readPlainSite>;

/**
 * Reads what the configuration of a plain host is made from. Throws a Failure if there is no site, if it is a partial
 * mirror, if another publication replaces it in between, or if configurations cannot hold the name of a folder.
 */
export function readPlainSite({ directory, out, root, listen, serverName, shim }: Placement) {
  const storage = new Storage(directory);
  const bytes = storage.read(pointerFile);
  const site = readPreviousSite(storage);
  if (site === null || bytes === null)
    throw new Failure('site_missing', `${directory}: expected a built site or a mirror, got no ${pointerFile}`);
  if (!storage.read(pointerFile)?.equals(bytes)) {
    throw new Failure('busy', `${directory}: the publication changed while it was read; run again after the build`);
  }
  refusePart(directory, storage, bytes);
  const signature = storage.read(signatureFile);
  const onHost = root ?? resolve(directory);
  const below = relative(resolve(directory), resolve(out));
  if (root !== null && (below.startsWith('..') || isAbsolute(below))) {
    throw new Failure(
      'wrong_value',
      `${out}: expected a folder in ${directory}, because its files name each other by their paths on the machine that serves them, below ${root}`,
    );
  }
  const outOnHost = root === null ? resolve(out) : `${root}/${below}`;
  for (const path of [onHost, outOnHost]) checkPath(path);
  const routes = [...site.routes.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  return {
    pointer: site.pointer,
    routes,
    address: addresser(baseAddress(storage, site) || null),
    /** SKUs that several products had before. */
    ambiguousSkus: ambiguousSkus(storage, site.routes),
    skuPattern: profileIn(storage, site.routes).sku.pattern,
    /** The content of the files as text. `signature` is null if the site is not signed. */
    files: { pointer: bytes.toString(), signature: signature?.toString() ?? null },
    /** Identifies the pointer and signature that the files are made from: 16 hex digits. */
    generation: hash('sha256', Buffer.concat([bytes, signature ?? Buffer.alloc(0)])).slice(0, 16),
    directory: resolve(directory),
    /** Folders on the machine that serves them. */
    root: onHost,
    outOnHost,
    listen,
    serverName,
    shim,
  };
}

/** Throws a Failure for spaces, quotes and special characters, which each configuration escapes differently. */
function checkPath(path: string): void {
  if (/^\/[\w\-./@+,:]*$/.test(path)) return;
  throw new Failure(
    'wrong_value',
    `${path}: expected an absolute path of only letters, digits and -_./@+,: because it goes into configuration files`,
  );
}

function ambiguousSkus(storage: Storage, routes: Routes): readonly string[] {
  const document = soundDocument(storage, routes, formatPath('former_skus'));
  return document === null ? [] : formerSkuIndex.parse(document).ambiguous;
}

/** Patterns of requested paths, each with the code of its 404 (contract.md 6); otherwise `RESOURCE_NOT_FOUND`. */
export function notFoundRules({
  ambiguousSkus,
  skuPattern,
}: PlainSite): (readonly [pattern: string, code: ProblemCode])[] {
  return [
    ...(ambiguousSkus.length === 0
      ? []
      : [[`^/v1/products/by-sku/(${ambiguousSkus.join('|')})$`, 'SKU_AMBIGUOUS'] as const]),
    [`^/v1/products/by-sku/${skuPattern.slice(1, -1)}$`, 'SKU_NOT_FOUND'],
    [`^/v1/products/${uuidPattern}(/availability|/changes)?$`, 'PRODUCT_NOT_FOUND'],
  ];
}

export const hostProblems: readonly ProblemCode[] = [
  'INVALID_PARAMETER',
  'METHOD_NOT_ALLOWED',
  'PRECONDITION_FAILED',
  'URI_TOO_LONG',
  'RANGE_NOT_SATISFIABLE',
  'NO_PUBLICATION',
  'INTERNAL',
];

/**
 * The body of a problem (contract.md 6). `instance`, `requestId` and `parameter`, the name of the invalid one, are
 * variables that a host fills in, in its own syntax.
 */
export function problemBody(
  { address }: PlainSite,
  code: ProblemCode,
  { instance, requestId, parameter }: Readonly<Record<'instance' | 'requestId' | 'parameter', string>>,
): string {
  const { title, status, detail } = problemKinds[code];
  return JSON.stringify({
    type: address(formatPath('problem', { problem: code })),
    title,
    status,
    detail,
    instance,
    code,
    request_id: requestId,
    ...(code === 'INVALID_PARAMETER' ? { invalid_params: [{ name: parameter, reason }] } : {}),
  });
}

const reason = 'is not answered here: this host serves files and computes nothing';

export function readTemplate(name: string): string {
  return readFileSync(new URL(`templates/${name}`, packageFolder), 'utf8');
}

/** A regular expression for the addresses of a template. Its end is open. */
export function patternOf(template: string): string {
  return template.replaceAll('.', '\\.').replace(/\{[a-z_]+\}/g, '[^/]+');
}

export type Values = Readonly<Record<string, string | number>>;

/** Replaces each `{{name}}` by its value. Throws an error for a missing value. */
export function fillTemplate(template: string, values: Values): string {
  return template.replace(/\{\{([a-z_]+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`a template names ${name}, which is not given`);
    return String(value);
  });
}

/** Copies the pointer and its signature into a folder that changes together with the configuration. */
export function pointerFiles({ files: { pointer, signature } }: PlainSite, folder: string): HostFile[] {
  const ofPointer = { name: `${folder}/${pointerFile}`, text: pointer };
  return signature === null ? [ofPointer] : [ofPointer, { name: `${folder}/${signatureFile}`, text: signature }];
}

/** Addresses without a file. Only a host with the shim answers them. */
export const computedPaths = [formatPath('search'), formatPath('comparison')] as const;

export function commonValues({ pointer, directory, root, outOnHost, listen, serverName }: PlainSite): Values {
  return {
    revision: pointer.revision,
    sequence: pointer.sequence,
    published_at: pointer.published_at,
    directory,
    root,
    copy: directory === root ? '' : `rsync -rlptH --delete-after ${directory}/ host:${root}/\n`,
    nginx_folder: `${outOnHost}/nginx`,
    caddy_folder: `${outOnHost}/caddy`,
    static_folder: `${outOnHost}/static`,
    listen,
    server_name: serverName ?? '_',
    methods: headers.allowedMethods,
    expose: headers.commonHeaders['Access-Control-Expose-Headers'] ?? '',
    json_type: headers.jsonMediaType,
    ndjson_type: headers.ndjsonMediaType,
    csv_type: headers.csvMediaType,
    parquet_type: headers.parquetMediaType,
    avro_type: headers.avroMediaType,
    api_catalog_type: headers.apiCatalogMediaType,
    xml_type: headers.xmlMediaType,
    object_type: headers.objectMediaType,
    problem_type: headers.problemMediaType,
    atom_type: headers.atomMediaType,
    text_type: headers.textMediaType,
    text_names: textNames,
    html_type: headers.htmlMediaType,
    script_type: headers.scriptMediaType,
    style_type: headers.styleMediaType,
    explorer_file: explorerFile,
    cache_document: headers.cacheControl({ cache: 'revalidate', media_type: headers.jsonMediaType }),
    cache_page: headers.cacheControl({ cache: 'immutable', media_type: headers.jsonMediaType }),
    cache_export: headers.cacheControl({ cache: 'immutable', media_type: headers.ndjsonMediaType }),
    cache_table: headers.cacheControl({ cache: 'revalidate', media_type: headers.parquetMediaType }),
    cache_object: headers.siteFileCacheControl.object,
    cache_pointer: headers.siteFileCacheControl.pointer,
  };
}

/** A regular expression for the text files next to exports. Their names have capitals, and one has no extension. */
const textNames = Object.values(addressTable)
  .filter(({ mediaType, path }) => mediaType === headers.textMediaType && path.startsWith(formatPath('exports')))
  .map(({ path }) => path.slice(path.lastIndexOf('/') + 1).replaceAll('.', '\\.'))
  .join('|');

export const links = Object.values(addressTable).flatMap(({ path, link }) =>
  link === null ? [] : [[path, link] as const],
);

/** The headers of an answer to a preflight request, one on each line, in the syntax of a host. */
export function headerLines(line: (name: string, value: string) => string): string {
  return Object.entries(headers.preflightHeaders)
    .map(([name, value]) => line(name, value))
    .join('\n');
}
