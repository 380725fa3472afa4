import { createHash } from 'node:crypto';
import { closeSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createGunzip } from 'node:zlib';
import type { ObjectReference } from '../../contract/schemas/site-files.ts';
import { FailedAttempt, type Pieces } from './body.ts';

export async function collectBytes(pieces: Pieces): Promise<Buffer> {
  const kept: Uint8Array[] = [];
  for await (const piece of pieces) kept.push(piece);
  return Buffer.concat(kept);
}

/**
 * Passes on the pieces of a body. Throws a {@link FailedAttempt} at its end unless it has the size and the hash of the
 * object.
 */
export async function* hashed(pieces: Pieces, { sha256, size }: ObjectReference): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let came = 0;
  for await (const piece of pieces) {
    hash.update(piece);
    came += piece.length;
    yield piece;
  }
  if (came !== size) throw new FailedAttempt(`expected ${size} bytes, got ${came}`);
  const got = hash.digest('hex');
  if (got !== sha256) throw new FailedAttempt(`expected bytes with that SHA-256, got ${got}`);
}

/** Writes a body to a file, whose name ends in `.tmp` until the body is whole. */
export async function writeToFile(pieces: Pieces, file: string): Promise<void> {
  const temporary = `${file}.tmp`;
  rmSync(temporary, { force: true });
  const descriptor = openSync(temporary, 'wx');
  try {
    try {
      for await (const piece of pieces) writeFileSync(descriptor, piece);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

export type Digest = Awaited<ReturnType<typeof digestPieces>>;

/** Hashes a body, and keeps its bytes if `isKept`. Stops reading a body that is longer than `maxBytes`. */
export async function digestPieces(pieces: Pieces, maxBytes: number, isKept: boolean) {
  const hash = createHash('sha256');
  const kept: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces) {
    size += piece.length;
    if (size > maxBytes) break;
    hash.update(piece);
    if (isKept) kept.push(piece);
  }
  return { isTooLong: size > maxBytes, size, sha256: hash.digest('hex'), bytes: Buffer.concat(kept) };
}

/**
 * Hashes the content of a gzip body. Invalid data ends the content without an error. Reads the body to its end even if
 * the content is longer than `maxBytes`, because the caller compares the hash of the body.
 */
export async function digestUnpacked(pieces: Pieces, maxBytes: number): Promise<Digest> {
  const gunzip = createGunzip();
  const digest = digestPieces(validPieces(gunzip), maxBytes, false);
  try {
    for await (const piece of pieces) {
      if (gunzip.destroyed || gunzip.write(piece)) continue;
      // If the data are invalid or too long, the digest resolves first.
      await Promise.race([new Promise((resolve) => gunzip.once('drain', resolve)), digest]);
    }
    gunzip.end();
    return await digest;
  } finally {
    gunzip.destroy();
  }
}

/** Ends where zlib refuses the data or the stream is destroyed. */
async function* validPieces(gunzip: Pieces): AsyncGenerator<Uint8Array> {
  try {
    yield* gunzip;
  } catch (error) {
    const { code = '' } = error as { code?: string };
    if (!code.startsWith('Z_') && code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}
