import {
  type Checkpoint,
  type KeySuccession,
  type ListedPointers,
  parseCheckpoint,
  parseNote,
  parseSignatureFile,
  successionText,
} from '../../contract/formats/checkpoint.ts';
import { webHash } from '../../contract/site/source.ts';

type CryptoKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;
type PublicKey = { readonly key: CryptoKey; readonly fingerprint: string };

/** Reads an Ed25519 public key in PEM, as `keygen` writes it. Throws an error that names what was expected. */
export async function readPublicKey(pem: string): Promise<PublicKey> {
  const [, base64] = /^\s*-----BEGIN PUBLIC KEY-----([A-Za-z0-9+/=\s]+)-----END PUBLIC KEY-----\s*$/.exec(pem) ?? [];
  if (base64 === undefined) throw new Error('expected a public key in PEM, as keygen writes it');
  return importKey(bytesOf(base64));
}

async function importKey(der: Uint8Array<ArrayBuffer>): Promise<PublicKey> {
  const key = await crypto.subtle.importKey('spki', der, { name: 'Ed25519' }, false, ['verify']);
  return { key, fingerprint: await webHash(der) };
}

/** What the owner of a key signed about a pointer. */
type Signed = { readonly checkpoint: Checkpoint; readonly listed: ListedPointers | null };

/**
 * The checkpoint of these bytes of a pointer in a signature file. Throws an error that names what was expected where the file does
 * not prove that the owner of the key, or of a key that follows it, signed them.
 */
export async function signedCheckpoint(pointer: Uint8Array, file: Uint8Array, key: PublicKey): Promise<Signed> {
  const lines = parseSignatureFile(new TextDecoder().decode(file));
  if (lines === null) throw new Error('expected a line of JSON for each signature, got something else');
  const hash = await webHash(pointer);
  const ofPointer = lines.find((line) => line.format === 'shelfpress-signature' && line.pointer_sha256 === hash);
  if (ofPointer?.format !== 'shelfpress-signature')
    throw new Error(`expected a signature of the pointer with SHA-256 ${hash}, got one of another`);
  const note = parseNote(ofPointer.note);
  const checkpoint = note && parseCheckpoint(note.text);
  if (note === null || checkpoint?.pointer !== hash)
    throw new Error('expected a signed checkpoint of that pointer, got something else');
  const keys = await keysAfter(
    key,
    lines.filter((line) => line.format === 'shelfpress-key'),
  );
  const own = note.signatures.find(({ name }) => keys.has(name));
  const signer = own && keys.get(own.name);
  if (!own || !signer) {
    const got = note.signatures.map(({ name }) => name).join(', ');
    throw new Error(`expected a signature of key ${key.fingerprint}, got one of ${got}`);
  }
  const bytes = Uint8Array.from(own.bytes.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16)).subarray(4);
  if (!(await isSigned(note.text, bytes, signer)))
    throw new Error(`expected the signature of key ${own.name}, got one that does not fit`);
  return { checkpoint, listed: lines.find((line) => line.format === 'shelfpress-chain') ?? null };
}

/** A key, and the keys that succeed it, by fingerprint. */
async function keysAfter({ key, fingerprint }: PublicKey, lines: readonly KeySuccession[]) {
  const keys = new Map([[fingerprint, key]]);
  // A line may name a key that a later line makes known. Each round finds one more at least.
  for (let found = 0; found < keys.size; ) {
    found = keys.size;
    for (const line of lines) {
      const signer = keys.get(line.signed_by);
      if (!signer || keys.has(line.key)) continue;
      const next = await importKey(bytesOf(line.public_key));
      if (next.fingerprint !== line.key) continue;
      if (await isSigned(successionText(line), bytesOf(line.signature), signer)) keys.set(line.key, next.key);
    }
  }
  return keys;
}

function isSigned(text: string, signature: Uint8Array<ArrayBuffer>, key: CryptoKey): Promise<boolean> {
  return crypto.subtle.verify('Ed25519', key, signature, new TextEncoder().encode(text));
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64.replace(/\s/g, '')), (character) => character.charCodeAt(0));
}
