import { hash } from 'node:crypto';
import { checkoutPath } from '../../contract/paths.ts';
import {
  type MirrorHolding,
  type MirrorRecord,
  mirrorFile,
  mirrorRecord,
  type Route,
} from '../../contract/schemas/site-files.ts';
import { parseJson } from '../../contract/text.ts';
import { Failure } from '../files/failure.ts';
import { matchingNames } from '../files/name-patterns.ts';
import type { Storage } from './storage.ts';

const words: Readonly<Record<string, readonly string[]>> = { exports: ['v1/exports.json', 'v1/exports/**'] };

/**
 * The requested selection as sorted patterns of files in a checkout. An address stands for its file: `/v1/brands` is
 * `v1/brands.json`, and `/` is `index.html`. A pattern that begins with `!` excludes files.
 */
export function selectionPatterns(asked: readonly string[]): string[] {
  const checkoutPattern = (text: string) => text.replace(/^(!?)\/+/, '$1').replace(/^!?$/, '$&index.html');
  const patterns = asked.flatMap((text) => words[text] ?? [checkoutPattern(text)]);
  return [...new Set(patterns)].sort();
}

/** The routes with a file that the patterns select. Patterns have the syntax of fast-glob. */
export function selectRoutes(routes: Iterable<Route>, patterns: readonly string[]): Route[] {
  const byFile = new Map<string, Route>();
  for (const route of routes) byFile.set(checkoutPath(route.path), route);
  const written = patterns.flatMap((pattern) => [pattern, pattern === 'v1' ? 'v1/index.json' : `${pattern}.json`]);
  const matched = matchingNames([...byFile.keys()], written);
  return matched.sort().flatMap((file) => byFile.get(file) ?? []);
}

/** The record of a mirror. Throws a Failure if the bytes are something else. */
export function parseMirrorRecord(bytes: Buffer): MirrorRecord {
  const result = mirrorRecord.safeParse(parseJson(bytes.toString()));
  if (!result.success)
    throw new Failure('site_damaged', `${mirrorFile}: expected the record of a mirror, got something else`);
  return result.data;
}

/** Finds what a record says of a pointer, by the pointer's bytes; null if the record has no such entry. */
export function findHolding(record: MirrorRecord, pointer: Uint8Array): MirrorHolding | null {
  const sha256 = hash('sha256', pointer);
  return record.holdings.find(({ pointer_sha256 }) => pointer_sha256 === sha256) ?? null;
}

/** Refuses a partial mirror, because it lacks some of the objects that its pointer names. */
export function refusePart(directory: string, storage: Storage, pointer: Uint8Array): void {
  const record = storage.read(mirrorFile);
  const only = record && findHolding(parseMirrorRecord(record), pointer)?.only;
  if (only)
    throw new Failure(
      'partial_mirror',
      `${directory}: expected a whole site, got a partial mirror, only ${only.join(' ')}`,
    );
}
