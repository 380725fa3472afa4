import { createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto';
import { formatSignatureFile, type KeySuccession, successionText } from '../../contract/formats/checkpoint.ts';
import { createFile } from '../files/new-file.ts';
import { readPrivateKey, type SigningKey, successionFile } from './keys.ts';

/**
 * Signs a new key with the old one, in a file beside the new private key. Builds add it to the signature file of the site, so readers
 * who have the old public key believe the new one.
 */
export function writeSuccession(file: string, before: SigningKey): void {
  const { key } = readPrivateKey(file);
  const der = createPublicKey(key).export({ type: 'spki', format: 'der' });
  const named = { key: hash('sha256', der), signed_by: before.fingerprint };
  const line: KeySuccession = {
    format: 'shelfpress-key',
    format_version: 1,
    key: named.key,
    public_key: der.toString('base64'),
    signed_by: named.signed_by,
    signature: sign(null, Buffer.from(successionText(named)), before.key).toString('base64'),
  };
  createFile(successionFile(file), (append) => append(formatSignatureFile([...(before.successions ?? []), line])));
}

/** A key, and the keys that succeed it, by fingerprint. */
export function keysAfter({ key, fingerprint }: SigningKey, lines: readonly KeySuccession[]): Map<string, KeyObject> {
  const keys = new Map([[fingerprint, key]]);
  // A line may name a key that a later line makes known. Each round finds one more at least.
  for (let found = 0; found < keys.size; ) {
    found = keys.size;
    for (const line of lines) {
      if (keys.has(line.key)) continue;
      const signer = keys.get(line.signed_by);
      const next = signer && successorIn(line, signer);
      if (next) keys.set(line.key, next);
    }
  }
  return keys;
}

/** The key that a line names; null when the key before did not sign it, or when it is none. */
function successorIn(line: KeySuccession, signer: KeyObject): KeyObject | null {
  const der = Buffer.from(line.public_key, 'base64');
  if (hash('sha256', der) !== line.key) return null;
  if (!verify(null, Buffer.from(successionText(line)), signer, Buffer.from(line.signature, 'base64'))) return null;
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  return key.asymmetricKeyType === 'ed25519' ? key : null;
}
