import type * as z from 'zod';
import { faultText, knownValue } from '../../contract/schemas/checked-value.ts';
import type { ObjectReference } from '../../contract/schemas/site-files.ts';
import { type Hash, readSoundObject, type SiteSource, UnreadableError, webHash } from '../../contract/site/source.ts';
import { ByteCache } from './byte-cache.ts';

/** Parses the bytes of an object to a value. `name` distinguishes readings of the same bytes: one name, one type. */
export type Reading<Value> = {
  readonly name: string;
  of(bytes: Uint8Array): Value | Promise<Value>;
  /** Bytes of memory that a value takes; by default twice the size of the object. */
  memorySize?(value: Value): number;
  /**
   * Bytes of values of this reading that are kept apart from all others, so that a burst of pages does not evict values
   * that are expensive to make.
   */
  readonly keptApart?: number;
};

/** Parses JSON that matches a schema. Throws when the bytes are something else. */
export function jsonReading<Value>(name: string, schema: z.ZodType<Value>): Reading<Value> {
  return { name, of: (bytes) => parseKnown(schema, bytes) };
}

/** Bodies to send. Those that are often requested stay in memory. */
export const bodyReading: Reading<Uint8Array<ArrayBuffer>> = {
  name: 'object',
  keptApart: 12 * 1024 * 1024,
  memorySize: ({ length }) => length,
  of: (bytes) => bytes as Uint8Array<ArrayBuffer>,
};

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
    const { name, of, memorySize } = reading;
    const { sha256, size } = reference;
    const cache = this.#cacheFor(reading) as ByteCache<Value>;
    const key = `${name} ${sha256}`;
    const make = async () => {
      const bytes = await this.bytes(name, reference);
      // Another request may have made the same value in the meantime.
      const meanwhile = cache.get(key);
      if (meanwhile !== undefined) return { value: meanwhile, bytes: 0 };
      try {
        const value = await of(bytes);
        return { value, bytes: memorySize?.(value) ?? size * jsonWeight };
      } catch (cause) {
        throw new UnreadableError(`${name} ${sha256}: ${(cause as Error).message}`, reference, { cause });
      }
    };
    return cache.get(key) ?? cache.getOrMake(key, this.#sharesReadings, make);
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

/**
 * Parses bytes as JSON that matches a schema, without the fields that it does not know. Throws an error that says what
 * is wrong.
 */
export function parseKnown<Value>(schema: z.ZodType<Value>, bytes: Uint8Array): Value {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new Error(`expected JSON, got ${bytes.length} bytes of something else`, { cause });
  }
  const known = knownValue(schema, json);
  if ('value' in known) return known.value;
  throw new Error(faultText(known.fault));
}
