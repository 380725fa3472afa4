import * as z from 'zod';
import { sha256 } from '../../contract/schemas/primitives.ts';

/** What the last build recorded about its units. Only `build` and `inspect` read it, and it is safe to delete. */
export const ledgerFile = 'build-ledger.json';

/**
 * What a unit of a build read and wrote. `inputs`: short values that change whenever its documents could change.
 * `made`: the sequence of the publication for which it was last made. `why`: the reason.
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
 * `build-ledger.json`: the units of a build by name.
 *
 * - `key`: a hash of the code that made the documents, and of the base URL.
 * - `settings`: a hash of what else the operator chose. Ledgers of earlier versions do not have it.
 * - `table`: the SHA-256 of the root of the route table that the build wrote; the ledger is useless for any other.
 */
export const buildLedger = z.strictObject({
  key: sha256,
  settings: z.string().optional(),
  table: sha256,
  units: z.record(z.string(), ledgerEntry),
});
export type BuildLedger = z.infer<typeof buildLedger>;

/** A ledger whose units are not checked. */
export const uncheckedLedger = buildLedger.extend({ units: z.record(z.string(), z.unknown()) });
