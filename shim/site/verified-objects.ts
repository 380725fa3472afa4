import type * as z from 'zod';
import type { ObjectReference } from '../../generator/contract/formats/site.ts';
import { knownValue } from '../../generator/contract/json.ts';
import type { ObjectReader, TaggedObject } from '../host.ts';
import type { ByteRange } from '../http/conditional.ts';
import { readingUnits, Work } from '../scheduling/work.ts';
import { ByteCache } from './byte-cache.ts';

/** A file that a publication names is missing, does not match its hash, or does not have its shape. */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError';
  /** The object that failed; null when it is the pointer, or no single object. */
  readonly reference: ObjectReference | null;

  constructor(message: string, reference: ObjectReference | null, options?: ErrorOptions) {
    super(message, options);
    this.reference = reference;
  }
}

/** Parses the bytes of an object to a value. `name` distinguishes readings of the same bytes: one name, one type. */
export type Reading<Value> = {
  readonly name: string;
  /** Makes a value that takes long in pieces, and awaits `work.pace` between them. */
  readonly of: (bytes: Uint8Array, work: Work) => Value | Promise<Value>;
  /** Bytes of memory that the value takes for each byte of the object. */
  readonly weight?: number;
  /**
   * How many values of this reading are kept apart from all others, so that a burst of pages does not evict a value
   * that is expensive to make.
   */
  readonly slots?: number;
};

/** Parses JSON of a shape. Throws when the bytes are something else. */
export function jsonReading<Value>(name: string, schema: z.ZodType<Value>): Reading<Value> {
  return { name, of: (bytes) => parseJson(schema, bytes) };
}

/** Bytes of memory that parsed JSON takes for each of its bytes. */
const jsonWeight = 2;

/** Bytes of memory for parsed objects, unless the host says otherwise. */
const defaultKeptBytes = 16 * 1024 * 1024;

type Objects = Pick<ObjectReader, 'readObject' | 'streamObject'>;

/** Reads objects of a site, and compares each with the hash that names it before it is used. */
export class VerifiedObjects {
  readonly #reader: Objects;
  readonly #values: ByteCache<unknown>;
  /** By name of the reading: the cache of a reading that has slots of its own. */
  readonly #slots = new Map<string, ByteCache<unknown>>();
  /** Readings under way; null where no request may wait for one that another request began. */
  readonly #underWay: Map<string, Promise<unknown>> | null;

  /** `sharesReadings`: requests that need the same expensive value at once wait for one of them to make it. */
  constructor(reader: Objects, keptBytes = defaultKeptBytes, sharesReadings = false) {
    this.#reader = reader;
    this.#values = new ByteCache(keptBytes);
    this.#underWay = sharesReadings ? new Map() : null;
  }

  /**
   * The value of an object, made once as long as it is kept. Rejects with an {@link UnreadableError}. Where readings
   * are not shared, requests share finished values only: an edge host may not wait for another request.
   */
  async read<Value>(reading: Reading<Value>, reference: ObjectReference, work = new Work()): Promise<Value> {
    const key = `${reading.name} ${reference.sha256}`;
    const known = this.#cacheOf(reading).get(key);
    if (known !== undefined) return known as Value;
    if (this.#underWay === null || reading.slots === undefined) return this.#make(key, reading, reference, work);
    const running = this.#underWay.get(key);
    if (running) return running as Promise<Value>;
    const making = this.#make(key, reading, reference, work).finally(() => this.#underWay?.delete(key));
    this.#underWay.set(key, making);
    return making;
  }

  async #make<Value>(key: string, reading: Reading<Value>, reference: ObjectReference, work: Work): Promise<Value> {
    const { name, of, weight = jsonWeight, slots } = reading;
    const bytes = await this.bytes(name, reference);
    if (slots === undefined) await work.pace(readingUnits(reference.size));
    const cache = this.#cacheOf(reading);
    // Another request may have made the same value in the meantime.
    const meanwhile = cache.get(key);
    if (meanwhile !== undefined) return meanwhile as Value;
    let value: Value;
    try {
      const made = of(bytes, work);
      value = made instanceof Promise ? await made : made;
    } catch (cause) {
      throw new UnreadableError(`${key}: ${(cause as Error).message}`, reference, { cause });
    }
    cache.set(key, value, slots === undefined ? reference.size * weight : 1);
    return value;
  }

  #cacheOf({ name, slots }: Reading<unknown>): ByteCache<unknown> {
    if (slots === undefined) return this.#values;
    const own = this.#slots.get(name) ?? new ByteCache(slots);
    this.#slots.set(name, own);
    return own;
  }

  /** The bytes of an object, not kept. `name` is for the message. */
  async bytes(name: string, reference: ObjectReference): Promise<Uint8Array> {
    const { sha256, size } = reference;
    const refuse = (what: string) => new UnreadableError(`${name} ${sha256}: ${what}`, reference);
    const bytes = await this.#reader.readObject(reference);
    if (bytes === null) throw refuse('the object is missing');
    if (bytes.length !== size) throw refuse(`expected ${size} bytes, got ${bytes.length}`);
    const actual = hex(await digest(bytes));
    if (actual !== sha256) throw refuse(`got bytes with SHA-256 ${actual}`);
    return bytes;
  }

  /**
   * The bytes of an object as a stream. They cannot be compared with their hash before they are sent. Instead, this
   * compares what storage says of the object: its size, and its entity tag, which is its MD5, where that is known. Null
   * where storage offers no streams.
   */
  async stream(object: TaggedObject, range: ByteRange | null): Promise<ReadableStream<Uint8Array> | null> {
    const { sha256, size, etag } = object;
    if (!this.#reader.streamObject) return null;
    const stored = await this.#reader.streamObject({ sha256, size }, range);
    const refuse = (what: string) => new UnreadableError(`object ${sha256}: ${what}`, object);
    if (stored === null) throw refuse('the object is missing');
    if (stored.size === size && (etag === null || stored.etag === etag)) return stored.body;
    await stored.body.cancel();
    throw refuse(`expected ${size} bytes tagged ${etag}, storage has ${stored.size} tagged ${stored.etag}`);
  }
}

/** Parses bytes as JSON of a shape. Throws an error that says what is wrong with them. */
export function parseJson<Value>(schema: z.ZodType<Value>, bytes: Uint8Array): Value {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new Error(`expected JSON, got ${bytes.length} bytes that are none`, { cause });
  }
  return checked(schema, json);
}

/** Checks that a value has a shape, and ignores fields that it does not know. Throws an error that says what is wrong. */
export function checked<Value>(schema: z.ZodType<Value>, json: unknown): Value {
  const known = knownValue(schema, json);
  if ('value' in known) return known.value;
  throw new Error(`${known.issue.path.join('.') || 'value'}: ${known.issue.message}`);
}

/** SHA-256, 32 bytes. */
export async function digest(bytes: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>));
}

export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
