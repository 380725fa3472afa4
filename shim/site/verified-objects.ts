import type * as z from 'zod';
import type { ObjectReference } from '../../generator/contract/formats/site.ts';
import type { ByteRange } from '../http/conditional.ts';
import { readingUnits, Work } from '../scheduling/work.ts';
import { ByteCache } from './byte-cache.ts';
import type { ObjectReader, TaggedObject } from './object-reader.ts';

/** Something a publication names is missing, is not what its hash says, or does not have its shape. */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError';
  /** The object that failed; null when it is the pointer. */
  readonly reference: ObjectReference | null;

  constructor(message: string, reference: ObjectReference | null, options?: ErrorOptions) {
    super(message, options);
    this.reference = reference;
  }
}

/** How an object's bytes become a value. `name` tells readings of the same bytes apart: one name, one type. */
export type Reading<Value> = {
  readonly name: string;
  /** A value that takes long is made in pieces, and paces itself by the work. */
  readonly of: (bytes: Uint8Array, work: Work) => Value | Promise<Value>;
  /** Bytes of memory that the value takes for each byte of the object. */
  readonly weight?: number;
  /** So many values of this reading are kept apart from all others: what is dear to make is not lost to a burst of pages. */
  readonly slots?: number;
};

/** JSON of a shape. Throws when the bytes are something else. */
export function jsonReading<Value>(name: string, schema: z.ZodType<Value>): Reading<Value> {
  return { name, of: (bytes) => parseJson(schema, bytes) };
}

/** What parsed JSON takes in memory for each of its bytes. */
const jsonWeight = 2;

/** Memory for what is made of objects, unless the host says otherwise. */
const defaultKeptBytes = 16 * 1024 * 1024;

/** Objects of a site, each compared with the hash that names it before anything believes it. */
export class VerifiedObjects {
  readonly #reader: ObjectReader;
  readonly #values: ByteCache<unknown>;
  /** By name of the reading, for those that have slots of their own. */
  readonly #slots = new Map<string, ByteCache<unknown>>();
  /** Null where no request may wait for what another one reads. */
  readonly #underWay: Map<string, Promise<unknown>> | null;

  /** `sharesReadings`: requests that need the same dear value at once wait for one of them to make it. */
  constructor(reader: ObjectReader, keptBytes = defaultKeptBytes, sharesReadings = false) {
    this.#reader = reader;
    this.#values = new ByteCache(keptBytes);
    this.#underWay = sharesReadings ? new Map() : null;
  }

  /**
   * An object as its reading gives it, made once while it is kept. Rejects with an {@link UnreadableError}. Where
   * readings are not shared only finished values are: an edge host may not wait for another request.
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
    // Others asked for it at the same time, and one of them was first to read it.
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
   * An object's bytes as a stream, which nothing can compare with their hash before they are sent. What storage says of
   * them is compared instead: the size, and the MD5 that is their entity tag, where that is known. Null where storage offers no streams.
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

/** Bytes as JSON of a shape. Throws an error that says what is wrong with them. */
export function parseJson<Value>(schema: z.ZodType<Value>, bytes: Uint8Array): Value {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new Error(`expected JSON, got ${bytes.length} bytes that are none`, { cause });
  }
  return checked(schema, json);
}

/** A value of a shape. Throws an error that says what is wrong with it. */
export function checked<Value>(schema: z.ZodType<Value>, json: unknown): Value {
  const result = schema.safeParse(json);
  // What is given on are the values as they stand, keys in their order: no schema here changes any.
  if (result.success) return json as Value;
  const [issue] = result.error.issues;
  throw new Error(`${issue?.path.join('.') || 'value'}: ${issue?.message}`);
}

/** SHA-256, 32 bytes. */
export async function digest(bytes: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>));
}

export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
