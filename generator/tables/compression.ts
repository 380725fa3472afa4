import { hash } from 'node:crypto';
import { createRequire } from 'node:module';
import { crc32, gunzipSync } from 'node:zlib';
import type { BrotliWasmType } from 'brotli-wasm';
import { Deflate, deflateSync, Gunzip } from 'fflate';
import type { ObjectReference } from '../../contract/schemas/site-files.ts';
import { Pieces, piecesDigest, type Sink } from './pieces.ts';

/**
 * Usual: from quality 5 on the encoder searches thoroughly for repetitions. Quality 9 takes four times as long and
 * saves two percent. Dense: quality 9, for one file that many load and that is made again each day. Quality 10 takes
 * six times as long again. Light: quality 4, four fifths of the time for 1.4 percent more bytes.
 */
const qualities = { light: 4, usual: 5, dense: 9 };

/** How hard the encoder tries. */
export type Effort = keyof typeof qualities;

/**
 * An import would load the package's browser build. `require` runs at first use, so threads that compress nothing do
 * not load the package.
 */
const require = createRequire(import.meta.url);
let encoder: BrotliWasmType | null = null;

/**
 * Compresses bytes in one go. The encoder is WebAssembly, so the result depends only on the bytes and the version of
 * the package. Node's own encoder changes with Node.
 */
export function brotliWhole(bytes: Uint8Array, effort: Effort = 'usual'): Uint8Array {
  encoder ??= require('brotli-wasm') as BrotliWasmType;
  return encoder.compress(bytes, { quality: qualities[effort] });
}

/**
 * The same for every file, so that the bytes depend only on the content, and not on the library's guess at the memory
 * to use. A document is compressed with a smaller table, which takes up to a millisecond less to set up and adds no
 * bytes.
 */
const level = 6;
const wholeMemory = 4;
const streamMemory = 8;

/** The compressor's output depends on how its input is split, so it is always split into pieces of this many bytes. */
const pieceSize = 1 << 20;

/** Texts are joined to about this many characters before they are encoded together. */
const batchLength = 1 << 15;

/** Compresses bytes in one go. The result depends only on the bytes. */
export function gzipWhole(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([
    gzipHead,
    deflateSync(bytes, { level, mem: wholeMemory }),
    gzipTail(crc32(bytes), bytes.length),
  ]);
}

/** The size and hash of what a gzip file unpacks to. */
export function contentOfGzip(bytes: Uint8Array): ObjectReference {
  const content = gunzipSync(bytes);
  return { sha256: hash('sha256', content), size: content.length };
}

/** Takes a gzip file piece by piece, and gives size and hash of its unpacked content, which is never in memory. */
export function unpacking() {
  const content = piecesDigest();
  const gunzip = new Gunzip(content.take);
  return {
    take(bytes: Uint8Array): void {
      for (let start = 0; start < bytes.length; start += batchLength) {
        gunzip.push(bytes.subarray(start, start + batchLength));
      }
    },
    end(): ObjectReference {
      gunzip.push(new Uint8Array(0), true);
      return content.reference();
    },
  };
}

/** Size and CRC-32 of the unpacked content of DEFLATE data. */
type Content = { readonly size: number; readonly checksum: number };

/** A run of DEFLATE data, of `length` bytes, which `read` gives: they may be in a file. */
export type Run = Content & { readonly length: number; readonly read: () => Uint8Array };

/** Collects text in pieces of exactly one size and compresses each. */
class PiecewiseDeflate {
  readonly #deflate: Deflate;
  #text = '';
  readonly #piece = Buffer.allocUnsafe(pieceSize);
  #filled = 0;
  #checksum = 0;
  #size = 0;

  constructor(sink: Sink) {
    this.#deflate = new Deflate({ level, mem: streamMemory }, sink);
  }

  write(text: string): void {
    this.#text += text;
    if (this.#text.length >= batchLength) this.#writeBatch();
  }

  end(): Content {
    this.#writeBatch();
    this.#push(this.#piece.subarray(0, this.#filled), true);
    return { size: this.#size, checksum: this.#checksum };
  }

  /** Ends with a last block that is empty. */
  endEmpty(): Content {
    this.#writeBatch();
    this.#push(this.#piece.subarray(0, this.#filled), false);
    this.#deflate.flush();
    this.#push(new Uint8Array(0), true);
    return { size: this.#size, checksum: this.#checksum };
  }

  #writeBatch(): void {
    const batch = Buffer.from(this.#text);
    this.#text = '';
    for (let offset = 0; offset < batch.length; ) {
      const copied = batch.copy(this.#piece, this.#filled, offset);
      offset += copied;
      this.#filled += copied;
      if (this.#filled === pieceSize) {
        this.#push(this.#piece, false);
        this.#filled = 0;
      }
    }
  }

  #push(piece: Uint8Array, isLast: boolean): void {
    this.#checksum = crc32(piece, this.#checksum);
    this.#size += piece.length;
    this.#deflate.push(piece, isLast);
  }
}

/** Makes a gzip file of texts, and gives it to a sink piece by piece. */
export class PiecewiseGzip {
  readonly #deflate: PiecewiseDeflate;
  readonly #sink: Sink;

  constructor(sink: Sink) {
    this.#sink = sink;
    this.#deflate = new PiecewiseDeflate(sink);
    sink(gzipHead);
  }

  write(text: string): void {
    this.#deflate.write(text);
  }

  end(): void {
    const { size, checksum } = this.#deflate.end();
    this.#sink(gzipTail(checksum, size));
  }
}

/**
 * Compresses texts to a run that another can follow: it ends at a whole byte, and its last block is not the last of a
 * file. The package's sync flush loses a byte when the data end after six bits of one. So its empty last block is
 * replaced here.
 */
export function openRun(texts: Iterable<string>): Run {
  const pieces = new Pieces();
  const deflate = new PiecewiseDeflate(pieces.add);
  for (const text of texts) deflate.write(text);
  const content = deflate.endEmpty();
  const bytes = pieces.bytes();
  // The empty block has ten bits. The flag of the last block and the kind are the ones `1 1`; the other bits are zeros.
  const end = bytes.findLastIndex((byte) => byte !== 0);
  const last = 31 - Math.clz32(bytes[end] ?? 0);
  const start = end * 8 + last - 1;
  const whole = Buffer.from(bytes.subarray(0, Math.ceil((start + blockHead) / 8)));
  for (const bit of [start, start + 1]) {
    const byte = whole[bit >> 3];
    if (byte !== undefined) whole[bit >> 3] = byte & ~(1 << (bit & 7));
  }
  const run = Buffer.concat([whole, emptyStored]);
  return { ...content, length: run.length, read: () => run };
}

/** Bits for the flag of the last block, and for the kind. */
const blockHead = 3;
/** The lengths of a stored block without content. */
const emptyStored = Uint8Array.of(0, 0, 0xff, 0xff);
/** A last block without content. */
const lastBlock = Uint8Array.of(3, 0);

/** Writes a gzip file of runs from {@link openRun}, with an extra field (RFC 1952) in its head. */
export function gzipOfRuns(runs: readonly Run[], extra: Uint8Array, sink: Sink): void {
  const head = Buffer.from(gzipHead);
  head[3] = hasExtra;
  const length = Buffer.alloc(2);
  length.writeUInt16LE(extra.length);
  const size = runs.reduce((sum, run) => sum + run.size, 0);
  const checksum = runs.reduce((joined, run) => joinedChecksum(joined, run), 0);
  for (const bytes of [head, length, extra]) sink(bytes);
  for (const { read } of runs) sink(read());
  for (const bytes of [lastBlock, gzipTail(checksum, size)]) sink(bytes);
}

/** The flag of a gzip file with an extra field, and the offset of the field. */
const hasExtra = 4;
export const extraStart = 12;

/** The CRC-32 of content followed by a run. */
function joinedChecksum(checksum: number, { size, checksum: next }: Run): number {
  return (multiplied(checksum, powerOfX(size * 8)) ^ next) >>> 0;
}

/** The polynomial of CRC-32, and x to the power of 0 and 1. The highest bit belongs to the lowest power. */
const polynomial = 0xedb88320;
const one = 0x80000000;
const x = 0x40000000;

/** The product of two polynomials modulo that of CRC-32. */
function multiplied(a: number, b: number): number {
  let product = 0;
  let shifted = b;
  for (let bit = one; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) product ^= shifted;
    shifted = (shifted & 1) === 1 ? (shifted >>> 1) ^ polynomial : shifted >>> 1;
  }
  return product >>> 0;
}

function powerOfX(exponent: number): number {
  let [power, square] = [one, x];
  for (let rest = exponent; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) power = multiplied(power, square);
    square = multiplied(square, square);
  }
  return power;
}

/** What surrounds DEFLATE data in a gzip file (RFC 1952): no name and no time, made on Unix. */
const gzipHead = Uint8Array.of(31, 139, 8, 0, 0, 0, 0, 0, 0, 3);

function gzipTail(checksum: number, size: number): Uint8Array {
  const tail = Buffer.alloc(8);
  tail.writeUInt32LE(checksum, 0);
  tail.writeUInt32LE(size % 2 ** 32, 4);
  return tail;
}
