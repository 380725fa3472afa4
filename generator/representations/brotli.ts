import { createRequire } from 'node:module';
import type { BrotliWasmType } from 'brotli-wasm';

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
