import type * as z from 'zod';
import type { ObjectReference } from '../generator/contract/site.ts';
import { ByteCache } from './byte-cache.ts';
import type { ObjectReader } from './object-reader.ts';

/** Something a publication names is missing, is not what its hash says, or does not have its shape. */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError';
}

/** Parsed JSON takes several times its bytes; this many bytes of it are kept. */
const cachedBytes = 16 * 1024 * 1024;

/** JSON objects of a site, each compared with the hash that names it before anything believes it. */
export class VerifiedObjects {
  readonly #reader: ObjectReader;
  readonly #parsed: ByteCache<unknown>;

  constructor(reader: ObjectReader, maxBytes = cachedBytes) {
    this.#reader = reader;
    this.#parsed = new ByteCache(maxBytes);
  }

  /**
   * The object as its schema gives it. `what` names it in messages, and in the cache: one kind, one schema.
   * Only finished values are shared between requests, never promises: an edge host may not wait for another request.
   */
  async read<Value>(what: string, schema: z.ZodType<Value>, reference: ObjectReference): Promise<Value> {
    const key = `${what} ${reference.sha256}`;
    const known = this.#parsed.get(key);
    if (known !== undefined) return known as Value;
    const value = parseJson(key, schema, await this.#readBytes(key, reference));
    this.#parsed.set(key, value, reference.size);
    return value;
  }

  async #readBytes(name: string, reference: ObjectReference): Promise<Uint8Array> {
    const bytes = await this.#reader.readObject(reference);
    if (bytes === null) throw new UnreadableError(`${name}: the object is missing`);
    const { sha256, size } = reference;
    if (bytes.length !== size) throw new UnreadableError(`${name}: expected ${size} bytes, got ${bytes.length}`);
    const actual = hex(await digest(bytes));
    if (actual !== sha256) throw new UnreadableError(`${name}: got bytes with SHA-256 ${actual}`);
    return bytes;
  }
}

/** Bytes as JSON of that shape, or an {@link UnreadableError} that names them. */
export function parseJson<Value>(name: string, schema: z.ZodType<Value>, bytes: Uint8Array): Value {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new UnreadableError(`${name}: expected JSON, got ${bytes.length} bytes that are none`, { cause });
  }
  const result = schema.safeParse(json);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new UnreadableError(`${name}: ${issue?.path.join('.') || 'value'}: ${issue?.message}`);
}

/** SHA-256, 32 bytes. */
export async function digest(bytes: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>));
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
