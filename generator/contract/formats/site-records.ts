import * as z from 'zod';
import { count, sha256, uuid } from '../primitives.ts';
import { pointer } from './site.ts';

/** What a mirror is, told in its folder. */
export const mirrorFile = 'mirror.json';

/** Empty; there from before a run writes anything until it has taken away what is not held any more. */
export const unfinishedFile = 'mirror.unfinished';

/**
 * What the folder holds of the publication that a pointer names. `only`: null for all of it, else the patterns of the
 * routes that were asked for, `routes` of `route_count`. `etag`: what the host called the pointer.
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
 * `mirror.json`. It has a holding for the pointer that is current and one for the pointer before, and is written before
 * the pointer moves, so that it is true of whichever stands.
 */
export const mirrorRecord = z.strictObject({
  format: z.literal('shelfpress-mirror'),
  format_version: z.literal(1),
  source: z.string(),
  holdings: z.array(mirrorHolding).min(1),
});

export type MirrorRecord = z.infer<typeof mirrorRecord>;

/** What is remembered beside the files that `hosts` writes. */
export const hostsFile = 'hosts.json';

/** How a site is served, as `hosts` was told; null where it was not. */
export const hostsRecord = z.strictObject({
  format: z.literal('shelfpress-hosts'),
  format_version: z.literal(1),
  root: z.string().nullable(),
  listen: z.string(),
  server_name: z.string().nullable(),
  shim: z.string().nullable(),
});

/** What stands in a bucket while a deploy is at work there, or after one was killed. */
export const deployingFile = 'deploying.json';

/**
 * `deploying.json`. `run`: made anew by every deploy, so that two at once tell each other apart. `pointers`: the one being
 * deployed, then those whose files may still be there: of the publication before, and of deploys that were killed.
 */
export const deployingRecord = z.strictObject({
  format: z.literal('shelfpress-deploying'),
  format_version: z.literal(1),
  run: uuid,
  pointers: z.array(pointer).min(1),
});

export type DeployingRecord = z.infer<typeof deployingRecord>;
