import { crc32 } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { explainFile } from '../../files/failure.ts';
import { firstBytes } from '../../files/regular-file.ts';
import { fileFailure, type InputFile } from './input.ts';

/** The most files in an archive. Real workbooks have dozens. */
const mostEntries = 10_000;

/**
 * The most unpacked bytes, and the most unpacked bytes for each packed one. A table of equal cells packs to a
 * hundredth. A file that packs to less than a 200th is meant to fill memory or to take hours.
 */
const mostBytes = 4 * 1024 ** 3;
export const mostTimes = 200;
export const unsuspicious = 16 * 1024 * 1024;

export type WorkbookArchive = Awaited<ReturnType<typeof openArchive>>;

export const openWorkbook = (input: InputFile) => openArchive(input, 'an XLSX workbook');

/** Opens a ZIP file. `expected`: what it should be. */
export async function openArchive(input: InputFile, expected: string) {
  const explain = (error: Error): never => {
    throw refused(input, expected, error);
  };
  const zip = await openPromise(input.source, { autoClose: false }).catch(explain);
  const entries = await readEntries(input, zip).catch((error: Error) => {
    zip.close();
    return explain(error);
  });
  const byAnyCase = new Map([...entries].map(([name, entry]) => [name.toLowerCase(), entry]));
  /** Names of a workbook's parts ignore case (ECMA-376 part 2, 6.2.2). */
  const find = (name: string) => entries.get(name) ?? byAnyCase.get(name.toLowerCase());
  return {
    names: [...entries.keys()] as readonly string[],
    has: (name: string) => find(name) !== undefined,
    size: (name: string) => find(name)?.uncompressedSize ?? 0,
    /** Reads nothing beyond the limits, whatever sizes the archive claims. */
    async *read(name: string, atMost = mostBytes): AsyncGenerator<Buffer> {
      const entry = find(name);
      if (entry === undefined) throw fileFailure(input.path, `${expected} with ${name}`, 'none');
      if (entry.isEncrypted()) throw fileFailure(input.path, `${expected} without a password`, 'an encrypted one');
      const stream = await zip.openReadStreamPromise(entry);
      try {
        yield* soundBytes(input, entry, stream, atMost);
      } catch (error) {
        throw error instanceof Error ? refused(input, expected, error) : error;
      } finally {
        stream.destroy();
      }
    },
    close: () => zip.close(),
  };
}

async function readEntries({ path }: InputFile, zip: ZipFile): Promise<ReadonlyMap<string, Entry>> {
  const entries = new Map<string, Entry>();
  if (zip.entryCount > mostEntries) throw fileFailure(path, `at most ${mostEntries} files in it`, `${zip.entryCount}`);
  for await (const entry of zip.eachEntry()) {
    if (entries.has(entry.fileName)) throw fileFailure(path, 'names of its own', `${entry.fileName} twice`);
    entries.set(entry.fileName, entry);
  }
  return entries;
}

async function* soundBytes(
  { path }: InputFile,
  { fileName, compressedSize, crc32: expected }: Entry,
  chunks: AsyncIterable<Buffer>,
  atMost: number,
): AsyncGenerator<Buffer> {
  let length = 0;
  let checksum = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    const isBomb = length > unsuspicious && length > compressedSize * mostTimes;
    if (length > atMost || isBomb) {
      const most = isBomb ? `${mostTimes} times its packed size` : `${atMost} bytes`;
      throw fileFailure(path, `${fileName} of at most ${most}`, 'more');
    }
    checksum = crc32(chunk, checksum);
    yield chunk;
  }
  if (checksum === expected) return;
  throw fileFailure(path, `${fileName} with the checksum that its archive states`, 'another: the file is damaged');
}

/** A Failure for a file that is damaged or not an archive. Other errors stay as they are. */
function refused(input: InputFile, expected: string, error: Error): Error {
  if (error.name === 'Failure') return error;
  return explainFile(input.path, expected, () => {
    if ('code' in error && String(error.code).startsWith('E')) throw error;
    return fileFailure(input.path, expected, kindBySignature(input) ?? error.message);
  });
}

/** The real kind of a supposed workbook; null if unknown. */
function kindBySignature(input: InputFile): string | null {
  const start = firstBytes(input.source, 512);
  if (start.subarray(0, 8).toString('hex') === 'd0cf11e0a1b11ae1')
    return 'an .xls workbook, or one with a password; save it as .xlsx without one';
  if (/^\s*<(!doctype html|html|table|\?xml)/i.test(start.toString('latin1').replace('ï»¿', '')))
    return 'HTML or XML under the name of a workbook; open it in a spreadsheet program and save it as .xlsx';
  return start.includes(0) ? null : 'text; "type" in the recipe may be csv';
}
