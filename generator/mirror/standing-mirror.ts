import { type MirrorHolding, type MirrorRecord, mirrorFile } from '../contract/mirror.ts';
import { pointerFile, signatureFile } from '../contract/paths.ts';
import type { Pointer } from '../contract/site.ts';
import { Failure } from '../failure.ts';
import { holdingOf, parseMirrorRecord } from '../store/mirror-record.ts';
import { readPointer } from '../store/previous-site.ts';
import type { Storage } from '../store/storage.ts';
import type { Key } from '../trust/key-files.ts';
import { misfitOf } from '../trust/pointer-signature.ts';

/** What a mirror has of its last whole run. */
export type StandingMirror = {
  readonly pointer: Pointer;
  readonly bytes: Uint8Array;
  readonly source: string;
  /** Null when a run with another idea of the folder was killed. */
  readonly holding: MirrorHolding | null;
};

/** Null where nothing was mirrored yet. Throws a Failure when what stands there is no mirror. */
export function readStanding(storage: Storage): StandingMirror | null {
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

/** The pointer that need not be given again: all that is asked for is there, and signed as asked for. */
export function knownPointer(
  storage: Storage,
  { bytes, holding, source }: StandingMirror,
  wanted: { readonly source: string; readonly only: readonly string[] | null; readonly key: Key | null },
): { readonly etag: string | null; readonly bytes: Uint8Array } | null {
  if (holding === null || source !== wanted.source || !isSameSelection(holding.only, wanted.only)) return null;
  if (misfitOf(bytes, storage.read(signatureFile), wanted.key) !== null) return null;
  return { etag: holding.etag, bytes };
}

/** The record of a mirror; null where there is none. */
function readRecord(storage: Storage): MirrorRecord | null {
  const bytes = storage.read(mirrorFile);
  return bytes && parseMirrorRecord(bytes);
}

function isSameSelection(a: readonly string[] | null, b: readonly string[] | null): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
