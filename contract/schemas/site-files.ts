import * as z from 'zod';
import type { CachePolicy } from '../addresses.ts';
import { count, dateTime, dateTimeToSecond, sha256, uuid } from './primitives.ts';

const sequence = z.int().min(1);
/** An entity tag with its quotes. */
const etag = z.string().regex(/^"[0-9a-f]{32}"$/);

/**
 * The most items in each list, so that a file with millions of empty objects is refused. 2^17 shards hold 33 million
 * routes.
 */
const most = { publications: 16_384, shardBits: 17, routesInShard: 32_768 };

const cachePolicy = z.enum(['revalidate', 'immutable'] as const satisfies readonly CachePolicy[]);

/** The same answer, compressed when the site was built: a separate object with its own strong ETag. */
export const variant = z.strictObject({ encoding: z.enum(['br', 'gzip']), sha256, size: count, etag });
export type Variant = z.infer<typeof variant>;

/** An address and the object that answers it. `size` is in bytes. */
export const route = z.strictObject({
  path: z.string().regex(/^\/(v1(\/[^/]+)*|explorer\/[^/]+|sw\.js|sitemap\.xml|\.well-known\/api-catalog)?$/),
  sha256,
  size: count,
  etag,
  media_type: z.string(),
  encoding: z.literal('gzip').nullable(),
  cache: cachePolicy,
  last_modified: dateTimeToSecond,
  /**
   * Set only if earlier bytes of the address may have the same `last_modified`: an earlier publication was published in
   * the same second, or this one was built again with other bytes. The date then does not tell whether they changed.
   */
  is_date_shared: z.literal(true).optional(),
  /** Smallest first. Absent if every client gets the same bytes. */
  variants: z.array(variant).min(1).max(8).optional(),
  /** The last publication with the address. Set only if the current one lacks it but keeps it for earlier readers. */
  last_sequence: sequence.optional(),
});
export type Route = z.infer<typeof route>;

/** Sorted by path. The leading bits of a path's SHA-256 are the number of its shard. */
export const shard = z.strictObject({ routes: z.array(route).max(most.routesInShard) });

/** A shard for lookups of single routes. Each route is checked with {@link route} when it is used. */
export const uncheckedShard = z.object({ routes: z.array(z.custom<{ path: string }>()).max(most.routesInShard) });

/** `sha256`: the hash of the path, in hex. `bits`: at most 24. */
export function shardNumber(sha256: string, bits: number): number {
  return bits === 0 ? 0 : Number.parseInt(sha256.slice(0, 8), 16) >>> (32 - bits);
}

export const objectReference = z.strictObject({ sha256, size: count });
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

/** The current publication, or one that is kept. */
export type DocumentedPublication = Pick<Pointer, 'revision' | 'sequence' | 'published_at' | 'routes'>;

/** The current publication first, then the kept ones, newest first. */
export function documentedPublications(pointer: Pointer): [DocumentedPublication, ...DocumentedPublication[]] {
  const { revision, sequence, published_at, routes, publications } = pointer;
  const kept = publications.flatMap((other) =>
    other.routes === null || other.revision === revision ? [] : [{ ...other, routes: other.routes }],
  );
  return [{ revision, sequence, published_at, routes }, ...kept];
}

export const mirrorFile = 'mirror.json';

/** A run of `mirror` creates this file first, and removes it once it has deleted what the mirror no longer holds. */
export const unfinishedFile = 'mirror.unfinished';

/**
 * The part of a pointer's publication that the folder holds. `only`: the patterns of the requested routes, or null if
 * all are held. `routes`: how many of the `route_count` routes are held. `etag`: the host's ETag of the pointer, or
 * null if it sent none.
 */
const mirrorHolding = z.strictObject({
  pointer_sha256: sha256,
  etag: z.string().nullable(),
  only: z.array(z.string()).min(1).nullable(),
  routes: count,
  route_count: count,
});
export type MirrorHolding = z.infer<typeof mirrorHolding>;

/**
 * `mirror.json`. It has a holding for the current pointer and one for the previous pointer. It is written before the
 * pointer moves, so it is true of either pointer.
 */
export const mirrorRecord = z.strictObject({
  format: z.literal('shelfpress-mirror'),
  format_version: z.literal(1),
  source: z.string(),
  holdings: z.array(mirrorHolding).min(1),
});
export type MirrorRecord = z.infer<typeof mirrorRecord>;

/** This file is in the bucket while a deploy runs, and after a deploy that was killed. */
export const deployingFile = 'deploying.json';

/**
 * `deploying.json`. `run`: a new UUID for every deploy, so that two deploys at once can tell each other apart.
 * `pointers`: the pointer being deployed, then the pointers of the previous publication and of killed deploys, because
 * the bucket may still have their files.
 */
export const deployingRecord = z.strictObject({
  format: z.literal('shelfpress-deploying'),
  format_version: z.literal(1),
  run: uuid,
  pointers: z.array(pointer).min(1),
});
export type DeployingRecord = z.infer<typeof deployingRecord>;
