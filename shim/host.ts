import type { ObjectReference } from '../generator/contract/formats/site.ts';
import type { ByteRange } from './http/conditional.ts';

/*
 * What the service needs of its host: the files of the site, a rate limit, and a log.
 */

/**
 * An object with the entity tag of its bytes: their MD5 in quotes, contract.md 5; null where only its hash is known.
 */
export type TaggedObject = ObjectReference & { readonly etag: string | null };

/** An object or a part of it, read from storage. `size` and `etag` are those of the whole object. */
export type StoredObject = { readonly size: number; readonly etag: string; readonly body: ReadableStream<Uint8Array> };

/**
 * Reads a site from the host's storage. Null means that there is no such file; a failure to read is a rejection. The
 * bytes are not verified: the caller compares them with the hash that named them.
 */
export interface ObjectReader {
  /** The pointer's bytes. A host that knows they are the same as before returns the same array. */
  readPointer(): Promise<Uint8Array | null>;
  /** The signature file's bytes; null where the site is not signed. */
  readSignature(): Promise<Uint8Array | null>;
  /** The size in bytes of the object with this hash; null when there is none. */
  sizeOf(sha256: string): Promise<number | null>;
  readObject(reference: ObjectReference): Promise<Uint8Array | null>;
  /**
   * Streams an object, or a part of it, without reading it into memory first. For storage that knows the MD5 of its
   * objects, because nobody can compare streamed bytes with a hash before the first of them is sent.
   */
  streamObject?(reference: ObjectReference, range: ByteRange | null): Promise<StoredObject | null>;
}

/**
 * The SHA-256 of bytes, in hex. A host that has a faster way than the Web's gives it; a small input may be hashed at
 * once, a large one must not hold up other requests.
 */
export type Hash = (bytes: Uint8Array) => string | Promise<string>;

/** What the rate limit leaves to a client. */
export type Allowance = {
  /** Seconds until the client may ask again; null when it may now. */
  readonly retryAfter: number | null;
  /** The quota and what is left of it; null where the host cannot tell. `window` and `reset` are in seconds. */
  readonly quota: {
    readonly points: number;
    readonly window: number;
    readonly remaining: number;
    readonly reset: number;
  } | null;
};

/**
 * Limits requests that cost more than a lookup, contract.md 6. The host implements it, as only the host knows how to
 * share the counts.
 */
export interface RateLimiter {
  /** Counts one request of a client. */
  take(client: string): Promise<Allowance>;
  /** Counts further points for a request that was let through and took more work than a plain one. */
  charge(client: string, points: number): Promise<Allowance>;
}

/** Writes a message to the operator's log. Level `error` asks for attention. The fields are for searches by machine. */
export type ShimLog = (
  level: 'info' | 'warn' | 'error',
  message: string,
  fields?: Readonly<Record<string, string | number>>,
) => void;
