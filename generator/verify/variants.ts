import { hash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync, type ZlibOptions } from 'node:zlib';
import type { Route, Variant } from '../contract/formats/site.ts';
import { type FaultList, shown } from '../site/fault.ts';
import type { ObjectLedger } from '../site/object-ledger.ts';

/** What a decompressor says with `info`: what came out, and how much of the input went in. */
type Decompressed = { readonly buffer: Buffer; readonly engine: { readonly bytesWritten: number } };

const decompress = { gzip: gunzipSync, br: brotliDecompressSync } as const;

/** Checks that the variants of routes are what the routes say, and decompress to the bytes of the answer itself. */
export class VariantCheck {
  readonly #ledger: ObjectLedger;
  readonly #faults: FaultList;
  /** Objects and what they were said to be of: addresses of one document share its variants. */
  readonly #sound = new Set<string>();

  constructor(ledger: ObjectLedger, faults: FaultList) {
    this.#ledger = ledger;
    this.#faults = faults;
  }

  check(route: Route): void {
    const { path, variants } = route;
    if (!variants) return;
    if (route.encoding !== null) {
      this.#faults.add('route_variant', path, 'no variants of what is compressed already', encodingsOf(variants));
    }
    for (const [index, variant] of variants.entries()) {
      const smaller = variants[index - 1];
      if (smaller && smaller.size > variant.size) {
        this.#faults.add('route_variant', path, 'variants smallest first', encodingsOf(variants));
      }
      if (variants.findIndex(({ encoding }) => encoding === variant.encoding) < index) {
        this.#faults.add('route_variant', path, 'a variant of each encoding', encodingsOf(variants));
      }
      this.#checkObject(route, variant);
    }
  }

  #checkObject({ path, sha256 }: Route, variant: Variant): void {
    const { encoding, size, etag } = variant;
    const object = this.#ledger.check(variant.sha256, `the ${encoding} variant of ${path}`);
    if (object === null) return;
    if (size !== object.size) {
      this.#faults.add('route_size', path, `${encoding} of ${object.size} bytes, as its object has`, String(size));
    }
    const expected = `"${object.md5}"`;
    if (etag !== expected) {
      this.#faults.add('route_etag', path, `${encoding} with ETag ${expected}, the MD5 of its bytes`, etag);
    }
    const pair = `${encoding} ${variant.sha256} ${sha256}`;
    if (this.#sound.has(pair)) return;
    const problem = this.#contentProblem(variant, path, sha256);
    if (problem === null) this.#sound.add(pair);
    else this.#faults.add('route_variant', path, `the answer in ${encoding}, SHA-256 ${sha256}`, problem);
  }

  /** What is wrong with the content, or null. The answer's own bytes are not needed: its hash stands for them. */
  #contentProblem({ encoding, sha256 }: Variant, path: string, expected: string): string | null {
    const bytes = this.#ledger.read(sha256, path);
    if (bytes === null) return null;
    try {
      const options: ZlibOptions & { info: true } = { info: true };
      const { buffer, engine } = decompress[encoding](bytes, options) as unknown as Decompressed;
      if (engine.bytesWritten !== bytes.length) return `${bytes.length - engine.bytesWritten} bytes after its end`;
      const actual = hash('sha256', buffer);
      return actual === expected ? null : `${buffer.length} bytes with SHA-256 ${actual}`;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error;
      return error.message;
    }
  }
}

function encodingsOf(variants: readonly Variant[]): string {
  return shown(variants.map(({ encoding, size }) => `${encoding} ${size}`));
}
