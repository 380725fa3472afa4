import { createHmac, createSecretKey, hash } from 'node:crypto';
import type { Hash, Mac } from '../host.ts';
import { webHash } from '../site/verified-objects.ts';

/** In bytes. To hand a smaller input to another thread takes longer than to hash it. */
const leastForThread = 256 * 1024;

/** Hashes small inputs at once, and large ones in Node's own threads. */
export const nodeHash: Hash = (bytes) => (bytes.length < leastForThread ? hash('sha256', bytes) : webHash(bytes));

/** Signs at once: what is signed is small. */
export const nodeMac: Mac = (secret) => {
  const key = createSecretKey(secret, 'utf8');
  return (bytes) => createHmac('sha256', key).update(bytes).digest();
};
