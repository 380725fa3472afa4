import { addressTable } from './addresses.ts';
import { explorerHeaders } from './explorer-headers.ts';
import {
  cacheControl,
  commonHeaders,
  httpDate,
  jsonMediaType,
  ndjsonMediaType,
  objectMediaType,
  siteFileCacheControl,
} from './headers.ts';
import { parsePath, type SiteFileAddress } from './paths.ts';
import { contentDisposition } from './routes.ts';
import type { Route } from './schemas/site-files.ts';

type Headers = Readonly<Record<string, string>>;

/** The headers of an answer, except its length. `known`: also for a 304. `described`: only for a 200. */
type FileHeaders = { readonly known: Headers; readonly described: Headers & { readonly 'Content-Type': string } };

/** The headers of a file that a mirror reads, without its entity tag. */
export function siteFileHeaders(kind: SiteFileAddress['kind']): FileHeaders {
  return {
    known: { ...commonHeaders, 'Cache-Control': siteFileCacheControl[kind] },
    described: { 'Content-Type': siteFileTypes[kind] },
  };
}

const siteFileTypes = { pointer: jsonMediaType, signature: ndjsonMediaType, object: objectMediaType } as const;

/**
 * The headers of an answer (contract.md 5). `revision`: that of the current publication. `etag`, `encoding`: those of
 * the stored form that is sent.
 */
export function routeHeaders(
  route: Route,
  revision: string,
  { etag, encoding }: { readonly etag: string; readonly encoding: string | null } = route,
): FileHeaders {
  const address = parsePath(route.path);
  const disposition = contentDisposition(route);
  const { link = null, isDownload = false } = address === null ? {} : addressTable[address.kind];
  return {
    known: {
      ...commonHeaders,
      'Last-Modified': httpDate(route.last_modified),
      'Cache-Control': cacheControl(route),
      // An export belongs to the revision in its path, even if another one is current.
      'X-Publication-Revision': address?.parameters.revision ?? revision,
      ...(route.variants === undefined ? {} : { Vary: 'Accept-Encoding' }),
      ...(address?.kind === 'explorer' ? explorerHeaders : {}),
      ETag: etag,
    },
    described: {
      'Content-Type': route.media_type,
      ...(encoding ? { 'Content-Encoding': encoding } : {}),
      ...(link ? { Link: link } : {}),
      ...(disposition ? { 'Content-Disposition': disposition } : {}),
      ...(isDownload ? { 'Accept-Ranges': 'bytes' } : {}),
    },
  };
}
