import { crc32 } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { explainFile } from '../../failure.ts';
import { firstBytes } from '../../regular-file.ts';
import { fileFailure, type InputFile } from './input.ts';

/** Files in a workbook. Real ones have dozens. */
const mostEntries = 10_000;

/**
 * Bytes that a file in a workbook may unpack to, and how many times its packed size. A table of equal cells packs to a
 * hundredth; more than 200 times is a file made to fill memory or to take hours.
 */
const mostBytes = 4 * 1024 ** 3;
const mostTimes = 200;
const unsuspicious = 16 * 1024 * 1024;

/** The files in an XLSX workbook, which is a ZIP file. */
export class WorkbookArchive {
  readonly #input: InputFile;
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;

  private constructor(input: InputFile, zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#input = input;
    this.#zip = zip;
    this.#entries = entries;
  }

  static async open(input: InputFile): Promise<WorkbookArchive> {
    const zip = await openPromise(input.path, { autoClose: false }).catch((error: Error) => {
      throw refused(input, error);
    });
    const entries = new Map<string, Entry>();
    try {
      if (zip.entryCount > mostEntries)
        throw fileFailure(input.path, `at most ${mostEntries} files in it`, `${zip.entryCount}`);
      for await (const entry of zip.eachEntry()) {
        if (entries.has(entry.fileName)) throw fileFailure(input.path, 'names of its own', `${entry.fileName} twice`);
        entries.set(entry.fileName, entry);
      }
    } catch (error) {
      zip.close();
      throw error instanceof Error ? refused(input, error) : error;
    }
    return new WorkbookArchive(input, zip, entries);
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** The unpacked size of a file, as the archive says. */
  size(name: string): number {
    return this.#entries.get(name)?.uncompressedSize ?? 0;
  }

  /** The unpacked content of a file. Nothing is read beyond the limits, whatever the archive says of its sizes. */
  async *read(name: string, atMost = mostBytes): AsyncGenerator<Buffer> {
    const entry = this.#entries.get(name);
    if (entry === undefined) throw fileFailure(this.#input.path, `an XLSX workbook with ${name}`, 'none');
    if (entry.isEncrypted()) throw fileFailure(this.#input.path, 'a workbook without a password', 'an encrypted one');
    let length = 0;
    let checksum = 0;
    const stream = await this.#zip.openReadStreamPromise(entry);
    try {
      for await (const chunk of stream) {
        length += chunk.length;
        const isBomb = length > unsuspicious && length > entry.compressedSize * mostTimes;
        if (length > atMost || isBomb) {
          const most = isBomb ? `${mostTimes} times its packed size` : `${atMost} bytes`;
          throw fileFailure(this.#input.path, `${name} of at most ${most}`, 'more');
        }
        checksum = crc32(chunk, checksum);
        yield chunk;
      }
      if (checksum !== entry.crc32)
        throw fileFailure(
          this.#input.path,
          `${name} with the checksum that its archive states`,
          'another: the file is damaged',
        );
    } catch (error) {
      throw error instanceof Error ? refused(this.#input, error) : error;
    } finally {
      stream.destroy();
    }
  }

  close(): void {
    this.#zip.close();
  }
}

/** A Failure for an archive that is damaged or none. Other errors stay as they are. */
function refused(input: InputFile, error: Error): Error {
  if (error.name === 'Failure') return error;
  return explainFile(input.path, 'an XLSX workbook', () => {
    if ('code' in error && String(error.code).startsWith('E')) throw error;
    return fileFailure(input.path, 'an XLSX workbook', signatureOf(input) ?? error.message);
  });
}

/** What files are that people take for workbooks; null for none of these. */
function signatureOf(input: InputFile): string | null {
  const start = firstBytes(input.path, 512);
  if (start.subarray(0, 8).toString('hex') === 'd0cf11e0a1b11ae1')
    return 'an .xls workbook, or one with a password; save it as .xlsx without one';
  if (/^\s*<(!doctype html|html|table|\?xml)/i.test(start.toString('latin1').replace('ï»¿', '')))
    return 'HTML or XML under the name of a workbook; open it in a spreadsheet program and save it as .xlsx';
  return start.includes(0) ? null : 'text; "type" in the recipe may be csv';
}
