import { createHash, hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Failure } from '../failure.ts';
import type { Upload } from './upload.ts';

/** Larger files are streamed, so that as many as go up at once fit into memory. */
const largestInMemory = 4 * 1024 * 1024;

/**
 * A file of a site as the body of a request, compared with its hashes before the first byte goes out. A large one is read
 * twice, and its hash is signed, so that a bucket refuses it should it change in between. Throws a Failure when the file is
 * missing or damaged.
 */
export async function soundBody(directory: string, upload: Upload): Promise<() => Uint8Array | Readable> {
  const path = join(directory, upload.file);
  try {
    if (upload.size <= largestInMemory) {
      const bytes = await readFile(path);
      refuseDamage(path, upload, { sha256: hash('sha256', bytes), md5: hash('md5', bytes), size: bytes.length });
      return () => bytes;
    }
    refuseDamage(path, upload, await digestsOf(path));
    return () => createReadStream(path);
  } catch (error) {
    const { code } = error as { readonly code?: string };
    if (code === undefined || error instanceof Failure) throw error;
    throw new Failure(`${path}: expected ${upload.size} bytes, got ${code}; the pointer was not moved`);
  }
}

type Digests = Pick<Upload, 'sha256' | 'md5' | 'size'>;

async function digestsOf(path: string): Promise<Digests> {
  const [sha256, md5] = [createHash('sha256'), createHash('md5')];
  let size = 0;
  for await (const piece of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    sha256.update(piece);
    md5.update(piece);
    size += piece.length;
  }
  return { sha256: sha256.digest('hex'), md5: md5.digest('hex'), size };
}

function refuseDamage(path: string, expected: Digests, got: Digests): void {
  for (const key of ['sha256', 'size', 'md5'] as const) {
    if (got[key] === expected[key]) continue;
    throw new Failure(
      `${path}: expected ${key} ${expected[key]}, got ${got[key]}; the pointer was not moved, build --full mends it`,
    );
  }
}
