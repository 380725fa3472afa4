import { hash } from 'node:crypto';
import type { Hash } from '../host.ts';
import { webHash } from '../site/verified-objects.ts';

/** In bytes. To hand a smaller input to another thread takes longer than to hash it. */
const leastForThread = 256 * 1024;

/** Hashes small inputs at once, and large ones in Node's own threads. */
export const nodeHash: Hash = (bytes) => (bytes.length < leastForThread ? hash('sha256', bytes) : webHash(bytes));
