import { createPrivateKey, createPublicKey, generateKeyPairSync, hash, type KeyObject } from 'node:crypto';
import { closeSync, existsSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { explainFile, Failure } from '../failure.ts';
import { readRegularFile } from '../regular-file.ts';

/**
 * A key and its fingerprint: the SHA-256 of the public key as SPKI in DER, in hex. A private key has the fingerprint of
 * its public key.
 */
export type SigningKey = { readonly key: KeyObject; readonly fingerprint: string };

/** The path of the public key that belongs to the private key in `file`. */
export function publicKeyFile(file: string): string {
  return `${file}.pub`;
}

/**
 * Makes an Ed25519 key pair. Writes the private key to `file` (PKCS #8, PEM, readable by its owner only) and the public
 * key to `file.pub` (SPKI, PEM). Throws a Failure when either file exists, because an overwritten key cannot be
 * recovered.
 */
export function writeKeyPair(file: string): SigningKey {
  const publicFile = publicKeyFile(file);
  for (const path of [file, publicFile]) {
    if (existsSync(path))
      throw new Failure('already_there', `${path}: expected no file there yet, and a key is never written over one`);
  }
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  writeNew(publicFile, pemOf(publicKey, 'spki'), 0o666);
  try {
    writeNew(file, pemOf(privateKey, 'pkcs8'), 0o600);
  } catch (error) {
    rmSync(publicFile);
    throw error;
  }
  return { key: publicKey, fingerprint: fingerprintOf(publicKey) };
}

/** Writes a file that is not there yet. Leaves none when the system refuses to write it, as on a full disk. */
function writeNew(file: string, text: string, mode: number): void {
  explainFile(file, 'a file that can be used', () => {
    const descriptor = openSync(file, 'wx', mode);
    try {
      writeFileSync(descriptor, text);
    } catch (error) {
      rmSync(file);
      throw error;
    } finally {
      closeSync(descriptor);
    }
  });
}

/** A key takes some hundred bytes. */
const mostBytes = 64 * 1024;

/** Throws a Failure when the file holds no Ed25519 private key. */
export function readPrivateKey(file: string): SigningKey {
  return readKey(file, 'private', createPrivateKey);
}

/**
 * Throws a Failure when the file holds no Ed25519 public key. A private key is refused too, because a verifier must not
 * get it.
 */
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
  return { key, fingerprint: fingerprintOf(kind === 'private' ? createPublicKey(key) : key) };
}

function fingerprintOf(publicKey: KeyObject): string {
  return hash('sha256', publicKey.export({ type: 'spki', format: 'der' }));
}

function pemOf(key: KeyObject, type: 'spki' | 'pkcs8'): string {
  return key.export({ type, format: 'pem' }) as string;
}
