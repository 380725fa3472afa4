import { hash, sign, verify } from 'node:crypto';
import { type PointerSignature, pointerSignature } from '../contract/formats/site.ts';
import { parseJson } from '../contract/json.ts';
import type { SigningKey } from './keys.ts';

/** The current pointer's line and the one of the pointer before it. */
const keptLines = 2;

/** What does not fit about a signature file, as a message says it. */
export type Misfit = {
  readonly reason: 'unsigned' | 'other_pointer' | 'wrong';
  readonly expected: string;
  readonly got: string;
};

/**
 * The signature file for a pointer that is about to take the place of another: a line for each, the new one first. It is
 * written before the pointer moves, so that whichever of the two a reader meets, its signature is there. `existing`: the
 * lines of the file that stands; `before`: the bytes of the pointer that stands.
 */
export function signedLines(
  { key, fingerprint }: SigningKey,
  pointer: Uint8Array,
  existing: Uint8Array | null,
  before: Uint8Array | null,
): Uint8Array {
  const own: PointerSignature = {
    format: 'shelfpress-signature',
    format_version: 1,
    algorithm: 'ed25519',
    key: fingerprint,
    pointer_sha256: hash('sha256', pointer),
    signature: sign(null, pointer, key).toString('base64'),
  };
  const old = before && hash('sha256', before);
  const kept = (existing && parseLines(existing))?.filter(
    ({ pointer_sha256 }) => pointer_sha256 === old && pointer_sha256 !== own.pointer_sha256,
  );
  const lines = [own, ...(kept ?? [])].slice(0, keptLines);
  return Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

/** A signature file from elsewhere, with the lines of the one that stands which are of the pointer that stands. */
export function keepingLines(file: Uint8Array, existing: Uint8Array | null, before: Uint8Array | null): Uint8Array {
  const lines = parseLines(file) ?? [];
  const old = before && hash('sha256', before);
  const kept = ((existing && parseLines(existing)) ?? []).filter(({ pointer_sha256 }) => pointer_sha256 === old);
  if (kept.length === 0 || lines.some(({ pointer_sha256 }) => pointer_sha256 === old)) return file;
  return Buffer.concat([file, ...kept.map((line) => Buffer.from(`${JSON.stringify(line)}\n`))]);
}

/**
 * Whether a signature file vouches for a pointer; null when it does. Without a key, whether it is of this pointer at all:
 * nobody then says who signed.
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

/** The lines of a signature file; null when it is something else. */
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
