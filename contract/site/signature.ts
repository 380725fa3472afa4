import {
  type Checkpoint,
  type KeySuccession,
  type ListedPointers,
  parseCheckpoint,
  parseNote,
  parseSignatureFile,
  successionText,
} from '../schemas/checkpoint.ts';
import type { FileFault } from './file-value.ts';

/** A checkpoint that matches a pointer. `listed`: the pointers in its signature file. */
export type Signed = { readonly checkpoint: Checkpoint; readonly listed: ListedPointers | null };

/** Why a signature file does not sign a pointer. `other_pointer`: it may belong to the publication before or after. */
export type SignatureFault = FileFault & { readonly reason: 'unsigned' | 'other_pointer' | 'wrong' };

/** An Ed25519 key. `der`: the key as SPKI. `fingerprint`: the SHA-256 of `der` in hex. */
export type PublicKey = { readonly der: Uint8Array; readonly fingerprint: string };

/**
 * A check asks this of the runtime's cryptography, which is synchronous in Node and asynchronous in browsers: the
 * SHA-256 of bytes in hex, or whether a key signed a text.
 */
export type CryptoStep =
  | { readonly sha256: Uint8Array }
  | { readonly text: string; readonly key: Uint8Array; readonly signature: Uint8Array };

type Steps<Result> = Generator<CryptoStep, Result, string | boolean>;

/**
 * Checks that a signature file signs these bytes of a pointer with a key, or with one that succeeds it. Null if nothing
 * is signed and nothing has to be. Without a key, a missing file is accepted, and any key may have signed.
 */
export function* checkPointerSignature(
  pointer: Uint8Array,
  file: Uint8Array | null,
  key: PublicKey | null,
): Steps<Signed | SignatureFault | null> {
  if (file === null)
    return key && { reason: 'unsigned', expected: `a signature of key ${key.fingerprint}`, got: 'none' };
  const lines = parseSignatureFile(new TextDecoder().decode(file));
  if (lines === null) return wrong('a line of JSON of version 2 for each signature', 'something else');
  const digest = yield* sha256(pointer);
  const all = lines.filter((line) => line.format === 'shelfpress-signature');
  const own = all.find(({ pointer_sha256 }) => pointer_sha256 === digest);
  if (!own) {
    const expected = `a signature of the pointer with SHA-256 ${digest}`;
    return { reason: 'other_pointer', expected, got: `one of ${all.map((one) => one.pointer_sha256).join(', ')}` };
  }
  const note = parseNote(own.note);
  const checkpoint = note && parseCheckpoint(note.text);
  if (note === null || checkpoint?.pointer !== digest)
    return wrong('a signed checkpoint of that pointer', 'something else');
  if (key !== null) {
    const keys = yield* keysAfter(
      key,
      lines.filter((line) => line.format === 'shelfpress-key'),
    );
    const found = note.signatures.find(({ name }) => keys.has(name));
    const signer = found && keys.get(found.name);
    if (!found || !signer) {
      const got = `one of ${note.signatures.map(({ name }) => name).join(', ')}`;
      return wrong(`a signature of key ${key.fingerprint}`, got);
    }
    // The first four bytes name the key.
    const signature = decodeHex(found.bytes).subarray(4);
    if (!(yield* isSigned(note.text, signer, signature)))
      return wrong(`the signature of key ${found.name}`, 'one that does not verify');
  }
  return { checkpoint, listed: lines.find((line) => line.format === 'shelfpress-chain') ?? null };
}

/** A key, and the keys that succeed it, by fingerprint. */
function* keysAfter({ der, fingerprint }: PublicKey, lines: readonly KeySuccession[]): Steps<Map<string, Uint8Array>> {
  const keys = new Map([[fingerprint, der]]);
  // A line may name a key that a later line makes known. Each round finds at least one more.
  for (let found = 0; found < keys.size; ) {
    found = keys.size;
    for (const line of lines) {
      const signer = keys.get(line.signed_by);
      if (!signer || keys.has(line.key)) continue;
      const next = decodeBase64(line.public_key);
      if ((yield* sha256(next)) !== line.key) continue;
      if (yield* isSigned(successionText(line), signer, decodeBase64(line.signature))) keys.set(line.key, next);
    }
  }
  return keys;
}

function* sha256(bytes: Uint8Array): Steps<string> {
  return (yield { sha256: bytes }) as string;
}

function* isSigned(text: string, key: Uint8Array, signature: Uint8Array): Steps<boolean> {
  return (yield { text, key, signature }) as boolean;
}

function wrong(expected: string, got: string): SignatureFault {
  return { reason: 'wrong', expected, got };
}

function decodeHex(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}

/** The bytes of a base64 text. Ignores white space. */
export function decodeBase64(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64.replace(/\s/g, '')), (character) => character.charCodeAt(0));
}
