import {
  type CryptoStep,
  checkPointerSignature,
  decodeBase64,
  type PublicKey,
  type Signed,
} from '../../contract/site/signature.ts';
import { webHash } from '../../contract/site/source.ts';

/** Reads a PEM as `keygen` writes it. Throws an error that names what was expected. */
export async function readPublicKey(pem: string): Promise<PublicKey> {
  const [, base64] = /^\s*-----BEGIN PUBLIC KEY-----([A-Za-z0-9+/=\s]+)-----END PUBLIC KEY-----\s*$/.exec(pem) ?? [];
  if (base64 === undefined) throw new Error('expected a public key in PEM, as keygen writes it');
  const der = decodeBase64(base64);
  await importKey(der);
  return { der, fingerprint: await webHash(der) };
}

/**
 * The checkpoint of a pointer. Throws an error that names what was expected, unless the file proves that the key, or
 * one that succeeds it, signed these bytes of the pointer.
 */
export async function signedCheckpoint(pointer: Uint8Array, file: Uint8Array, key: PublicKey): Promise<Signed> {
  const steps = checkPointerSignature(pointer, file, key);
  let next = steps.next();
  while (!next.done) next = steps.next(await answer(next.value));
  const found = next.value;
  if (found === null) throw new Error('a check with a key ended without a signature');
  if ('reason' in found) throw new Error(`expected ${found.expected}, got ${found.got}`);
  return found;
}

async function answer(step: CryptoStep): Promise<string | boolean> {
  if ('sha256' in step) return webHash(step.sha256);
  const key = await importKey(step.key);
  const text = new TextEncoder().encode(step.text);
  return crypto.subtle.verify('Ed25519', key, step.signature as Uint8Array<ArrayBuffer>, text);
}

function importKey(der: Uint8Array) {
  return crypto.subtle.importKey('spki', der as Uint8Array<ArrayBuffer>, { name: 'Ed25519' }, false, ['verify']);
}
