import type { Route } from './schemas/site-files.ts';

export const jsonMediaType = 'application/json';
export const atomMediaType = 'application/atom+xml';
export const problemMediaType = 'application/problem+json';
export const ndjsonMediaType = 'application/x-ndjson';
/** The media type of Parquet, as registered with IANA. */
export const parquetMediaType = 'application/vnd.apache.parquet';
/** Avro has no registered media type. Its own programs use this one. */
export const avroMediaType = 'avro/binary';
export const csvMediaType = 'text/csv; charset=utf-8';
/** A set of links (RFC 9264) that is a catalog of APIs (RFC 9727). */
export const apiCatalogMediaType = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';
export const xmlMediaType = 'application/xml; charset=utf-8';
export const objectMediaType = 'application/octet-stream';
export const htmlMediaType = 'text/html; charset=utf-8';
export const scriptMediaType = 'text/javascript; charset=utf-8';
export const styleMediaType = 'text/css; charset=utf-8';
export const textMediaType = 'text/plain; charset=utf-8';

/** Errors have these headers too (contract.md 5). */
export const commonHeaders: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'ETag, Last-Modified, X-Publication-Revision, X-Request-ID, Retry-After, Content-Disposition, Accept-Ranges, Content-Range, RateLimit, RateLimit-Policy',
  'X-Content-Type-Options': 'nosniff',
};

/** The methods that a refusal of any other method names. */
export const allowedMethods = 'GET, HEAD, OPTIONS';

/** The headers that answers to CORS preflights have (Fetch 3.3.2) besides those of every answer. */
export const preflightHeaders: Readonly<Record<string, string>> = {
  Allow: allowedMethods,
  'Access-Control-Allow-Methods': allowedMethods,
  'Access-Control-Allow-Headers': 'If-None-Match, If-Modified-Since, If-Match, If-Unmodified-Since, If-Range, Range',
  'Access-Control-Max-Age': '86400',
};

/** Intermediaries must not transform files that clients can ask ranges of. */
export function cacheControl({ cache, media_type }: Pick<Route, 'cache' | 'media_type'>): string {
  const policy =
    cache === 'revalidate' ? 'public, max-age=60, stale-while-revalidate=600' : 'public, max-age=31536000, immutable';
  return isDownloadType(media_type) ? `${policy}, no-transform` : policy;
}

/** Whether a media type is that of downloads. No other answer has such a type. */
export function isDownloadType(mediaType: string): boolean {
  return (
    mediaType === ndjsonMediaType ||
    mediaType === parquetMediaType ||
    mediaType === csvMediaType ||
    mediaType === avroMediaType
  );
}

/**
 * How long caches may keep the files that mirrors read. The pointer and its signature stay fresh for seconds. Objects
 * never change: their name is their hash.
 */
export const siteFileCacheControl = {
  pointer: 'public, max-age=5',
  signature: 'public, max-age=5',
  object: 'public, max-age=31536000, immutable, no-transform',
} as const;

/**
 * The Last-Modified of an answer sent now. It is never later than the answer itself, RFC 9110 8.8.2.1, although a
 * publication may be dated a few hours ahead. `now`: milliseconds since 1970.
 */
export function lastModified(instant: string, now: number): string {
  // The Date of an answer may be one second old.
  return httpDate(Date.parse(instant) <= now ? instant : new Date(now - 1000).toISOString());
}

/** `2024-01-02T22:26:37Z` as an HTTP-date, RFC 9110 5.6.7. */
export function httpDate(instant: string): string {
  return new Date(instant).toUTCString();
}
