import { createRequire } from 'node:module';
import type { BrotliWasmType } from 'brotli-wasm';
import { Gzip, gzipSync } from 'fflate';

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

/**
 * The same options for every file, so that the bytes depend only on the content: not on a clock, and not on the
 * library's guess at the memory to use.
 */
const options = { level: 6, mem: 8, mtime: 0 } as const;

/** The compressor's output depends on how its input is split, so it is always split into pieces of this many bytes. */
const pieceSize = 1 << 20;

/** Compresses bytes in one go. The result depends only on the bytes. */
export function gzipWhole(bytes: Uint8Array): Uint8Array {
  return gzipSync(bytes, options);
}

/** Collects text in pieces of exactly one size and compresses each. */
export class PiecewiseGzip {
  readonly #chunks: Uint8Array[] = [];
  readonly #gzip = new Gzip(options, (chunk) => this.#chunks.push(chunk));
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
