import * as z from 'zod';
import { uuid } from './primitives.ts';
import { pointer } from './site.ts';

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
