import { isUtf8 } from 'node:buffer';
import { constants, type Stats } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { cut, type ValueFault } from '../../contract/schemas/checked-value.ts';
import { countText } from '../files/failure.ts';
import { Faults, FaultyInput } from '../files/faults.ts';
import { bytesText, limits, mostBytes } from './limits.ts';
import { faultySnapshot } from './row-faults.ts';

/** `text` has no line break. A line with a `fault` cannot be parsed, and its `text` is only for people. */
export type TextLine = { line: number; text: string; fault: { expected: string; got: string } | null };

const newline = 0x0a;
const byteOrderMark = '\uFEFF';
const keptOfLongLine = 1024;

/** The files of a part in order, read as one. */
export type PartFiles = readonly [string, ...string[]];

/**
 * The lines of a part that are not blank, in batches, so that not every line costs a turn of the event loop. Numbers
 * run through all files. Throws a FaultyInput for more than `atMost` lines, blank ones included. Keeps only the
 * unfinished line in memory, and only the beginning of an overlong one.
 */
export async function* readLines(files: PartFiles, atMost: number): AsyncGenerator<TextLine[]> {
  let number = 0;
  let held: Buffer[] = [];
  let length = 0;
  let lines: TextLine[] = [];
  const hold = (bytes: Buffer) => {
    const fitted = length <= limits.lineBytes;
    length += bytes.length;
    if (fitted && bytes.length > 0) held.push(bytes);
    if (fitted && length > limits.lineBytes) held = [Buffer.concat(held, keptOfLongLine)];
  };
  const endLine = () => {
    number += 1;
    if (length === 0) return;
    const [only] = held;
    const line = textLine(number, only !== undefined && held.length === 1 ? only : Buffer.concat(held), length);
    if (line.fault !== null || !/^[ \t]*$/.test(line.text)) lines.push(line);
    held = [];
    length = 0;
  };
  const requireFewer = () => {
    if (number > atMost) throw faultyFile(files[0], `at most ${countText(atMost)} lines`, 'more');
  };
  for await (const chunk of readPart(files)) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      hold(chunk.subarray(start, end));
      endLine();
      start = end + 1;
    }
    hold(chunk.subarray(start));
    yield lines;
    lines = [];
    requireFewer();
  }
  if (length > 0) endLine();
  yield lines;
  requireFewer();
}

function textLine(line: number, bytes: Buffer, length: number): TextLine {
  const decoded = bytes.toString('utf8');
  if (length > limits.lineBytes) {
    return {
      line,
      text: `${decoded}…`,
      fault: { expected: `a line of at most ${bytesText(limits.lineBytes)}`, got: `${length} bytes` },
    };
  }
  const unmarked = line === 1 && decoded.startsWith(byteOrderMark) ? decoded.slice(1) : decoded;
  const text = unmarked.endsWith('\r') ? unmarked.slice(0, -1) : unmarked;
  return { line, text, fault: isUtf8(bytes) ? null : { expected: 'valid UTF-8', got: aroundInvalidBytes(text) } };
}

/** The text around the first invalid bytes. Decoding replaces bytes that are not UTF-8 with U+FFFD. */
export function aroundInvalidBytes(decoded: string): string {
  const place = decoded.indexOf('\uFFFD');
  return cut(decoded.slice(Math.max(0, place - 20), place + 20));
}

const chunkBytes = 256 * 1024;

/** The name without `.gz`, because faults name lines and fields of the decompressed file. */
export function partFileName(path: string): string {
  return basename(path, '.gz');
}

export function faultyFile(path: string, expected: string, got: string): FaultyInput {
  return faultyPart(path, basename(path), [{ field: null, expected, got }]);
}

export function faultyPart(path: string, file: string, found: readonly ValueFault[]): FaultyInput {
  const faults = new Faults(found.map((fault) => ({ file, line: null, ...fault })));
  return faultySnapshot(basename(dirname(path)), faults);
}

/**
 * The decompressed content of a file, chunk by chunk. Throws a FaultyInput if the file is not a regular file, cannot be
 * read, is larger than its kind may be, or ends in `.gz` but is not a whole gzip file.
 */
export async function* readBytes(path: string): AsyncGenerator<Buffer> {
  try {
    requireRegular(path, await stat(path));
    // A pipe may have replaced the file in the meantime. With O_NONBLOCK, opening it does not wait for a writer.
    const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      requireRegular(path, await handle.stat());
      const packed = handle.createReadStream({ highWaterMark: chunkBytes });
      // The pipeline passes errors and an early end on to both streams. The loop in `upTo` throws them, so the callback
      // is empty.
      const isPacked = path.endsWith('.gz');
      const content = isPacked ? pipeline(packed, createGunzip({ chunkSize: chunkBytes }), () => {}) : packed;
      yield* upTo(mostBytes(partFileName(path)), path, content as AsyncIterable<Buffer>);
      if (isPacked && packed.bytesRead === 0) throw new Error('an empty file');
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof FaultyInput) throw error;
    const { message, code } = error as NodeJS.ErrnoException;
    if (code?.startsWith('E')) throw faultyFile(path, 'a readable file', message);
    throw faultyFile(path, 'a whole gzip file', message);
  }
}

/** A part's files, decompressed and one after the other. A line ends where a file ends. */
export async function* readPart(files: PartFiles): AsyncGenerator<Buffer> {
  let last = newline;
  for (const file of files) {
    if (last !== newline) yield Buffer.of(newline);
    last = newline;
    for await (const chunk of readBytes(file)) {
      last = chunk.at(-1) ?? last;
      yield chunk;
    }
  }
}

/** Pipes and devices may never end, and a pipe without a writer never begins. */
function requireRegular(path: string, about: Stats): void {
  if (!about.isFile()) throw faultyFile(path, 'a regular file', fileKind(about));
}

function fileKind(about: Stats): string {
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
      throw faultyFile(path, expected, 'more');
    }
    yield chunk;
  }
}
