import * as z from 'zod';
import { count, sha256, uuid } from '../primitives.ts';
import { pointer } from './site.ts';

/** The record of a mirror, in its folder. */
export const mirrorFile = 'mirror.json';

/**
 * An empty file. A run makes it before it writes anything else, and removes it after it has deleted what the mirror no
 * longer holds.
 */
export const unfinishedFile = 'mirror.unfinished';

/**
 * What the folder holds of the publication that a pointer names. `only`: the patterns of the requested routes, or null
 * if all are held. `routes`: how many of the `route_count` routes are held. `etag`: the host's ETag of the pointer, or
 * null if it sent none.
 */
export const mirrorHolding = z.strictObject({
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

/** A file in the bucket while a deploy runs, or after one was killed. */
export const deployingFile = 'deploying.json';

/**
 * `deploying.json`. `run`: a new UUID for every deploy, so that two deploys at once can tell each other apart.
 * `pointers`: the one being deployed, then those whose files may still be in the bucket, of the previous publication
 * and of killed deploys.
 */
export const deployingRecord = z.strictObject({
  format: z.literal('shelfpress-deploying'),
  format_version: z.literal(1),
  run: uuid,
  pointers: z.array(pointer).min(1),
});

export type DeployingRecord = z.infer<typeof deployingRecord>;

/** What the build before this one knows of its units. Only `build` and `inspect` read it, and it is safe to delete. */
export const ledgerFile = 'build-ledger.json';

/**
 * What a unit of a build read and wrote. `inputs`: short values that change whenever its documents could. `made`: the sequence of
 * the publication in which it was made last, and `why` it was made then.
 */
export const ledgerEntry = z.strictObject({
  inputs: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  paths: z.array(z.string()),
  made: z.int(),
  why: z.string(),
});

export type LedgerEntry = z.infer<typeof ledgerEntry>;

/** The inputs of a unit, by name. */
export type Inputs = LedgerEntry['inputs'];

/**
 * `build-ledger.json`: the units of a build by name. `key`: what documents depend on beyond the database. `table`: the SHA-256 of
 * the root of the route table that the build wrote; the ledger is of no use for another one.
 */
export const buildLedger = z.strictObject({ key: sha256, table: sha256, units: z.record(z.string(), ledgerEntry) });

export type BuildLedger = z.infer<typeof buildLedger>;
