import { hash } from 'node:crypto';
import { createRequire } from 'node:module';
import { crc32, gunzipSync } from 'node:zlib';
import type { BrotliWasmType } from 'brotli-wasm';
import { Deflate, Gunzip } from 'fflate';
import { gzip } from 'libdeflate';
import type { ObjectReference } from '../../contract/schemas/site-files.ts';
import { piecesDigest, type Sink } from './pieces.ts';

/**
 * From this quality on the encoder searches thoroughly for repetitions. Quality 9 would take twice as long and save two
 * percent.
 */
const quality = 5;

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
export function brotliWhole(bytes: Uint8Array): Uint8Array {
  encoder ??= require('brotli-wasm') as BrotliWasmType;
  return encoder.compress(bytes, { quality });
}

/**
 * These settings do not depend on the file, so that the bytes depend only on the content, and not on the library's
 * guess at the memory to use.
 */
const level = 6;
const streamMemory = 8;

/**
 * The output of a streaming compressor depends on how its input is split, so it is always split into pieces of this
 * many bytes.
 */
const pieceSize = 1 << 20;

/**
 * libdeflate takes a third to a half of fflate's time, and makes up to a tenth fewer bytes, but it needs a file whole
 * in memory. Larger files are compressed as a stream.
 */
const largestWhole = 12 * pieceSize;

/** Texts are joined to about this many characters before they are encoded together. */
const batchLength = 1 << 15;

/** Compresses bytes in one go. The result depends only on the bytes. */
export function gzipWhole(bytes: Uint8Array): Uint8Array {
  return isLoaded ? gzip(bytes, level) : withoutListeners(() => gzip(bytes, level));
}

let isLoaded = false;

/**
 * When libdeflate is used first, its loader listens for errors that nobody catches, and changes the exit code of a
 * process that ends with one. This takes its listeners away again.
 */
function withoutListeners<Result>(load: () => Result): Result {
  const listeners = () => process.rawListeners('uncaughtException').concat(process.rawListeners('unhandledRejection'));
  const before = new Set(listeners());
  const result = load();
  isLoaded = true;
  for (const listener of listeners().filter((one) => !before.has(one))) {
    process.off('uncaughtException', listener as NodeJS.UncaughtExceptionListener);
    process.off('unhandledRejection', listener as NodeJS.UnhandledRejectionListener);
  }
  return result;
}

/** The text that a gzip file unpacks to. */
export function textOfGzip(bytes: Uint8Array): string {
  return gunzipSync(bytes).toString();
}

/** The size and hash of what a gzip file unpacks to. */
export function contentOfGzip(bytes: Uint8Array): ObjectReference {
  const content = gunzipSync(bytes);
  return { sha256: hash('sha256', content), size: content.length };
}

/**
 * Takes a gzip file piece by piece, and gives the size and hash of its unpacked content, which is never whole in
 * memory.
 */
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

/** Makes a gzip file of texts, and gives it to a sink. The result depends only on the texts together. */
export class GzipWriter {
  readonly #sink: Sink;
  #text = '';
  /** What is not compressed yet; pieces of `pieceSize`, of which the last one has `#filled` bytes. */
  #pieces: Buffer[] = [];
  #filled = pieceSize;
  /** For a file that is too large to be whole in memory. */
  #stream: GzipStream | null = null;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  write(text: string): void {
    this.#text += text;
    if (this.#text.length >= batchLength) this.#writeBatch();
  }

  end(): void {
    this.#writeBatch();
    const last = this.#pieces.pop()?.subarray(0, this.#filled) ?? Buffer.alloc(0);
    if (this.#stream) this.#stream.end(last);
    else this.#sink(gzipWhole(Buffer.concat([...this.#pieces, last])));
    this.#pieces = [];
  }

  #writeBatch(): void {
    const batch = Buffer.from(this.#text);
    this.#text = '';
    for (let offset = 0; offset < batch.length; ) {
      if (this.#filled === pieceSize) this.#beginPiece();
      const copied = batch.copy(this.#pieces.at(-1) as Buffer, this.#filled, offset);
      offset += copied;
      this.#filled += copied;
    }
  }

  #beginPiece(): void {
    this.#filled = 0;
    if (this.#stream === null && this.#pieces.length * pieceSize === largestWhole)
      this.#stream = new GzipStream(this.#sink);
    if (this.#stream === null) {
      this.#pieces.push(Buffer.allocUnsafe(pieceSize));
      return;
    }
    const [spare = Buffer.allocUnsafe(pieceSize)] = this.#pieces;
    for (const piece of this.#pieces) this.#stream.push(piece);
    this.#pieces = [spare];
  }
}

/** A gzip file made of pieces of one size, except for the last. */
class GzipStream {
  readonly #deflate: Deflate;
  readonly #sink: Sink;
  #checksum = 0;
  #size = 0;

  constructor(sink: Sink) {
    this.#deflate = new Deflate({ level, mem: streamMemory }, sink);
    this.#sink = sink;
    sink(gzipHead);
  }

  push(piece: Uint8Array, isLast = false): void {
    this.#checksum = crc32(piece, this.#checksum);
    this.#size += piece.length;
    this.#deflate.push(piece, isLast);
  }

  end(last: Uint8Array): void {
    this.push(last, true);
    this.#sink(gzipTail(this.#checksum, this.#size));
  }
}

/** What surrounds DEFLATE data in a gzip file (RFC 1952): no name and no time, made on Unix. */
const gzipHead = Uint8Array.of(31, 139, 8, 0, 0, 0, 0, 0, 0, 3);

function gzipTail(checksum: number, size: number): Uint8Array {
  const tail = Buffer.alloc(8);
  tail.writeUInt32LE(checksum, 0);
  tail.writeUInt32LE(size % 2 ** 32, 4);
  return tail;
}
