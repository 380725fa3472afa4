import type { Addresser } from '../contract/paths.ts';
import type { CachePolicy } from '../contract/site.ts';
import { type Warning, type WarningCode, warningCode } from '../contract/warning.ts';

/** A document to be written: where it stands and what it says. */
export type Document = {
  readonly path: string;
  /** Other addresses that answer with the same bytes. */
  readonly aliases?: readonly string[];
  readonly cache: CachePolicy;
  /** Publication time of bytes that never change; null where the build before decides (Last-Modified). */
  readonly since: string | null;
  readonly value: unknown;
  /** Rows that are JSON already, checked where they were made: they go into the list of this key, empty in `value`. */
  readonly rows?: { readonly key: 'data' | 'stores'; readonly json: readonly string[] };
};

/** A document whose bytes may change with the next publication. */
export function changing(path: string, value: unknown, aliases: readonly string[] = []): Document {
  return { path, aliases, cache: 'revalidate', since: null, value };
}

/** What every resource needs to know of the site it is written for. */
export type Site = { readonly address: Addresser };

/** Codes as an answer prints them: each once, in the order of the contract. */
export function warningList(codes: Iterable<WarningCode>): Warning[] {
  const held = new Set(codes);
  return warningCode.options.filter((code) => held.has(code)).map((code) => ({ code }));
}
