import { checkedDocument } from '../../contract/schemas/read-documents.ts';
import type { ObjectReference } from '../../contract/schemas/site-files.ts';
import { type Hash, readSoundObject, type SiteSource, UnreadableError, webHash } from '../../contract/site/source.ts';
import { ByteCache } from './byte-cache.ts';
import { parseJsonBytes, type ReadDocument, type Reading } from './reading.ts';

/** Bodies to send. Those that are often requested stay in memory. */
export const bodyReading: Reading<Uint8Array<ArrayBuffer>> = {
  name: 'object',
  keptApart: 12 * 1024 * 1024,
  memorySize: ({ length }) => length,
  of: (bytes) => bytes as Uint8Array<ArrayBuffer>,
};

/** Checks documents, so that one of a wrong shape fails before an answer is made from it. */
const readChecked: ReadDocument = (name, bytes) => checkedDocument(name, parseJsonBytes(bytes));

/** Bytes of memory that parsed JSON takes for each of its bytes. */
const jsonWeight = 2;

/** Bytes of memory for parsed objects, unless the host says otherwise. */
const defaultKeptBytes = 16 * 1024 * 1024;

export type ObjectsOptions = {
  /** Bytes of memory for parsed objects. */
  readonly keptBytes?: number;
  /**
   * Whether requests that need the same value at once wait for one of them to make it. An edge host does not allow
   * that.
   */
  readonly sharesReadings?: boolean;
  /** The host's hash function; by default the Web's. */
  readonly hash?: Hash;
};

/** Reads objects of a site, and compares each with the hash that names it before it is used. */
export class VerifiedObjects {
  /** The SHA-256 of bytes in hex, by the host's function. */
  readonly hash: Hash;
  readonly #source: Pick<SiteSource, 'readObject'>;
  readonly #sharesReadings: boolean;
  readonly #values: ByteCache<unknown>;
  readonly #keptApart = new Map<string, ByteCache<unknown>>();

  constructor(
    source: Pick<SiteSource, 'readObject'>,
    { keptBytes = defaultKeptBytes, sharesReadings = false, hash = webHash }: ObjectsOptions = {},
  ) {
    this.#source = source;
    this.#sharesReadings = sharesReadings;
    this.#values = new ByteCache(keptBytes);
    this.hash = hash;
  }

  /** The value of an object, made only once while it is kept. Rejects with an {@link UnreadableError}. */
  read<Value>(reading: Reading<Value>, reference: ObjectReference): Value | Promise<Value> {
    const { name, of, memorySize, keptApart } = reading;
    const { sha256, size } = reference;
    const cache = this.#cacheFor(reading) as ByteCache<Value>;
    const key = keptApart === undefined ? `${name} ${sha256}` : sha256;
    const kept = cache.get(key);
    if (kept !== undefined) return kept;
    const make = async () => {
      const bytes = await this.bytes(name, reference);
      // Another request may have made the same value in the meantime.
      const meanwhile = cache.get(key);
      if (meanwhile !== undefined) return { value: meanwhile, bytes: 0 };
      try {
        const value = await of(bytes, readChecked);
        return { value, bytes: memorySize?.(value) ?? size * jsonWeight };
      } catch (cause) {
        throw new UnreadableError(`${name} ${sha256}: ${(cause as Error).message}`, reference, { cause });
      }
    };
    return cache.getOrMake(key, this.#sharesReadings, make);
  }

  #cacheFor({ name, keptApart }: Reading<unknown>): ByteCache<unknown> {
    if (keptApart === undefined) return this.#values;
    const cache = this.#keptApart.get(name) ?? new ByteCache<unknown>(keptApart);
    this.#keptApart.set(name, cache);
    return cache;
  }

  /** The bytes of an object, not kept. `name` is for the message. Rejects with an {@link UnreadableError}. */
  bytes(name: string, reference: ObjectReference): Promise<Uint8Array> {
    return readSoundObject(this.#source, name, reference, this.hash);
  }
}
