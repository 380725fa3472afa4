import { hash, sign, verify } from 'node:crypto';
import { type Pointer, type PointerSignature, pointerSignature } from '../contract/formats/site.ts';
import { parseJson } from '../contract/text.ts';
import { Failure } from '../failure.ts';
import type { SigningKey } from './keys.ts';

/** One line for the current pointer, and one for the previous pointer. */
const keptLines = 2;

/** How a signature file fails to fit a pointer, in words for a message. */
export type Misfit = {
  readonly reason: 'unsigned' | 'other_pointer' | 'wrong';
  readonly expected: string;
  readonly got: string;
};

/**
 * The signature file for a pointer that is about to replace another: a line for each, the new one first. It is written
 * before the pointer moves, so that a reader of either pointer finds its signature. `existing`: the bytes of the
 * present signature file. `before`: the bytes of the present pointer.
 */
export function signedLines(
  { key, fingerprint }: SigningKey,
  pointer: Uint8Array,
  existing: Uint8Array | null,
  before: Uint8Array | null,
): Uint8Array {
  const added: PointerSignature = {
    format: 'shelfpress-signature',
    format_version: 1,
    algorithm: 'ed25519',
    key: fingerprint,
    pointer_sha256: hash('sha256', pointer),
    signature: sign(null, pointer, key).toString('base64'),
  };
  const kept = linesOf(before, existing).filter(({ pointer_sha256 }) => pointer_sha256 !== added.pointer_sha256);
  const lines = [added, ...kept].slice(0, keptLines);
  return formatted(lines);
}

/**
 * A signature file from elsewhere, with the line of the present pointer added from the present signature file if it has
 * one.
 */
export function keepingLines(file: Uint8Array, existing: Uint8Array | null, before: Uint8Array | null): Uint8Array {
  const kept = linesOf(before, existing);
  if (kept.length === 0 || linesOf(before, file).length > 0) return file;
  return Buffer.concat([file, formatted(kept)]);
}

/**
 * Checks a signature file against a pointer; null when it fits. Without a key, a missing file fits, and any key may
 * have signed.
 */
export function misfitOf(pointer: Uint8Array, file: Uint8Array | null, key: SigningKey | null): Misfit | null {
  if (file === null)
    return key && { reason: 'unsigned', expected: `a signature of key ${key.fingerprint}`, got: 'none' };
  const lines = parseLines(file);
  if (lines === null) return { reason: 'wrong', expected: 'a line of JSON for each signature', got: 'something else' };
  const digest = hash('sha256', pointer);
  const ofPointer = lines.filter(({ pointer_sha256 }) => pointer_sha256 === digest);
  if (ofPointer.length === 0) {
    const got = lines.map(({ pointer_sha256 }) => pointer_sha256).join(', ');
    return {
      reason: 'other_pointer',
      expected: `a signature of the pointer with SHA-256 ${digest}`,
      got: `one of ${got}`,
    };
  }
  if (key === null) return null;
  const ofKey = ofPointer.find((line) => line.key === key.fingerprint);
  if (!ofKey) {
    const got = ofPointer.map((line) => line.key).join(', ');
    return { reason: 'wrong', expected: `a signature of key ${key.fingerprint}`, got: `one of ${got}` };
  }
  if (verify(null, pointer, key.key, Buffer.from(ofKey.signature, 'base64'))) return null;
  return { reason: 'wrong', expected: `the signature of key ${key.fingerprint}`, got: 'one that does not fit' };
}

/** A signature file with the lines of one pointer alone. */
export function linesOnlyOf(pointer: Uint8Array, file: Uint8Array): Uint8Array {
  return formatted(linesOf(pointer, file));
}

function formatted(lines: readonly PointerSignature[]): Buffer {
  return Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

/** Fingerprints of the keys that a signature file names for a pointer. Does not check the signatures. */
export function signersOf(pointer: Uint8Array, file: Uint8Array | null): string[] {
  return linesOf(pointer, file).map(({ key }) => key);
}

/** The lines of a signature file that sign this pointer. */
function linesOf(pointer: Uint8Array | null, file: Uint8Array | null): PointerSignature[] {
  const digest = pointer && hash('sha256', pointer);
  return ((file && parseLines(file)) ?? []).filter(({ pointer_sha256 }) => pointer_sha256 === digest);
}

/** The lines of a signature file; null when the bytes are something else. */
function parseLines(file: Uint8Array): PointerSignature[] | null {
  const lines = Buffer.from(file).toString().split('\n');
  if (lines.pop() !== '' || lines.length === 0) return null;
  const parsed: PointerSignature[] = [];
  for (const line of lines) {
    const result = pointerSignature.safeParse(parseJson(line));
    if (!result.success) return null;
    parsed.push(result.data);
  }
  return parsed;
}

/** A pointer and the site it came from. */
type Holder = { readonly pointer: Pointer; readonly source: string };

/**
 * Throws a Failure when a pointer must not replace the existing one, because it is older or of another site. Two
 * pointers are of one site when every publication that both list has the same revision in both. When they share none,
 * they are of one site if they come from the same address.
 */
export function refuseOlderOrForeign(existing: Holder, next: Holder): void {
  const { pointer: before, source } = existing;
  const { pointer: after } = next;
  const revisions = new Map(before.publications.map(({ sequence, revision }) => [sequence, revision]));
  let shared = 0;
  for (const { sequence, revision } of after.publications) {
    const known = revisions.get(sequence);
    if (known === undefined) continue;
    if (known !== revision) {
      refuse(
        `${next.source}: expected the site that is there already, whose publication ${sequence} is ${known}, got ${revision}`,
      );
    }
    shared += 1;
  }
  if (shared === 0 && source !== next.source) {
    refuse(`${next.source}: expected the site of ${source}, got one that shares no publication with it`);
  }
  if (after.sequence < before.sequence) {
    refuse(
      `${next.source}: expected publication ${before.sequence} or a later one, got the older publication ${after.sequence}`,
    );
  }
}

function refuse(message: string): never {
  throw new Failure('would_lose', `${message}; pass --force to accept it`);
}
