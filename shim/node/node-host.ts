import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import { type Hash, webHash } from '../../contract/site/source.ts';
import type { Compressor } from '../host.ts';

/**
 * The bytes from which an input is hashed in another thread. Handing over a smaller one takes longer than hashing it.
 */
const leastToHashInThread = 256 * 1024;

/** Hashes small inputs at once, and large ones in Node's own threads. */
export const nodeHash: Hash = (bytes) => (bytes.length < leastToHashInThread ? hash('sha256', bytes) : webHash(bytes));

const brotliInThread = promisify(brotliCompress);
const gzipInThread = promisify(gzip);

/** At 4, brotli is as fast as gzip and makes smaller answers. From 5 on it takes several times as long. */
const brotliQuality = 4;

/**
 * The bytes from which a body is compressed in another thread. Handing over a smaller one takes as long as compressing
 * it, which is short.
 */
const leastToCompressInThread = 16 * 1024;

/** Compresses large bodies in Node's own threads, so that the event loop can answer others meanwhile. */
export const threadCompressor: Compressor = {
  codings: ['br', 'gzip'],
  async compress(bytes, coding) {
    const isSmall = bytes.length < leastToCompressInThread;
    if (coding === 'gzip') return isSmall ? gzipSync(bytes) : gzipInThread(bytes);
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    };
    return isSmall ? brotliCompressSync(bytes, { params }) : brotliInThread(bytes, { params });
  },
};
