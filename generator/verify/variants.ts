import { hash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync, type ZlibOptions } from 'node:zlib';
import type { Route, Variant } from '../contract/formats/site.ts';
import { type FaultList, shown } from '../site/fault.ts';
import type { ObjectLedger } from '../site/object-ledger.ts';

/** The result of a decompressor with `info`: its output, and the number of input bytes it used. */
type Decompressed = { readonly buffer: Buffer; readonly engine: { readonly bytesWritten: number } };

const decompress = { gzip: gunzipSync, br: brotliDecompressSync } as const;

/** Checks that the variants of routes match their routes, and that they decompress to the bytes of the answer. */
export class VariantCheck {
  readonly #ledger: ObjectLedger;
  readonly #faults: FaultList;
  /** Pairs of variant and answer that were found sound. Several addresses of one document share its variants. */
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

  /** The problem of the content; null when it is sound. The hash of the answer is enough, so its bytes are not read. */
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
