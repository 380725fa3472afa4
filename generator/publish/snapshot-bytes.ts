import { constants, type Stats } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ProblemList, SnapshotError } from './problem.ts';
import { bytesText, mostBytes } from './snapshot-limits.ts';

const chunkBytes = 256 * 1024;

/** The name of a part without `.gz`: lines and fields are those of the decompressed file. */
export function partFileName(path: string): string {
  return basename(path, '.gz');
}

/** The error of a file that is of no use as a whole. */
export function fileError(path: string, expected: string, got: string): SnapshotError {
  const problems = new ProblemList();
  problems.add({ file: basename(path), line: null, field: null, expected, got });
  return new SnapshotError(basename(dirname(path)), problems);
}

/**
 * The decompressed content of a file, chunk by chunk. Throws a SnapshotError when it is no regular file, cannot be
 * read, is larger than a file of its name may be, or says `.gz` and is not a whole gzip file.
 */
export async function* readBytes(path: string): AsyncGenerator<Buffer> {
  try {
    requireRegular(path, await stat(path));
    // Should a pipe have taken the file's place since, opening it does not wait for a writer.
    await using handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    requireRegular(path, await handle.stat());
    const packed = handle.createReadStream({ highWaterMark: chunkBytes });
    // The pipeline passes errors and an early end on to both streams; the loop below is who hears of them.
    const isPacked = path.endsWith('.gz');
    const content = isPacked ? pipeline(packed, createGunzip({ chunkSize: chunkBytes }), () => {}) : packed;
    yield* upTo(mostBytes(partFileName(path)), path, content as AsyncIterable<Buffer>);
    if (isPacked && packed.bytesRead === 0) throw new Error('an empty file');
  } catch (error) {
    if (error instanceof SnapshotError) throw error;
    const { message, code } = error as NodeJS.ErrnoException;
    if (code?.startsWith('E')) throw fileError(path, 'a readable file', message);
    throw fileError(path, 'a whole gzip file', message);
  }
}

/** A pipe or a device may never come to an end, and one that nobody writes to never begins. */
function requireRegular(path: string, about: Stats): void {
  if (!about.isFile()) throw fileError(path, 'a regular file', kindOf(about));
}

function kindOf(about: Stats): string {
  if (about.isDirectory()) return 'a folder';
  if (about.isFIFO()) return 'a named pipe';
  return about.isSocket() ? 'a socket' : 'a device';
}

async function* upTo(most: number, path: string, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > most) {
      const expected = path.endsWith('.gz')
        ? `at most ${bytesText(most)} when decompressed`
        : `a file of at most ${bytesText(most)}`;
      throw fileError(path, expected, 'more');
    }
    yield chunk;
  }
}
