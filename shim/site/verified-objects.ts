import type * as z from 'zod';
import type { ObjectReference } from '../../generator/contract/formats/site.ts';
import { knownValue } from '../../generator/contract/known-value.ts';
import type { Hash, ObjectReader, TaggedObject } from '../host.ts';
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
  /**
   * Makes a value that takes long in pieces, and awaits `work.pace` between them. `before`: the value that is kept, if it
   * is not enough.
   */
  of(bytes: Uint8Array, work: Work, before?: Value): Value | Promise<Value>;
  /** Bytes of memory that a value takes; left out: twice the size of the object. */
  memoryOf?(value: Value): number;
  /** Takes from a value what can be read again, and returns the bytes that are left; null if there was nothing to take. */
  shrink?(value: Value): number | null;
  /** Whether a value that may have been shrunk has what is needed; left out: always. */
  isEnough?(value: Value): boolean;
  /**
   * How many values of this reading are kept apart from all others, so that a burst of pages does not evict a value
   * that is expensive to make. With `memoryOf`: how many bytes of them.
   */
  readonly slots?: number;
};

/** Parses JSON of a shape. Throws when the bytes are something else. */
export function jsonReading<Value>(name: string, schema: z.ZodType<Value>): Reading<Value> {
  return { name, of: (bytes) => parseJson(schema, bytes) };
}

/** Bytes of memory that parsed JSON takes for each of its bytes. */
const jsonWeight = 2;

/** Bytes of memory that a text takes: one a character where all of them are below U+0100. */
export function textMemory(text: string): number {
  return /[\u0100-\uffff]/.test(text) ? 2 * text.length : text.length;
}

/** Bytes of memory for parsed objects, unless the host says otherwise. */
const defaultKeptBytes = 16 * 1024 * 1024;

/** A value, and what is kept of the reading that made it. */
type Made = {
  readonly by: string;
  readonly value: unknown;
  readonly shrink: ((value: never) => number | null) | undefined;
};

function shrunk({ value, shrink }: Made): number | null {
  return shrink?.(value as never) ?? null;
}

type Objects = Pick<ObjectReader, 'readObject' | 'streamObject'>;

/** Reads objects of a site, and compares each with the hash that names it before it is used. */
export class VerifiedObjects {
  /** The SHA-256 of bytes in hex, in the host's way. */
  readonly hash: Hash;
  readonly #reader: Objects;
  /** By hash of the object, or a key of whoever made it of several. Hardly any object is read in two ways; of those, the value made last is kept. */
  readonly #values: ByteCache<Made>;
  /** By name of the reading: the cache of a reading that has slots of its own. */
  readonly #slots = new Map<string, ByteCache<Made>>();
  /** Readings under way; null where no request may wait for one that another request began. */
  readonly #underWay: Map<string, Promise<unknown>> | null;

  /** `sharesReadings`: requests that need the same expensive value at once wait for one of them to make it. */
  constructor(reader: Objects, keptBytes = defaultKeptBytes, sharesReadings = false, hash: Hash = webHash) {
    this.#reader = reader;
    this.#values = new ByteCache(keptBytes, shrunk);
    this.#underWay = sharesReadings ? new Map() : null;
    this.hash = hash;
  }

  /** A value that was made of several objects, if it is kept. */
  keptAt(key: string): unknown {
    return this.#values.get(key)?.value;
  }

  keepAt(key: string, value: unknown, bytes: number): void {
    this.#values.set(key, { by: key, value, shrink: undefined }, bytes);
  }

  /** The value of an object if it is kept; undefined where it has to be read. */
  kept<Value>(reading: Reading<Value>, reference: ObjectReference): Value | undefined {
    const value = this.#valueOf(reading, reference);
    return value === undefined || (reading.isEnough?.(value) ?? true) ? value : undefined;
  }

  #valueOf<Value>(reading: Reading<Value>, { sha256 }: ObjectReference): Value | undefined {
    const made = this.#cacheOf(reading).get(sha256);
    return made?.by === reading.name ? (made.value as Value) : undefined;
  }

  /**
   * The value of an object, made once as long as it is kept. Rejects with an {@link UnreadableError}. Where readings
   * are not shared, requests share finished values only: an edge host may not wait for another request.
   */
  async read<Value>(reading: Reading<Value>, reference: ObjectReference, work = new Work()): Promise<Value> {
    const known = this.kept(reading, reference);
    if (known !== undefined) return known;
    if (this.#underWay === null || reading.slots === undefined) return this.#make(reading, reference, work);
    const key = `${reading.name} ${reference.sha256}`;
    const running = this.#underWay.get(key);
    if (running) return running as Promise<Value>;
    const making = this.#make(reading, reference, work).finally(() => this.#underWay?.delete(key));
    this.#underWay.set(key, making);
    return making;
  }

  async #make<Value>(reading: Reading<Value>, reference: ObjectReference, work: Work): Promise<Value> {
    const { name, of, memoryOf, slots, shrink } = reading;
    const bytes = await this.bytes(name, reference);
    if (slots === undefined) await work.pace(readingUnits(reference.size));
    // Another request may have made the same value in the meantime.
    const meanwhile = this.kept(reading, reference);
    if (meanwhile !== undefined) return meanwhile;
    let value: Value;
    try {
      const made = of(bytes, work, this.#valueOf(reading, reference));
      value = made instanceof Promise ? await made : made;
    } catch (cause) {
      throw new UnreadableError(`${name} ${reference.sha256}: ${(cause as Error).message}`, reference, { cause });
    }
    const memory = memoryOf?.(value) ?? (slots === undefined ? reference.size * jsonWeight : 1);
    this.#cacheOf(reading).set(reference.sha256, { by: name, value, shrink }, memory);
    return value;
  }

  #cacheOf({ name, slots }: Reading<unknown>): ByteCache<Made> {
    if (slots === undefined) return this.#values;
    const known = this.#slots.get(name);
    if (known) return known;
    const own = new ByteCache<Made>(slots);
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
    const actual = await this.hash(bytes);
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

/** The hash of a runtime that has the Web's cryptography and nothing else. */
export const webHash: Hash = async (bytes) => hex(await digest(bytes));

/** SHA-256, 32 bytes. */
export async function digest(bytes: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>));
}

export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
