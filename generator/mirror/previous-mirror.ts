import type { Pointer } from '../contract/formats/site.ts';
import { type MirrorHolding, type MirrorRecord, mirrorFile, unfinishedFile } from '../contract/formats/site-records.ts';
import { checkoutFolder, pointerFile, signatureFile, siteLink } from '../contract/paths.ts';
import { Failure } from '../failure.ts';
import type { SigningKey } from '../site/keys.ts';
import { holdingOf, parseMirrorRecord } from '../site/mirror-record.ts';
import { misfitOf } from '../site/pointer-signature.ts';
import { readPointer } from '../site/previous-site.ts';
import { selectRoutes } from '../site/route-selection.ts';
import { filesOf, objectsOfTable, routesIn } from '../site/route-table.ts';
import { sweep } from '../site/site-writer.ts';
import type { Storage } from '../site/storage.ts';
import { publicationsOf } from './held-publications.ts';

/** The state that the last whole run of a mirror left. */
export type PreviousMirror = {
  readonly pointer: Pointer;
  readonly bytes: Uint8Array;
  readonly source: string;
  /** Null when the record has no entry for the pointer, as a killed run may leave it. */
  readonly holding: MirrorHolding | null;
};

/**
 * Reads the state of a mirror; null when nothing was mirrored yet. Throws a Failure when the folder has a site that is
 * no mirror.
 */
export function readPreviousMirror(storage: Storage): PreviousMirror | null {
  const bytes = storage.read(pointerFile);
  if (bytes === null) return null;
  const record = readRecord(storage);
  const pointer = readPointer(storage);
  if (record === null || pointer === null) {
    throw new Failure(
      `expected a mirror or an empty folder, got a site without ${mirrorFile}: it was built or copied there`,
    );
  }
  return { pointer, bytes, source: record.source, holding: holdingOf(record, bytes) };
}

/**
 * The pointer that the host need not send again, because everything requested is there and signed as required; null
 * when it must.
 */
export function knownPointer(
  storage: Storage,
  { bytes, holding, source }: PreviousMirror,
  wanted: { readonly source: string; readonly only: readonly string[] | null; readonly key: SigningKey | null },
): { readonly etag: string | null; readonly bytes: Uint8Array } | null {
  if (holding === null || source !== wanted.source || !isSameSelection(holding.only, wanted.only)) return null;
  if (misfitOf(bytes, storage.read(signatureFile), wanted.key) !== null) return null;
  return { etag: holding.etag, bytes };
}

/** The record of a mirror; null when there is none. */
function readRecord(storage: Storage): MirrorRecord | null {
  const bytes = storage.read(mirrorFile);
  return bytes && parseMirrorRecord(bytes);
}

function isSameSelection(a: readonly string[] | null, b: readonly string[] | null): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/**
 * Writes a file that stays while a run is at work or after it was killed. Such a run may have left files that no
 * publication names.
 */
export function markUnfinished(storage: Storage): void {
  storage.replace(unfinishedFile, new Uint8Array());
}

export function isUnfinished(storage: Storage): boolean {
  return storage.read(unfinishedFile) !== null;
}

export function markFinished(storage: Storage): void {
  storage.remove(unfinishedFile);
}

/**
 * Deletes what killed runs left beside the existing publications: objects, checkouts, and files without an address.
 * Keeps objects that have a name in a remaining checkout, because readers may need them. Returns the number of deleted
 * objects.
 */
export function sweepLeftovers(storage: Storage, pointer: Pointer, only: readonly string[] | null): number {
  for (const name of [pointerFile, signatureFile, mirrorFile, siteLink]) storage.remove(`${name}.tmp`);
  const named = new Set<string>();
  const revisions = new Set<string>();
  for (const { revision, routes: root } of publicationsOf(pointer, only)) {
    revisions.add(revision);
    for (const sha256 of objectsOfTable(storage, root)) named.add(sha256);
    const routes = [...routesIn(storage, root)];
    const held = new Set(only === null ? routes : selectRoutes(routes, only));
    const folder = checkoutFolder(revision);
    const strays = new Set(storage.list(folder));
    for (const route of routes) {
      for (const { name, sha256 } of filesOf(route)) {
        if (strays.delete(`${folder}/${name}`) || held.has(route)) named.add(sha256);
      }
    }
    for (const stray of strays) storage.remove(stray);
  }
  return sweep(storage, revisions, named);
}
