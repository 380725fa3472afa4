import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { ObjectReference } from '../../generator/contract/formats/site.ts';
import { UnreadableError } from '../site/verified-objects.ts';

/** So much of a file is read, compared and sent at a time; a reader who stands still holds two of them. */
export const chunkSize = 64 * 1024;

const digestSize = 32;

/** What one reading of a whole file found, when the whole was what its hash says. */
export type VerifiedContent = {
  readonly object: ObjectReference;
  /** SHA-256 of every chunk, one after the other. */
  readonly digests: Uint8Array;
  /** Bytes that came later were others: the file has to be read whole again before it is believed. */
  isDoubted: boolean;
};

/** Reads a file whole and compares it with its hash. Rejects with an {@link UnreadableError} when it is another one. */
export async function verifyContent(file: FileHandle, object: ObjectReference): Promise<VerifiedContent> {
  const whole = createHash('sha256');
  const digests = new Uint8Array(Math.ceil(object.size / chunkSize) * digestSize);
  for (let number = 0; number * chunkSize < object.size; number += 1) {
    const bytes = await readChunk(file, object, number);
    whole.update(bytes);
    digests.set(digestOf(bytes), number * digestSize);
  }
  const actual = whole.digest('hex');
  if (actual !== object.sha256) throw refusal(object, `got bytes with SHA-256 ${actual}`);
  return { object, digests, isDoubted: false };
}

/**
 * An open file of which every chunk is compared with what the chunk was when the whole was verified. So a byte that
 * changed since then is not given out, whatever the file system says of the file's size and times.
 */
export class VerifiedFile {
  readonly #file: FileHandle;
  readonly #content: VerifiedContent;
  /** The chunk that was read before its stream began. */
  #ahead: { readonly number: number; readonly bytes: Uint8Array } | null = null;

  constructor(file: FileHandle, content: VerifiedContent) {
    this.#file = file;
    this.#content = content;
  }

  /** Reads what a stream from this position begins with. Rejects with an {@link UnreadableError}. */
  async readAhead(position: number): Promise<void> {
    const number = Math.floor(position / chunkSize);
    this.#ahead = { number, bytes: await this.chunk(number) };
  }

  /** Bytes from `start` to `end`, both included. Closes the file at its end, when it fails, and when it is destroyed. */
  stream(start: number, end: number): ChunkStream {
    return new ChunkStream(this, start, end);
  }

  async chunk(number: number): Promise<Uint8Array> {
    if (this.#ahead?.number === number) {
      const { bytes } = this.#ahead;
      this.#ahead = null;
      return bytes;
    }
    const { object, digests } = this.#content;
    try {
      const bytes = await readChunk(this.#file, object, number);
      const expected = digests.subarray(number * digestSize, (number + 1) * digestSize);
      if (!digestOf(bytes).equals(expected)) {
        throw refusal(object, `got other bytes from byte ${number * chunkSize} on than when it was verified`);
      }
      return bytes;
    } catch (error) {
      this.#content.isDoubted = true;
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

class ChunkStream extends Readable {
  readonly #file: VerifiedFile;
  readonly #start: number;
  readonly #end: number;
  #position: number;

  constructor(file: VerifiedFile, start: number, end: number) {
    super({ highWaterMark: chunkSize });
    this.#file = file;
    this.#start = start;
    this.#end = end;
    this.#position = start;
  }

  get bytesRead(): number {
    return this.#position - this.#start;
  }

  override _read(): void {
    if (this.#position > this.#end) this.push(null);
    else this.#next().catch((error: Error) => this.destroy(error));
  }

  async #next(): Promise<void> {
    const number = Math.floor(this.#position / chunkSize);
    const chunk = await this.#file.chunk(number);
    if (this.destroyed) return;
    const before = number * chunkSize;
    const part = chunk.subarray(this.#position - before, this.#end + 1 - before);
    this.#position += part.length;
    this.push(part);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#file.close().then(() => done(error), done);
  }
}

/** A chunk whole, or its rejection: a file may give less than it was asked for, and may have been cut. */
async function readChunk(file: FileHandle, object: ObjectReference, number: number): Promise<Uint8Array> {
  const position = number * chunkSize;
  const size = Math.min(chunkSize, object.size - position);
  const bytes = Buffer.allocUnsafeSlow(size);
  for (let filled = 0; filled < size; ) {
    const { bytesRead } = await file.read(bytes, filled, size - filled, position + filled);
    if (bytesRead === 0) throw refusal(object, `expected ${object.size} bytes, got ${position + filled}`);
    filled += bytesRead;
  }
  return bytes;
}

function digestOf(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}

function refusal(object: ObjectReference, what: string): UnreadableError {
  return new UnreadableError(`object ${object.sha256}: ${what}`, object);
}
