import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import type { Profile } from '../../contract/profile.ts';
import { dateTime, sha256 } from '../../contract/schemas/primitives.ts';
import { objectReference } from '../../contract/schemas/site-files.ts';
import { parseJson } from '../../contract/text.ts';
import { replaceFile } from '../files/durable-files.ts';
import { checksKey } from '../files/package-files.ts';
import type { SiteUnderCheck } from './documents.ts';
import type { ExportFacts } from './exports.ts';

/**
 * What a verification without a fault has proved, for the next one: this code found every answer of a route table
 * sound.
 *
 * - `code`: a hash of the code that checked.
 * - `table`: the SHA-256 of the root of the route table.
 * - `context`: a hash of what every check of a document depends on, the base URL and the profile.
 * - `full_at`: when a verification last checked everything.
 * - `files`: what each export file says of itself, by its SHA-256.
 */
const proof = z.strictObject({
  format: z.literal('shelfpress-proof'),
  format_version: z.literal(1),
  code: sha256,
  table: sha256,
  context: z.string(),
  full_at: dateTime,
  files: z.record(
    sha256,
    z.strictObject({
      records: z.int(),
      publishedAt: dateTime.nullable(),
      unpacked: objectReference.optional(),
      publications: z.record(z.string(), z.int()).optional(),
    }),
  ),
});
export type Proof = z.infer<typeof proof>;

/** A proof that a verification may use, or why it has to check everything. */
export type UsableProof =
  | { readonly proof: Proof; readonly whyFull: null }
  | { readonly proof: null; readonly whyFull: string };

/** What the first verification that is to leave a proof starts with. */
export const noProof: UsableProof = { proof: null, whyFull: 'nothing was proved before' };

/**
 * Reads the proof of the last verification. `fullEvery`: after how many milliseconds everything is checked again. A
 * file that is not a proof, as after a power failure, is treated like a missing one.
 */
export function readProof(file: string, fullEvery: number, now: number): UsableProof {
  const none = (whyFull: string): UsableProof => ({ proof: null, whyFull });
  if (!existsSync(file)) return noProof;
  const found = proof.safeParse(parseJson(readFileSync(file, 'utf8'))).data;
  if (!found) return none(`${file} is not a proof`);
  if (found.code !== checksKey()) return none('other code checked it last time');
  const age = now - Date.parse(found.full_at);
  if (age >= fullEvery || age < 0) return none(`the last full verification was on ${found.full_at}`);
  return { proof: found, whyFull: null };
}

export function writeProof(file: string, found: Proof): void {
  replaceFile(file, (append) => append(`${JSON.stringify(found)}\n`));
}

/** What a verification without a fault proves. `began`: when it began, in milliseconds since 1970. */
export function makeProof(
  { pointer, table, addresses, profile, known }: SiteUnderCheck,
  exports: ExportFacts,
  began: number,
): Proof {
  const files = [...exports].map(([path, facts]) => [table.routes.get(path)?.sha256 ?? '', facts] as const);
  return {
    format: 'shelfpress-proof',
    format_version: 1,
    code: checksKey(),
    table: pointer.routes.sha256,
    context: contextDigest(addresses.base, profile),
    full_at: known.fullAt ?? new Date(began).toISOString(),
    files: Object.fromEntries(files),
  };
}

/** A hash of what the checks of every document depend on. */
export function contextDigest(base: string, profile: Profile): string {
  return hash('sha256', JSON.stringify([base, profile]));
}
