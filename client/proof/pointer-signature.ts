import { pointerSignature } from '../../generator/contract/formats/site.ts';
import { parseJson, webHash } from '../../shim/site/verified-objects.ts';

type PublicKey = { readonly key: Awaited<ReturnType<typeof crypto.subtle.importKey>>; readonly fingerprint: string };

/** Reads an Ed25519 public key in PEM, as `keygen` writes it. Throws an error that names what was expected. */
export async function readPublicKey(pem: string): Promise<PublicKey> {
  const [, base64] = /^\s*-----BEGIN PUBLIC KEY-----([A-Za-z0-9+/=\s]+)-----END PUBLIC KEY-----\s*$/.exec(pem) ?? [];
  if (base64 === undefined) throw new Error('expected a public key in PEM, as keygen writes it');
  const der = bytesOf(base64);
  const key = await crypto.subtle.importKey('spki', der, { name: 'Ed25519' }, false, ['verify']);
  return { key, fingerprint: await webHash(der) };
}

/**
 * Why a signature file does not prove that the owner of a key signed these bytes of a pointer; null when it does. The
 * file has a line of JSON for each of the last pointers.
 */
export async function misfitOf(pointer: Uint8Array, file: Uint8Array, { key, fingerprint }: PublicKey) {
  const lines = new TextDecoder().decode(file).split('\n');
  if (lines.pop() !== '' || lines.length === 0) return 'expected a line of JSON for each signature, got something else';
  const signatures = lines.map((line) => parseJson(pointerSignature, new TextEncoder().encode(line)));
  const hash = await webHash(pointer);
  const ofPointer = signatures.filter(({ pointer_sha256 }) => pointer_sha256 === hash);
  if (ofPointer.length === 0) return `expected a signature of the pointer with SHA-256 ${hash}, got one of another`;
  const ofKey = ofPointer.find((signature) => signature.key === fingerprint);
  if (!ofKey)
    return `expected a signature of key ${fingerprint}, got one of ${ofPointer.map((one) => one.key).join(', ')}`;
  const isRight = await crypto.subtle.verify(
    'Ed25519',
    key,
    bytesOf(ofKey.signature),
    pointer as Uint8Array<ArrayBuffer>,
  );
  return isRight ? null : `expected the signature of key ${fingerprint}, got one that does not fit`;
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64.replace(/\s/g, '')), (character) => character.charCodeAt(0));
}
