import { createRequire } from 'node:module';
import type { BrotliWasmType } from 'brotli-wasm';
import { Gzip, gzipSync } from 'fflate';

/** From 5 on the encoder looks for repetitions in earnest; 9 takes four times as long for a hundredth less. */
const quality = 5;

/** An import would give the package's browser half. Threads that compress nothing do not load it either. */
const require = createRequire(import.meta.url);
let encoder: BrotliWasmType | null = null;

/**
 * Bytes at hand, compressed whole. The encoder is WebAssembly, so that the result depends on them and on the version
 * of the package alone; the one in Node changes with Node.
 */
export function brotliWhole(bytes: Uint8Array): Uint8Array {
  encoder ??= require('brotli-wasm') as BrotliWasmType;
  return encoder.compress(bytes, { quality });
}

/** The same for every file, so that the bytes depend on their content alone: not on a clock, not on a guess at memory. */
const options = { level: 6, mem: 8, mtime: 0 } as const;

/** The compressor's output depends on how its input is cut, so it is always cut like this. */
const pieceSize = 1 << 20;

/** Bytes at hand, compressed whole. The result depends on nothing but them. */
export function gzipWhole(bytes: Uint8Array): Uint8Array {
  return gzipSync(bytes, options);
}

/** Gathers text into pieces of exactly one size and compresses each. */
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
