import { cacheControl, objectMediaType, siteFileCacheControl } from '../contract/headers.ts';
import { objectPath, parsePath } from '../contract/paths.ts';
import type { ObjectReference, Route } from '../contract/site.ts';
import { documentRank, documentRanks } from './document-order.ts';

/** What a bucket says of a file when it sends it. */
export type Delivery = {
  readonly contentType: string;
  readonly cacheControl: string;
  readonly contentEncoding: string | null;
  readonly metadata: Readonly<Record<string, string>>;
};

/** Sorts of files, in the order in which they go up. `pages`: documents that never change, and exports. */
export const uploadKinds = ['route_tables', 'objects', 'pages', 'documents', 'signature', 'pointer'] as const;
export type UploadKind = (typeof uploadKinds)[number];

/**
 * A file that the bucket is to hold. `name`: its key below the prefix; `file`: where its bytes stand in the folder; `step`: all
 * of a lower one go up before it. `md5` in hex: the entity tag that the bucket gives it.
 */
export type Upload = {
  readonly name: string;
  readonly file: string;
  readonly sha256: string;
  readonly md5: string;
  readonly size: number;
  readonly kind: UploadKind;
  readonly step: number;
  readonly delivery: Delivery;
};

type Known = ObjectReference & { readonly md5: string };

/** Roots come before shards, and both before what they name: what a killed deploy left can be found from its roots. */
const steps = { root: 0, shard: 1, object: 2, page: 3, document: 4 } as const;

const objectDelivery: Delivery = {
  contentType: objectMediaType,
  cacheControl: siteFileCacheControl.object,
  contentEncoding: null,
  metadata: {},
};

/** The steps of signature and pointer, after all documents. */
export const lastSteps = { signature: steps.document + documentRanks, pointer: steps.document + documentRanks + 1 };

/** An object under the name that mirrors and the worker ask for. */
export function objectUpload({ sha256, md5, size }: Known, part: 'root' | 'shard' | 'object'): Upload {
  const name = objectPath(sha256);
  const kind = part === 'object' ? 'objects' : 'route_tables';
  return { name, file: name, sha256, md5, size, kind, step: steps[part], delivery: objectDelivery };
}

/** A document under its public address. `revision`: the publication that is deployed. */
export function documentUpload(route: Route, revision: string): Upload {
  const { path, sha256, size, etag, cache } = route;
  const isPage = cache === 'immutable';
  const delivery = documentDelivery(route, revision);
  const place = {
    kind: isPage ? 'pages' : 'documents',
    step: isPage ? steps.page : steps.document + documentRank(path),
  } as const;
  return {
    name: documentName(path),
    file: objectPath(sha256),
    sha256,
    md5: etag.slice(1, -1),
    size,
    ...place,
    delivery,
  };
}

/** The key of an address, below the prefix. */
export function documentName(path: string): string {
  return path.slice(1);
}

/** Whether a bucket says the same of two routes, but for the publication that its bytes came with. */
export function isDeliveredAlike(a: Route, b: Route): boolean {
  return (
    a.media_type === b.media_type &&
    a.encoding === b.encoding &&
    a.cache === b.cache &&
    a.last_modified === b.last_modified
  );
}

/** A bucket sends neither X-Publication-Revision nor a Last-Modified that it is told: both are metadata there. */
function documentDelivery(route: Route, revision: string): Delivery {
  const own = parsePath(route.path)?.parameters.revision ?? revision;
  return {
    contentType: route.media_type,
    cacheControl: cacheControl(route),
    contentEncoding: route.encoding,
    metadata: { 'publication-revision': own, 'last-modified': route.last_modified },
  };
}
