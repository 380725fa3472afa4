import { createPrivateKey, createPublicKey, generateKeyPairSync, hash, type KeyObject } from 'node:crypto';
import { type KeySuccession, parseSignatureFile } from '../../contract/schemas/checkpoint.ts';
import { isThere, removeFile } from '../files/durable-files.ts';
import { Failure } from '../files/failure.ts';
import { createFile } from '../files/new-file.ts';
import { readRegularFile, refuseShared } from '../files/regular-file.ts';

/** `fingerprint`: the SHA-256 of the public key as SPKI in DER, in hex, also for a private key. */
export type SigningKey = {
  readonly key: KeyObject;
  readonly fingerprint: string;
  readonly successions?: readonly KeySuccession[];
};

/** `file` holds the private key. */
export function publicKeyFile(file: string): string {
  return `${file}.pub`;
}

/**
 * Makes an Ed25519 key pair. Writes the private key to `file` (PKCS #8, PEM, readable by its owner only) and the public
 * key to `file.pub` (SPKI, PEM), and flushes both. If an interrupted run left a private key alone, writes its public
 * key, and `isNew` is false. Throws a Failure if the public key exists, because an overwritten key cannot be recovered.
 */
export function writeKeyPair(file: string): SigningKey & { readonly isNew: boolean } {
  const publicFile = publicKeyFile(file);
  const isNew = !isThere(file);
  if (isThere(publicFile)) throw alreadyThere(isNew ? publicFile : file);
  if (isNew) createFile(file, (append) => append(toPem(generateKeyPairSync('ed25519').privateKey, 'pkcs8')), 0o600);
  try {
    const { key, fingerprint } = isNew ? readPrivateKey(file) : existingKey(file);
    const publicKey = createPublicKey(key);
    createFile(publicFile, (append) => append(toPem(publicKey, 'spki')));
    return { key: publicKey, fingerprint, isNew };
  } catch (error) {
    if (isNew) removeFile(file);
    throw error;
  }
}

/** Any other file of that name stays as it is. */
function existingKey(file: string): SigningKey {
  try {
    return readPrivateKey(file);
  } catch (error) {
    throw error instanceof Failure && error.code === 'signature' ? alreadyThere(file) : error;
  }
}

function alreadyThere(path: string): Failure {
  return new Failure('already_there', `${path}: expected no file of that name, got one; a key never replaces a file`);
}

/** A key takes some hundred bytes. */
const mostBytes = 64 * 1024;

/**
 * Throws a Failure if the file holds no Ed25519 private key, or if other users may read it. A key that follows another
 * one has its successions in a file beside it.
 */
export function readPrivateKey(file: string): SigningKey {
  const key = readKey(file, 'private', createPrivateKey);
  refuseShared(file);
  return { ...key, successions: readSuccessions(successionFile(file)) };
}

/** The file beside a private key that says which key it follows. */
export function successionFile(file: string): string {
  return `${file}.succession`;
}

function readSuccessions(file: string): KeySuccession[] {
  if (!isThere(file)) return [];
  const lines = parseSignatureFile(readRegularFile(file, 'a file that can be used', mostBytes).toString());
  return (lines ?? []).map((line) => {
    if (line.format === 'shelfpress-key') return line;
    throw new Failure('signature', `${file}: expected lines that keygen --rotate wrote, got others`);
  });
}

/** Reads a public key. Throws a Failure for any other file, such as a private key, which a verifier must not get. */
export function readPublicKey(file: string): SigningKey {
  return readKey(file, 'public', (pem) => {
    if (pem.includes('PRIVATE KEY'))
      throw new Failure('signature', `${file}: expected a public key, got the private one`);
    return createPublicKey(pem);
  });
}

function readKey(file: string, kind: 'private' | 'public', parse: (pem: string) => KeyObject): SigningKey {
  const pem = readRegularFile(file, 'a file that can be used', mostBytes).toString();
  const expected = `expected an Ed25519 ${kind} key in PEM, as keygen writes it`;
  let key: KeyObject;
  try {
    key = parse(pem);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure('signature', `${file}: ${expected}, got something else (${(error as Error).message})`);
  }
  if (key.asymmetricKeyType !== 'ed25519')
    throw new Failure('signature', `${file}: ${expected}, got ${key.asymmetricKeyType}`);
  return { key, fingerprint: keyFingerprint(key) };
}

export function keyFingerprint(publicKey: KeyObject): string {
  return hash('sha256', toDer(publicKey));
}

/** A public key as SPKI in DER. A private key gives its public half. */
export function toDer(key: KeyObject): Buffer {
  const publicKey = key.type === 'private' ? createPublicKey(key as never) : key;
  return publicKey.export({ type: 'spki', format: 'der' });
}

function toPem(key: KeyObject, type: 'spki' | 'pkcs8'): string {
  return key.export({ type, format: 'pem' }) as string;
}
