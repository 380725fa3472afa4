import { objectPath, pointerFile, signatureFile } from '../../contract/paths.ts';
import type { ObjectReference } from '../../contract/schemas/site-files.ts';
import { UnreadableError } from '../../contract/site/source.ts';
import type { ServedSource, TaggedObject } from '../host.ts';
import type { ByteRange } from '../http/request-fields.ts';
import { type Allowance, clientNetwork, type RateLimiter } from '../rate-limit.ts';

/** A built site in an R2 bucket. Keys are the paths of the files in the site's folder. */
export class BucketSite implements ServedSource {
  readonly #bucket: ObjectBucket;
  /** How often the bucket was read: class B operations of R2. */
  reads = 0;
  #pointer: { readonly etag: string; readonly bytes: Uint8Array } | null = null;

  constructor(bucket: ObjectBucket) {
    this.#bucket = bucket;
  }

  /** Transfers bytes only if the pointer has changed since the last call. */
  async readPointer(): Promise<Uint8Array | null> {
    const known = this.#pointer;
    const found = await this.#get(pointerFile, known ? { onlyIf: { etagDoesNotMatch: known.etag } } : {});
    if (found === null) return null;
    if (!found.arrayBuffer) return known?.bytes ?? null;
    const bytes = new Uint8Array(await found.arrayBuffer());
    this.#pointer = { etag: found.etag, bytes };
    return bytes;
  }

  async readSignature(): Promise<Uint8Array | null> {
    return this.#bytes(signatureFile);
  }

  async objectSize(sha256: string): Promise<number | null> {
    this.reads += 1;
    return (await this.#bucket.head(objectPath(sha256)))?.size ?? null;
  }

  async readObject({ sha256 }: ObjectReference): Promise<Uint8Array | null> {
    return this.#bytes(objectPath(sha256));
  }

  async streamObject(object: TaggedObject, range: ByteRange | null): Promise<ReadableStream<Uint8Array>> {
    const { sha256, size, etag } = object;
    const part = range ? { range: { offset: range.start, length: range.end - range.start + 1 } } : {};
    const found = await this.#get(objectPath(sha256), part);
    const refuse = (what: string) => new UnreadableError(`object ${sha256}: ${what}`, object);
    if (!found?.body) throw refuse('the object is missing');
    if (found.size === size && (etag === null || found.httpEtag === etag)) return found.body;
    await found.body.cancel();
    throw refuse(`expected ${size} bytes with the tag ${etag}, storage has ${found.size} with ${found.httpEtag}`);
  }

  async #bytes(key: string): Promise<Uint8Array | null> {
    const found = await this.#get(key);
    return found?.arrayBuffer ? new Uint8Array(await found.arrayBuffer()) : null;
  }

  async #get(key: string, options: Parameters<ObjectBucket['get']>[1] = {}): Promise<BucketObject | null> {
    this.reads += 1;
    return this.#bucket.get(key, options);
  }
}

/** The parts of Cloudflare's runtime that the worker uses: developers.cloudflare.com/workers/runtime-apis. */

/**
 * An object of an R2 bucket. `size` and the tags describe the whole object, even if a part was requested. It has a body
 * if one was requested and the condition holds.
 */
type BucketObject = {
  readonly size: number;
  /** The MD5 in hex, if the object was uploaded in one part. `httpEtag` is the same in quotes. */
  readonly etag: string;
  readonly httpEtag: string;
  readonly body?: ReadableStream<Uint8Array>;
  arrayBuffer?(): Promise<ArrayBuffer>;
};

/** The parts of an R2 bucket that are used. Results are null if there is no such object. */
interface ObjectBucket {
  head(key: string): Promise<BucketObject | null>;
  get(
    key: string,
    options?: {
      readonly range?: { readonly offset: number; readonly length: number };
      readonly onlyIf?: { readonly etagDoesNotMatch: string };
    },
  ): Promise<BucketObject | null>;
}

interface RateLimit {
  limit(options: { readonly key: string }): Promise<{ readonly success: boolean }>;
}

/** Bindings, variables and secrets, with their names in `templates/worker/wrangler.jsonc`. */
export type Environment = {
  readonly SITE: ObjectBucket;
  /** The rate limit; absent for none. */
  readonly RATE_LIMITER?: RateLimit;
  readonly CURSOR_SECRET?: string;
  readonly CURSOR_SECRET_PREVIOUS?: string;
  readonly BASE_URL?: string;
  /** `true`: the worker logs a line for each request. */
  readonly LOG_REQUESTS?: string;
};

export type EdgeRequest = Pick<Request, 'method' | 'url' | 'headers'> & {
  /** Cloudflare replaces the client's Accept-Encoding with `br, gzip`, and keeps the original here. */
  readonly cf?: { readonly clientAcceptEncoding?: string };
};

/**
 * The period of the binding in `templates/worker/wrangler.jsonc`. The binding does not say when a client's period
 * began.
 */
const periodSeconds = 60;

/** Counts with Cloudflare's rate limiting. Every location counts on its own. */
export class BindingRateLimiter implements RateLimiter {
  readonly #binding: RateLimit;

  constructor(binding: RateLimit) {
    this.#binding = binding;
  }

  /** The binding counts only one point at a time. */
  async count(client: string, points: number): Promise<Allowance> {
    const key = clientNetwork(client);
    let isAllowed = true;
    for (let point = 0; point < points; point += 1) isAllowed = (await this.#binding.limit({ key })).success;
    return { retryAfter: isAllowed ? null : periodSeconds, quota: null };
  }
}
