import * as z from 'zod';
import { count, dateTime, dateTimeToSecond, sha256, uuid } from './primitives.ts';

const sequence = z.int().min(1);

/** `revalidate`: the address's bytes may change. `immutable`: they never do. */
export const cachePolicy = z.enum(['revalidate', 'immutable']);
export type CachePolicy = z.infer<typeof cachePolicy>;

export const contentEncoding = z.literal('gzip').nullable();

/** The same answer compressed when the site was built: an object of its own, with a strong tag of its own. */
export const variant = z.strictObject({
  encoding: z.enum(['br', 'gzip']),
  sha256,
  size: count,
  etag: z.string().regex(/^"[0-9a-f]{32}"$/),
});

export type Variant = z.infer<typeof variant>;

/** One address of the site and the object that answers it. `size` in bytes; `etag` with its quotes. */
export const route = z.strictObject({
  path: z.string().regex(/^\/v1(\/[^/]+)*$/),
  sha256,
  size: count,
  etag: z.string().regex(/^"[0-9a-f]{32}"$/),
  media_type: z.string(),
  encoding: contentEncoding,
  cache: cachePolicy,
  last_modified: dateTimeToSecond,
  /** Smallest first; left out where the answer is sent as it is to everyone. */
  variants: z.array(variant).min(1).optional(),
  /**
   * Only of an address that the publication itself no longer has, and that stays for readers who began with an earlier
   * one: the sequence of the last publication that had it.
   */
  last_sequence: sequence.optional(),
});

export type Route = z.infer<typeof route>;

/** Routes sorted by path; a path belongs to the shard numbered by the leading bits of its SHA-256. */
export const shard = z.strictObject({ routes: z.array(route) });

const objectReference = z.strictObject({ sha256, size: count });
export type ObjectReference = z.infer<typeof objectReference>;

export const routeTableRoot = z.strictObject({
  route_count: count,
  shard_bits: z.int().min(0).max(24),
  shards: z.array(objectReference),
});

export type RouteTableRoot = z.infer<typeof routeTableRoot>;

const publicationReference = { revision: uuid, sequence, published_at: dateTime };

/** `current.json`, the only mutable file of a site. `publications`: the retained ones, newest first. */
export const pointer = z.strictObject({
  format: z.literal('shelfpress-site'),
  format_version: z.literal(1),
  ...publicationReference,
  routes: objectReference,
  publications: z.array(z.strictObject({ ...publicationReference, routes: objectReference.nullable() })).min(1),
});

export type Pointer = z.infer<typeof pointer>;
