import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { ObjectReference } from '../../contract/schemas/site-files.ts';
import { UnreadableError } from '../../contract/site/source.ts';
import { ByteCache } from '../site/byte-cache.ts';
import { fileIdentity, type SiteFolder } from './site-folder.ts';

/** Bytes of memory for the hashes of files' chunks. */
const rememberedBytes = 16 * 1024 * 1024;

/** An open, verified file. The caller closes it. */
export type OpenFile = { readonly file: FileHandle; readonly content: VerifiedContent };

/**
 * Opens large objects before a status is sent, so that a missing or damaged one becomes a problem and not a broken
 * download. A file is read and verified whole before its first byte is sent. It is verified again if its identity on
 * disk changes, or if a later read finds different bytes.
 */
export class VerifiedFiles {
  readonly #site: SiteFolder;
  readonly #verified = new ByteCache<VerifiedContent>(rememberedBytes);

  constructor(site: SiteFolder) {
    this.#site = site;
  }

  /**
   * Rejects with an {@link UnreadableError}. Requests for a file that is being verified wait for the same verification.
   */
  async open(object: ObjectReference): Promise<OpenFile> {
    const file = await this.#site.openObject(object.sha256);
    if (file === null) throw refusal(object, 'the object is missing');
    try {
      const stats = await file.stat({ bigint: true });
      if (stats.size !== BigInt(object.size)) throw refusal(object, `expected ${object.size} bytes, got ${stats.size}`);
      const key = `${object.sha256} ${fileIdentity(stats)}`;
      if (this.#verified.get(key)?.hasChanged) this.#verified.remove(key);
      const content = await this.#verified.getOrMake(key, true, async () => {
        const value = await verifyContent(file, object);
        return { value, bytes: value.digests.length };
      });
      return { file, content };
    } catch (error) {
      await file.close();
      throw error;
    }
  }
}

/**
 * Bytes of a file that are read, compared and sent at a time. A client that stops reading keeps two chunks in memory.
 */
export const chunkSize = 64 * 1024;

const digestSize = 32;

/** The result of reading a whole file whose hash matches. */
export type VerifiedContent = {
  readonly object: ObjectReference;
  /** The SHA-256 of each chunk, one after the other. */
  readonly digests: Uint8Array;
  /** A later read found different bytes, so the whole file must be verified again. */
  hasChanged: boolean;
};

/** Reads a whole file and compares its hash. Rejects with an {@link UnreadableError} if it differs. */
export async function verifyContent(file: FileHandle, object: ObjectReference): Promise<VerifiedContent> {
  const whole = createHash('sha256');
  const digests = new Uint8Array(Math.ceil(object.size / chunkSize) * digestSize);
  for (let number = 0; number * chunkSize < object.size; number += 1) {
    const bytes = await readChunk(file, object, number);
    whole.update(bytes);
    digests.set(chunkDigest(bytes), number * digestSize);
  }
  const actual = whole.digest('hex');
  if (actual !== object.sha256) throw refusal(object, `got bytes with SHA-256 ${actual}`);
  return { object, digests, hasChanged: false };
}

/**
 * The bytes of an open file from `start` to `end`, both inclusive. Each chunk is compared with the hash that it had
 * when the whole file was verified. So a byte that has changed since is never sent, whatever the file system says about
 * the file's size and times.
 */
export async function* verifiedBytes(
  file: FileHandle,
  content: VerifiedContent,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { object, digests } = content;
  for (let number = Math.floor(start / chunkSize); number * chunkSize <= end; number += 1) {
    const before = number * chunkSize;
    try {
      const bytes = await readChunk(file, object, number);
      if (!chunkDigest(bytes).equals(digests.subarray(number * digestSize, (number + 1) * digestSize))) {
        throw refusal(object, `the bytes from ${before} on have changed since it was verified`);
      }
      yield bytes.subarray(Math.max(0, start - before), end + 1 - before);
    } catch (error) {
      content.hasChanged = true;
      throw error;
    }
  }
}

/** Reads a whole chunk, in several reads if necessary. Rejects if the file has become shorter. */
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

function chunkDigest(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}

function refusal(object: ObjectReference, what: string): UnreadableError {
  return new UnreadableError(`object ${object.sha256}: ${what}`, object);
}
