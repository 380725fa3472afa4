import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { addressTable, deployStages } from '../../../contract/addresses.ts';
import { cacheControl, objectMediaType, siteFileCacheControl } from '../../../contract/headers.ts';
import { explorerFile, objectPath, parsePath } from '../../../contract/paths.ts';
import { contentDisposition } from '../../../contract/routes.ts';
import type { Route } from '../../../contract/schemas/site-files.ts';
import { Failure } from '../../files/failure.ts';
import { type Digests, digestBytes } from '../../site/checked-files.ts';

/** The headers that a bucket sends with a file, named as in a plan. */
export type Delivery = {
  readonly content_type: string;
  readonly cache_control: string;
  readonly content_encoding: string | null;
  readonly content_disposition: string | null;
  readonly metadata: Readonly<Record<string, string>>;
};

/** The kinds of uploads, in the order of upload. `pages`: documents that never change, and exports. */
export const uploadKinds = ['route_tables', 'objects', 'pages', 'documents', 'signature', 'pointer'] as const;
export type UploadKind = (typeof uploadKinds)[number];

/**
 * `name`: the key below the prefix. `file`: the path of the bytes in the site's folder. `step`: lower steps are
 * uploaded first. `md5` in hex: the ETag that the bucket gives it.
 */
export type Upload = Digests & {
  readonly name: string;
  readonly file: string;
  readonly kind: UploadKind;
  readonly step: number;
  readonly delivery: Delivery;
};

/** Roots come before shards, and both before what they name, so a killed deploy's files can be found from roots. */
const steps = { root: 0, shard: 1, object: 2, page: 3, document: 4 } as const;

export function plainDelivery(content_type: string, cache_control: string): Delivery {
  return { content_type, cache_control, content_encoding: null, content_disposition: null, metadata: {} };
}

const objectDelivery = plainDelivery(objectMediaType, siteFileCacheControl.object);

/** Signature and pointer follow all documents. */
export const lastSteps = {
  signature: steps.document + deployStages.length,
  pointer: steps.document + deployStages.length + 1,
};

/** An object gets the name by which mirrors and the worker request it. */
export function objectUpload({ sha256, md5, size }: Digests, part: 'root' | 'shard' | 'object'): Upload {
  const name = objectPath(sha256);
  const kind = part === 'object' ? 'objects' : 'route_tables';
  return { name, file: name, sha256, md5, size, kind, step: steps[part], delivery: objectDelivery };
}

/** The document gets its public address. `revision`: of the publication to deploy. */
export function documentUpload(route: Route, revision: string): Upload {
  const { path, sha256, size, etag, cache } = route;
  const isPage = cache === 'immutable';
  return {
    name: documentName(path),
    file: objectPath(sha256),
    sha256,
    md5: etag.slice(1, -1),
    size,
    kind: isPage ? 'pages' : 'documents',
    step: isPage ? steps.page : steps.document + uploadStage(path),
    delivery: documentDelivery(route, revision),
  };
}

/**
 * The key of a document, below the prefix. A bucket has no empty key, so the explorer at `/` has the name of its file.
 */
export function documentName(path: string): string {
  return path.slice(1) || explorerFile;
}

/** Whether a bucket sends both documents with the same headers, apart from the publication revision. */
export function isDeliveredAlike(a: Route, b: Route): boolean {
  return (['media_type', 'encoding', 'cache', 'last_modified'] as const).every((key) => a[key] === b[key]);
}

/** A bucket can send neither X-Publication-Revision nor a given Last-Modified, so both are metadata there. */
function documentDelivery(route: Route, revision: string): Delivery {
  const ofExport = parsePath(route.path)?.parameters.revision ?? revision;
  return {
    content_type: route.media_type,
    cache_control: cacheControl(route),
    content_encoding: route.encoding,
    content_disposition: contentDisposition(route),
    metadata: { 'publication-revision': ofExport, 'last-modified': route.last_modified },
  };
}

/** Larger files are streamed, so that all concurrent uploads fit into memory. */
const largestInMemory = 4 * 1024 * 1024;

/**
 * A request body that is compared with its hashes before the first byte is sent. A large file is read twice. Its hash
 * is signed, so a bucket refuses a file that changes in between. Throws a Failure if the file is missing or damaged.
 */
export async function soundBody(directory: string, upload: Upload): Promise<() => Uint8Array | Readable> {
  const path = join(directory, upload.file);
  try {
    if (upload.size <= largestInMemory) {
      const bytes = await readFile(path);
      refuseDamage(path, upload, digestBytes(bytes));
      return () => bytes;
    }
    refuseDamage(path, upload, await digestFile(path));
    return () => createReadStream(path);
  } catch (error) {
    const { code } = error as { readonly code?: string };
    if (code === undefined || error instanceof Failure) throw error;
    throw new Failure('site_damaged', `${path}: expected ${upload.size} bytes, got ${code}; the pointer was not moved`);
  }
}

async function digestFile(path: string): Promise<Digests> {
  const [sha256, md5] = [createHash('sha256'), createHash('md5')];
  let size = 0;
  for await (const piece of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    sha256.update(piece);
    md5.update(piece);
    size += piece.length;
  }
  return { sha256: sha256.digest('hex'), md5: md5.digest('hex'), size };
}

function refuseDamage(path: string, expected: Digests, got: Digests): void {
  for (const key of ['sha256', 'size', 'md5'] as const) {
    if (got[key] === expected[key]) continue;
    throw new Failure(
      'site_damaged',
      `${path}: expected ${key} ${expected[key]}, got ${got[key]}; the pointer was not moved; build --full repairs the site`,
    );
  }
}

function uploadStage(path: string): number {
  const kind = parsePath(path)?.kind;
  return deployStages.indexOf(kind ? addressTable[kind].stage : 'lists');
}
