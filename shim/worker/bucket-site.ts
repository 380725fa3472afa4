import type { ObjectReference } from '../../generator/contract/formats/site.ts';
import { objectPath, pointerFile, signatureFile } from '../../generator/contract/paths.ts';
import type { ObjectReader, StoredObject } from '../host.ts';
import type { ByteRange } from '../http/conditional.ts';
import type { BucketBody, BucketObject, ObjectBucket } from './bindings.ts';

/** A built site in an R2 bucket. Keys are the names of the files in the site's folder. */
export class BucketSite implements ObjectReader {
  readonly #bucket: ObjectBucket;
  /** Number of reads of the bucket: class B operations of R2. */
  reads = 0;
  #pointer: { readonly etag: string; readonly bytes: Uint8Array } | null = null;

  constructor(bucket: ObjectBucket) {
    this.#bucket = bucket;
  }

  /** Transfers the bytes only if the pointer has changed since the last call. */
  async readPointer(): Promise<Uint8Array | null> {
    const known = this.#pointer;
    const found = await this.#get(pointerFile, known ? { onlyIf: { etagDoesNotMatch: known.etag } } : {});
    if (found === null) return null;
    if (!hasBody(found)) return known?.bytes ?? null;
    const bytes = new Uint8Array(await found.arrayBuffer());
    this.#pointer = { etag: found.etag, bytes };
    return bytes;
  }

  async readSignature(): Promise<Uint8Array | null> {
    return this.#bytes(signatureFile);
  }

  async sizeOf(sha256: string): Promise<number | null> {
    this.reads += 1;
    return (await this.#bucket.head(objectPath(sha256)))?.size ?? null;
  }

  async readObject({ sha256 }: ObjectReference): Promise<Uint8Array | null> {
    return this.#bytes(objectPath(sha256));
  }

  async streamObject({ sha256 }: ObjectReference, range: ByteRange | null): Promise<StoredObject | null> {
    const part = range ? { range: { offset: range.start, length: range.end - range.start + 1 } } : {};
    const found = await this.#get(objectPath(sha256), part);
    return found && hasBody(found) ? { size: found.size, etag: found.httpEtag, body: found.body } : null;
  }

  async #bytes(key: string): Promise<Uint8Array | null> {
    const found = await this.#get(key);
    return found && hasBody(found) ? new Uint8Array(await found.arrayBuffer()) : null;
  }

  async #get(key: string, options: Parameters<ObjectBucket['get']>[1] = {}): Promise<BucketBody | BucketObject | null> {
    this.reads += 1;
    return this.#bucket.get(key, options);
  }
}

function hasBody(found: BucketBody | BucketObject): found is BucketBody {
  return 'body' in found && found.body !== undefined;
}
