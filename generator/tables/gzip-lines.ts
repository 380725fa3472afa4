import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { BrokenFile } from './broken-file.ts';
import { decodeUtf8 } from './checked-json.ts';

const lineFeed = 0x0a;
const chunkSize = 256 * 1024;

/**
 * The lines of a gzip file of `size` bytes, many at a time, each without its line feed. Throws a {@link BrokenFile} on
 * damage, truncation, anything after the end, bytes that are not UTF-8, a last line without its line feed, and more
 * than `maxBytes` unpacked bytes. `take` gets the unpacked bytes.
 */
export async function* gzipLines(
  file: string,
  size: number,
  maxBytes = Number.POSITIVE_INFINITY,
  take: (bytes: Buffer) => void = () => undefined,
): AsyncGenerator<readonly string[]> {
  const gunzip = createGunzip({ chunkSize });
  const source = createReadStream(file, { highWaterMark: chunkSize });
  source.on('error', (error) => gunzip.destroy(error));
  source.pipe(gunzip);
  let rest: Buffer[] = [];
  let unpacked = 0;
  try {
    for await (const chunk of broken(gunzip)) {
      unpacked += chunk.length;
      take(chunk);
      if (unpacked > maxBytes) throw new BrokenFile(`more than ${maxBytes} unpacked bytes`);
      const end = chunk.lastIndexOf(lineFeed);
      if (end < 0) {
        rest.push(chunk);
        continue;
      }
      yield linesOf(Buffer.concat([...rest, chunk.subarray(0, end)]));
      rest = end + 1 < chunk.length ? [chunk.subarray(end + 1)] : [];
    }
    if (rest.length > 0) throw new BrokenFile('a last line without its line feed');
    // zlib takes zeros after the end for padding and reports no error.
    if (gunzip.bytesWritten !== size) throw new BrokenFile(`${size - gunzip.bytesWritten} bytes after its end`);
  } finally {
    source.destroy();
    gunzip.destroy();
  }
}

async function* broken(gunzip: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* gunzip;
  } catch (error) {
    throw new BrokenFile((error as Error).message, { cause: error });
  }
}

function linesOf(bytes: Buffer): string[] {
  const text = decodeUtf8(bytes);
  if (text === null) throw new BrokenFile('bytes that are not UTF-8');
  return text.split('\n');
}
