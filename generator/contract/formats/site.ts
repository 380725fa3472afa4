import * as z from 'zod';
import { count, dateTime, dateTimeToSecond, sha256, uuid } from '../primitives.ts';

const sequence = z.int().min(1);

/**
 * The most that the lists of these files may have, so that a list of millions of empty objects is refused by its length.
 * A table of 2^17 shards has 33 million routes.
 */
const most = { publications: 16_384, shardBits: 17, routesInShard: 32_768 };

/** `revalidate`: the bytes of the address may change. `immutable`: they never change. */
export const cachePolicy = z.enum(['revalidate', 'immutable']);
export type CachePolicy = z.infer<typeof cachePolicy>;

export const contentEncoding = z.literal('gzip').nullable();

/** The same answer, compressed when the site was built. It is an object of its own with a strong ETag of its own. */
export const variant = z.strictObject({
  encoding: z.enum(['br', 'gzip']),
  sha256,
  size: count,
  etag: z.string().regex(/^"[0-9a-f]{32}"$/),
});

export type Variant = z.infer<typeof variant>;

/** One address of the site and the object that answers it. `size` is in bytes; `etag` includes its quotes. */
export const route = z.strictObject({
  path: z.string().regex(/^\/(v1(\/[^/]+)*|explorer\/[^/]+)?$/),
  sha256,
  size: count,
  etag: z.string().regex(/^"[0-9a-f]{32}"$/),
  media_type: z.string(),
  encoding: contentEncoding,
  cache: cachePolicy,
  last_modified: dateTimeToSecond,
  /** Smallest first. Left out if every client gets the same bytes. */
  variants: z.array(variant).min(1).max(8).optional(),
  /**
   * The sequence of the last publication that had the address. Only set if the current publication no longer has the
   * address, and keeps it for readers who began with an earlier one.
   */
  last_sequence: sequence.optional(),
});

export type Route = z.infer<typeof route>;

/** Routes sorted by path. The leading bits of a path's SHA-256 are the number of its shard. */
export const shard = z.strictObject({ routes: z.array(route).max(most.routesInShard) });

/** A shard for who looks up single routes, and checks each with {@link route} when it is used. */
export const uncheckedShard = z.object({
  routes: z.array(z.looseObject({ path: z.string() })).max(most.routesInShard),
});

/** The number of the shard that a path belongs to. `sha256`: of the path, in hex. `bits`: at most 24. */
export function shardNumber(sha256: string, bits: number): number {
  return bits === 0 ? 0 : Number.parseInt(sha256.slice(0, 8), 16) >>> (32 - bits);
}

const objectReference = z.strictObject({ sha256, size: count });
export type ObjectReference = z.infer<typeof objectReference>;

export const routeTableRoot = z.strictObject({
  route_count: count,
  shard_bits: z.int().min(0).max(most.shardBits),
  shards: z.array(objectReference).max(2 ** most.shardBits),
});

export type RouteTableRoot = z.infer<typeof routeTableRoot>;

const publicationReference = { revision: uuid, sequence, published_at: dateTime };

/**
 * `current.json`. Of the files that a mirror reads, only the pointer and its signature ever change. `publications`: the
 * retained ones, newest first.
 */
export const pointer = z.strictObject({
  format: z.literal('shelfpress-site'),
  format_version: z.literal(1),
  ...publicationReference,
  routes: objectReference,
  publications: z
    .array(z.strictObject({ ...publicationReference, routes: objectReference.nullable() }))
    .min(1)
    .max(most.publications),
});

export type Pointer = z.infer<typeof pointer>;

/**
 * A line of `current.json.sig`. `key`: SHA-256 of the public key as SPKI in DER. `pointer_sha256`: SHA-256 of the
 * pointer's bytes, by which a reader tells a signature of another pointer from a wrong one. `signature`: Ed25519 over
 * those bytes (RFC 8032), in base64.
 */
export const pointerSignature = z.strictObject({
  format: z.literal('shelfpress-signature'),
  format_version: z.literal(1),
  algorithm: z.literal('ed25519'),
  key: sha256,
  pointer_sha256: sha256,
  signature: z.string().regex(/^[A-Za-z0-9+/]{86}==$/, 'expected 64 bytes in base64'),
});

export type PointerSignature = z.infer<typeof pointerSignature>;

/** A publication with all its documents: the current one, or one that is kept. */
export type DocumentedPublication = Pick<Pointer, 'revision' | 'sequence' | 'published_at' | 'routes'>;

/** The publications whose documents a pointer names, the current one first, then the kept ones, newest first. */
export function documentedPublications({
  revision,
  sequence,
  published_at,
  routes,
  publications,
}: Pointer): [DocumentedPublication, ...DocumentedPublication[]] {
  const kept = publications.flatMap((other) =>
    other.routes === null || other.revision === revision ? [] : [{ ...other, routes: other.routes }],
  );
  return [{ revision, sequence, published_at, routes }, ...kept];
}
