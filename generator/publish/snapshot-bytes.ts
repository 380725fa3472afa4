import { createReadStream } from 'node:fs';
import { basename, dirname } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ProblemList, SnapshotError } from './problem.ts';

/** The name of a part without `.gz`: lines and fields are those of the decompressed file. */
export function partFileName(path: string): string {
  return basename(path, '.gz');
}

/** The error of a file that is of no use as a whole. */
function fileError(path: string, expected: string, got: string): SnapshotError {
  const problems = new ProblemList();
  problems.add({ file: basename(path), line: null, field: null, expected, got });
  return new SnapshotError(basename(dirname(path)), problems);
}

/**
 * The decompressed content of a file, chunk by chunk. Throws a SnapshotError when the file cannot be read, or says
 * `.gz` and is not a whole gzip file.
 */
export async function* readBytes(path: string): AsyncGenerator<Buffer> {
  const packed = createReadStream(path, { highWaterMark: 256 * 1024 });
  // The pipeline passes errors and an early end on to both streams; the loop below is who hears of them.
  const content = path.endsWith('.gz') ? pipeline(packed, createGunzip({ chunkSize: 256 * 1024 }), () => {}) : packed;
  try {
    yield* content as AsyncIterable<Buffer>;
    if (content !== packed && packed.bytesRead === 0) throw new Error('an empty file');
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    if (code?.startsWith('E')) throw fileError(path, 'a readable file', message);
    throw fileError(path, 'a whole gzip file', message);
  }
}
