import { createPublicKey, hash, sign } from 'node:crypto';
import { formatSignatureFile, type KeySuccession, successionText } from '../../contract/schemas/checkpoint.ts';
import { createFile } from '../files/new-file.ts';
import { readPrivateKey, type SigningKey, successionFile } from './keys.ts';

/**
 * Signs a new key with the old one, in a file beside the new private key. Builds add it to the signature file of the
 * site, so readers who have the old public key trust the new one.
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
