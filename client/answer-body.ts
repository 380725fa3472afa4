import { byteLimits } from '../contract/site/byte-limits.ts';
import { isJsonObject, isShallow, jsonLevels } from '../contract/text.ts';
import { ConnectionError, UnexpectedContentError } from './errors.ts';

/** The runtime decompresses the bytes. */
export type Chunks = ReadableStream<Uint8Array<ArrayBuffer>>;

/**
 * Yields the pieces of a body. `within` limits the wait for each of them, for bodies whose whole time is not limited. A
 * caller that stops early closes the connection.
 */
export async function* readPieces(
  body: Chunks,
  within = <Piece>(read: () => Promise<Piece>): Promise<Piece> => read(),
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await within(() => reader.read());
      if (done) return;
      yield value;
    }
  } finally {
    // The result is not awaited: cancelling a stream that hangs may never resolve, and cancelling one that failed
    // rejects again.
    reader.cancel().catch(() => undefined);
  }
}

/** Joins the pieces of a body. Throws a {@link ConnectionError} as soon as they exceed `maxBytes`. */
export async function readWhole(url: string, pieces: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const found: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces) {
    size += piece.length;
    if (size > maxBytes) throw new ConnectionError(url, `expected at most ${maxBytes} bytes, got more`);
    found.push(piece);
  }
  return joined(found, size);
}

/** Lines without their line feeds. The last line must also end with one. */
export async function* readLines(url: string, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let begun: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces) {
    let start = 0;
    for (let end = piece.indexOf(0x0a); end >= 0; end = piece.indexOf(0x0a, start)) {
      const rest = piece.subarray(start, end);
      yield begun.length === 0 ? rest : joined([...begun, rest], size + rest.length);
      [begun, size, start] = [[], 0, end + 1];
    }
    begun.push(piece.subarray(start));
    size += piece.length - start;
    if (size > byteLimits.line)
      throw new UnexpectedContentError(url, `expected lines of at most ${byteLimits.line} bytes, got more`);
  }
  if (size > 0) throw new UnexpectedContentError(url, 'expected a last line with its end');
}

function joined(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/**
 * Throws an {@link UnexpectedContentError} for anything but a JSON object, for a document without data, and for JSON so
 * deep that a program could run out of stack when it walks it.
 */
export function parseObject(url: string, bytes: Uint8Array, name = 'JSON'): Record<string, unknown> {
  const refuse = (expected: string, got: string, options?: { cause: unknown }) =>
    new UnexpectedContentError(url, `expected ${expected}, got ${got}`, options);
  if (!isShallow(bytes)) throw refuse(`${name} of at most ${jsonLevels} levels`, 'more');
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    throw refuse(name, `${bytes.length} bytes of something else`, { cause });
  }
  if (isJsonObject(value) && value.data !== null) return value;
  throw refuse('an object with its data', 'something else');
}

export function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder().decode(bytes));
    return true;
  } catch {
    return false;
  }
}
