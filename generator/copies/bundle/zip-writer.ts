import { crc32 } from 'node:zlib';
import { deflateSync } from 'fflate';
import { Failure } from '../../files/failure.ts';

/** Fixed settings, so that the bytes depend only on the content. */
const compression = { level: 6, mem: 8 } as const;

/** The largest numbers in two and four bytes. ZIP64 records have larger ones. */
const limit16 = 0xffff;
const limit32 = 0xffffffff;

/** 1 January 1980, the first day of the ZIP format. A fixed date makes the bytes independent of the time. */
const firstDay = 0x0021;
const utf8Names = 0x0800;
/** A regular Unix file that everyone may read. */
const regularFile = 0o100644 * 0x10000;

/**
 * Writes a ZIP file from beginning to end, each file as it is added (PKWARE APPNOTE 6.3). The same files in the same
 * order make the same bytes on any machine. From 65,535 files or 4 GiB in all, the file is a ZIP64. A single file must
 * be smaller than 4 GiB. fflate's ZIP writer has no ZIP64, and writes times of the local zone.
 */
export class ZipWriter {
  readonly #write: (bytes: Uint8Array) => void;
  readonly #directory: Buffer[] = [];
  #offset = 0;

  constructor(write: (bytes: Uint8Array) => void) {
    this.#write = write;
  }

  /** `isPacked`: the bytes are compressed already, and are stored as they are. */
  add(name: string, bytes: Uint8Array, isPacked: boolean): void {
    if (bytes.length >= limit32)
      throw new Failure('too_large', `${name}: expected less than 4 GiB, got ${bytes.length} bytes`);
    const body = isPacked ? bytes : deflateSync(bytes, compression);
    const path = Buffer.from(name);
    const offset = this.#offset;
    const isFar = offset >= limit32;
    const common = numbers([2, isFar ? 45 : 20], [2, utf8Names], [2, isPacked ? 0 : 8], [2, 0], [2, firstDay]);
    const sizes = numbers([4, crc32(bytes)], [4, body.length], [4, bytes.length], [2, path.length]);
    const far = isFar ? numbers([2, 1], [2, 8], [8, offset]) : Buffer.alloc(0);
    this.#put(numbers([4, 0x04034b50]), common, sizes, numbers([2, 0]), path, body);
    this.#directory.push(
      Buffer.concat([
        numbers([4, 0x02014b50], [2, 0x0300 + (isFar ? 45 : 20)]),
        common,
        sizes,
        numbers([2, far.length], [2, 0], [2, 0], [2, 0], [4, regularFile], [4, Math.min(offset, limit32)]),
        path,
        far,
      ]),
    );
  }

  /** Writes the directory of all files, which ends the ZIP file. Returns the size of the whole file. */
  end(): number {
    const start = this.#offset;
    for (const entry of this.#directory) this.#put(entry);
    const size = this.#offset - start;
    const count = this.#directory.length;
    if (count > limit16 - 1 || this.#offset >= limit32) {
      const record = this.#offset;
      this.#put(numbers([4, 0x06064b50], [8, 44], [2, 0x0300 + 45], [2, 45], [4, 0], [4, 0]));
      this.#put(numbers([8, count], [8, count], [8, size], [8, start]));
      this.#put(numbers([4, 0x07064b50], [4, 0], [8, record], [4, 1]));
    }
    const shown = Math.min(count, limit16);
    this.#put(numbers([4, 0x06054b50], [2, 0], [2, 0], [2, shown], [2, shown]));
    this.#put(numbers([4, Math.min(size, limit32)], [4, Math.min(start, limit32)], [2, 0]));
    return this.#offset;
  }

  #put(...parts: readonly Uint8Array[]): void {
    const bytes = Buffer.concat(parts);
    this.#write(bytes);
    this.#offset += bytes.length;
  }
}

/** Numbers as bytes of the given length, lowest byte first. */
function numbers(...fields: readonly (readonly [bytes: number, value: number])[]): Buffer {
  const buffer = Buffer.alloc(fields.reduce((total, [bytes]) => total + bytes, 0));
  let offset = 0;
  for (const [bytes, value] of fields) {
    if (bytes === 8) buffer.writeBigUInt64LE(BigInt(value), offset);
    else buffer.writeUIntLE(value, offset, bytes);
    offset += bytes;
  }
  return buffer;
}
