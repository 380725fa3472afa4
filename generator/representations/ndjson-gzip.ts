import { Gzip } from 'fflate';
import { checkValue } from '../contract/check.ts';
import { type ExportHeader, exportHeader } from '../contract/export.ts';
import { Failure } from '../failure.ts';

/** The compressor's output depends on how its input is cut, so it is always cut like this. */
const pieceSize = 1 << 20;

/**
 * An export file: gzip NDJSON of a header and of records that are checked JSON already. The bytes depend on the records
 * alone, not on the machine or the version of Node. Throws a Failure when there are more or fewer than the header says.
 */
export function encodeExport(path: string, header: ExportHeader, lines: Iterable<string>): Uint8Array {
  const { record_count } = header.header;
  const gzip = new PiecewiseGzip();
  checkValue(exportHeader, () => path, header);
  gzip.write(`${JSON.stringify(header)}\n`);
  let count = 0;
  for (const line of lines) {
    count += 1;
    gzip.write(`${line}\n`);
  }
  if (count !== record_count) {
    throw new Failure(`${path}: expected ${record_count} records as counted when published, got ${count}`);
  }
  return gzip.end();
}

/** Gathers text into pieces of exactly one size and compresses each. */
class PiecewiseGzip {
  readonly #chunks: Uint8Array[] = [];
  readonly #gzip = new Gzip({ level: 6, mem: 8, mtime: 0 }, (chunk) => this.#chunks.push(chunk));
  #piece = Buffer.alloc(pieceSize);
  #filled = 0;

  write(text: string): void {
    const bytes = Buffer.byteLength(text);
    if (this.#filled + bytes <= pieceSize) {
      this.#filled += this.#piece.write(text, this.#filled);
      return;
    }
    this.#writeAcross(Buffer.from(text));
  }

  end(): Uint8Array {
    this.#gzip.push(this.#piece.subarray(0, this.#filled), true);
    return Buffer.concat(this.#chunks);
  }

  #writeAcross(bytes: Buffer): void {
    let offset = 0;
    while (offset < bytes.length) {
      const taken = bytes.copy(this.#piece, this.#filled, offset);
      offset += taken;
      this.#filled += taken;
      if (this.#filled === pieceSize) {
        this.#gzip.push(this.#piece);
        // The compressor may keep the piece it was given as its window.
        this.#piece = Buffer.alloc(pieceSize);
        this.#filled = 0;
      }
    }
  }
}
