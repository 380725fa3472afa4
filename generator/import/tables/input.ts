import { constants, createReadStream, fstatSync, openSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { printable } from '../../../contract/text.ts';
import { explainFile, Failure } from '../../files/failure.ts';
import { aroundInvalidBytes } from '../../snapshot/lines.ts';
import type { Cell } from './table.ts';

/** A file that a person named. Its identity does not depend on the path. */
export type InputFile = ReturnType<typeof inputFile>;

/** Reports progress. `count`: how many bytes were read since the last call. */
export type OnBytes = (count: number) => void;

export const limits = {
  rowCharacters: 4 * 1024 * 1024,
  columns: 16_384,
  rows: 20_000_000,
} as const;

/**
 * Requires a regular file: a pipe may never end, and opening one may wait forever. `source`: where an unpacked file's
 * bytes are. `name`: the name that a recipe's patterns see.
 */
export function inputFile(path: string, source = path, name = basename(path)) {
  const about = explainFile(path, 'a file', () => statSync(source, { bigint: true }));
  if (!about.isFile()) throw fileFailure(path, 'a file', about.isDirectory() ? 'a folder' : 'a pipe or a device');
  if (about.size === 0n) throw fileFailure(path, 'a file with rows', 'an empty file');
  const identity = `${about.dev}:${about.ino}`;
  return { path, source, name: printable(name), size: Number(about.size), identity };
}

async function* readChunks({ path, source }: InputFile, onBytes: OnBytes): AsyncGenerator<Buffer> {
  const fd = explainFile(path, 'a file', () => openSync(source, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)));
  if (!fstatSync(fd).isFile()) throw fileFailure(path, 'a file', 'something else that took its place');
  for await (const chunk of createReadStream(source, { fd, highWaterMark: 256 * 1024 })) {
    onBytes(chunk.length);
    yield chunk;
  }
}

/** `mixed`: each line is UTF-8 if it can be, and otherwise windows-1252. */
export type Encoding = 'utf-8' | 'windows-1250' | 'windows-1252' | 'utf-16' | 'mixed';

/** Decodes a file piece by piece. Throws a Failure for bytes that the encoding does not allow. */
export async function* readText(input: InputFile, encoding: Encoding, onBytes: OnBytes): AsyncGenerator<string> {
  if (encoding === 'mixed') return yield* readMixed(input, onBytes);
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  let lines = 0;
  const wrong = encoding.startsWith('windows-') ? utf8Check() : null;
  const decode = (chunk: Buffer | undefined): string => {
    try {
      return decoder?.decode(chunk, { stream: chunk !== undefined }) ?? '';
    } catch {
      const around =
        chunk === undefined ? 'a character that is cut short' : `'${aroundInvalidBytes(chunk.toString())}'`;
      const where = `in line ${lines + 1 + newlinesBefore(chunk)}`;
      throw fileFailure(
        input.path,
        `text in ${encoding}`,
        `${around} ${where}; "encoding" in the recipe names another, or "mixed" if lines differ`,
      );
    }
  };
  for await (const chunk of readChunks(input, onBytes)) {
    if (decoder === null) {
      refuseArchive(input, chunk);
      const mark: 'utf-16le' | 'utf-16be' | null =
        byteOrderMark(chunk) ?? (encoding === 'utf-16' ? guessByteOrder(input, chunk) : null);
      if (mark !== null && !mark.startsWith(encoding)) {
        throw fileFailure(
          input.path,
          `text in ${encoding}`,
          `text in ${mark.slice(0, 6)}; "encoding" in the recipe names it`,
        );
      }
      decoder = new TextDecoder(encoding === 'utf-16' ? (mark ?? encoding) : encoding, { fatal: true });
    }
    wrong?.add(chunk);
    const text = decode(chunk);
    if (text.includes('\0')) throw fileFailure(input.path, `text in ${encoding}`, 'NUL, as text in utf-16 has');
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
    yield text;
  }
  yield decode(undefined);
  // In windows-1252 the letter ö would be two, Ã and ¶.
  if (wrong?.isUtf8())
    throw fileFailure(input.path, `text in ${encoding}`, 'text in utf-8; "encoding" in the recipe names it');
}

/** Decodes a file line by line, because each line has its own encoding. */
async function* readMixed(input: InputFile, onBytes: OnBytes): AsyncGenerator<string> {
  const decoders = ['utf-8', 'windows-1252'].map((label) => new TextDecoder(label, { fatal: true, ignoreBOM: true }));
  const decode = (line: Buffer): string => {
    for (const decoder of decoders) {
      try {
        return decoder.decode(line);
      } catch {
        // The next decoder may succeed.
      }
    }
    throw fileFailure(input.path, 'lines in utf-8 or windows-1252', `'${aroundInvalidBytes(line.toString())}'`);
  };
  let rest = Buffer.alloc(0);
  let isFirst = true;
  for await (const chunk of readChunks(input, onBytes)) {
    if (isFirst) refuseArchive(input, chunk);
    const bytes = Buffer.concat([rest, chunk]);
    const lines: string[] = [];
    let start = 0;
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
      lines.push(decode(bytes.subarray(start, end + 1)));
      start = end + 1;
    }
    rest = bytes.subarray(start);
    if (rest.length > limits.rowCharacters) throw fileFailure(input.path, 'lines of at most 4 MiB', 'a longer one');
    const text = lines.join('');
    yield isFirst ? text.replace(/^\uFEFF/, '') : text;
    isFirst = false;
  }
  yield isFirst ? decode(rest).replace(/^\uFEFF/, '') : decode(rest);
}

/** Whether bytes are UTF-8 beyond ASCII. Text in another encoding hardly ever is. */
function utf8Check() {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isValid = true;
  let isAscii = true;
  const decode = (chunk?: Buffer) => {
    if (!isValid) return;
    try {
      decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      isValid = false;
    }
  };
  return {
    add(chunk: Buffer): void {
      isAscii &&= !chunk.some((byte) => byte > 127);
      decode(chunk);
    },
    isUtf8(): boolean {
      decode();
      return isValid && !isAscii;
    },
  };
}

/** Without a byte order mark, the zero bytes of digits, commas and line breaks show the byte order. */
function guessByteOrder({ path }: InputFile, chunk: Buffer): 'utf-16le' | 'utf-16be' {
  const zeros = [0, 0];
  for (const [index, byte] of chunk.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [first = 0, second = 0] = zeros;
  if (first === second)
    throw fileFailure(path, 'text in utf-16', 'other text; "encoding" in the recipe names its encoding');
  return second > first ? 'utf-16le' : 'utf-16be';
}

function refuseArchive(input: InputFile, chunk: Buffer): void {
  const [first, second] = chunk;
  const isZip = chunk.subarray(0, 4).toString('latin1') === 'PK\x03\x04';
  if (isZip) throw fileFailure(input.path, 'text', 'a ZIP file, as workbooks are; "type" in the recipe may be xlsx');
  if (first === 0x1f && second === 0x8b) throw fileFailure(input.path, 'text', 'a gzip file that was packed twice');
}

export function fileFailure(path: string, expected: string, got: string): Failure {
  return new Failure('import_faults', `${path}: expected ${expected}, got ${got}`);
}

/** A row as text cells: the header, or a row of a file that only has text. */
export function textCells(cells: readonly (Cell | undefined)[]): string[] {
  return Array.from(cells, (cell) => (cell === undefined ? '' : typeof cell === 'string' ? cell : cell.text));
}

function byteOrderMark(chunk: Buffer): 'utf-16le' | 'utf-16be' | null {
  if (chunk[0] === 0xff && chunk[1] === 0xfe) return 'utf-16le';
  return chunk[0] === 0xfe && chunk[1] === 0xff ? 'utf-16be' : null;
}

function newlinesBefore(chunk: Buffer | undefined): number {
  const decoded = chunk?.toString() ?? '';
  return decoded.slice(0, Math.max(0, decoded.indexOf('\uFFFD'))).split('\n').length - 1;
}
