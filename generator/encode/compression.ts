import { createRequire } from 'node:module';
import { crc32 } from 'node:zlib';
import type { BrotliWasmType } from 'brotli-wasm';
import { Deflater, deflateWhole } from './deflate.ts';

/**
 * Usual: from quality 5 on the encoder searches thoroughly for repetitions. Quality 9 takes four times as long and saves
 * two percent. Dense: quality 9, for one file that many load and that is made anew each day. Quality 10 takes six times as
 * long again.
 */
const qualities = { usual: 5, dense: 9 };

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
export function brotliWhole(bytes: Uint8Array, effort: keyof typeof qualities = 'usual'): Uint8Array {
  encoder ??= require('brotli-wasm') as BrotliWasmType;
  return encoder.compress(bytes, { quality: qualities[effort] });
}

/** The first bytes of every gzip file (RFC 1952): DEFLATE, without a name or a time, made on Unix. */
const head = Uint8Array.of(31, 139, 8, 0, 0, 0, 0, 0, 0, 3);

/** The checksum and the size of the bytes that a gzip file holds. */
function tailOf(checksum: number, size: number): Uint8Array {
  const tail = Buffer.alloc(8);
  tail.writeUInt32LE(checksum, 0);
  tail.writeUInt32LE(size % 2 ** 32, 4);
  return tail;
}

/** Compresses bytes in one go. The result depends only on the bytes. */
export function gzipWhole(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([head, deflateWhole(bytes), tailOf(crc32(bytes), bytes.length)]);
}

/** The compressor's output depends on how its input is split, so it is always split into pieces of this many bytes. */
const pieceSize = 1 << 20;

/** Bytes that a character of a string needs as UTF-8, at most. */
const largestCharacter = 3;

/** Collects text in pieces of exactly one size and compresses each. */
export class PiecewiseGzip {
  readonly #deflater = new Deflater();
  readonly #piece = Buffer.allocUnsafe(pieceSize);
  #filled = 0;
  #checksum = 0;
  #size = 0;

  write(text: string): void {
    if (text.length * largestCharacter <= pieceSize - this.#filled) {
      this.#filled += this.#piece.write(text, this.#filled);
      return;
    }
    const bytes = Buffer.from(text);
    if (bytes.length <= pieceSize - this.#filled) this.#filled += bytes.copy(this.#piece, this.#filled);
    else this.#writeAcross(bytes);
  }

  end(): Uint8Array {
    const compressed = this.#deflater.end(this.#takePiece());
    return Buffer.concat([head, compressed, tailOf(this.#checksum, this.#size)]);
  }

  #writeAcross(bytes: Buffer): void {
    let offset = 0;
    while (offset < bytes.length) {
      const taken = bytes.copy(this.#piece, this.#filled, offset);
      offset += taken;
      this.#filled += taken;
      if (this.#filled === pieceSize) this.#deflater.push(this.#takePiece());
    }
  }

  /** The bytes of the piece, counted. They are good until the next write. */
  #takePiece(): Uint8Array {
    const bytes = this.#piece.subarray(0, this.#filled);
    this.#checksum = crc32(bytes, this.#checksum);
    this.#size += bytes.length;
    this.#filled = 0;
    return bytes;
  }
}
