import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { ByteCache } from '../../../shim/site/byte-cache.ts';
import { UnreadableError } from '../../../shim/site/verified-objects.ts';
import type { ObjectReference } from '../../contract/site.ts';
import type { SiteFolder } from './site-folder.ts';

/** Objects up to this size are read whole, and the ones asked for last are kept. */
const bufferedSize = 256 * 1024;
const keptBytes = 64 * 1024 * 1024;

/** So many large files are remembered as verified. */
const rememberedFiles = 4096;

const chunkSize = 256 * 1024;

/** Bytes that are what their hash says: in memory, or in an open file that whoever got it closes. */
export type ObjectBody = { readonly bytes: Uint8Array } | { readonly file: FileHandle };

/**
 * Opens bodies before a status is sent, so that a missing or damaged object becomes a problem and not a broken download.
 * A large file is read through once before its first byte is sent, and again only when it is another file.
 */
export class ObjectBodies {
  readonly #site: SiteFolder;
  readonly #buffers = new ByteCache<Uint8Array>(keptBytes);
  readonly #verified = new ByteCache<true>(rememberedFiles);
  readonly #verifying = new Map<string, Promise<void>>();

  constructor(site: SiteFolder) {
    this.#site = site;
  }

  /** The bytes of an object that was opened before and is small enough to be kept; else it has to be opened. */
  kept(object: ObjectReference): Uint8Array | undefined {
    return this.#buffers.get(object.sha256);
  }

  async open(object: ObjectReference): Promise<ObjectBody> {
    const file = await this.#site.openObject(object.sha256);
    if (file === null) throw new UnreadableError(`object ${object.sha256} is missing`, object);
    let keepOpen = false;
    try {
      const { size, ino, mtimeMs } = await file.stat();
      if (size !== object.size) {
        throw new UnreadableError(`object ${object.sha256}: expected ${object.size} bytes, got ${size}`, object);
      }
      if (size <= bufferedSize) return { bytes: await this.#buffer(file, object) };
      await this.#verify(file, object, `${object.sha256} ${ino} ${mtimeMs}`);
      keepOpen = true;
      return { file };
    } finally {
      if (!keepOpen) await file.close();
    }
  }

  async #buffer(file: FileHandle, object: ObjectReference): Promise<Uint8Array> {
    const bytes = await file.readFile();
    requireDigest(object, createHash('sha256').update(bytes));
    this.#buffers.set(object.sha256, bytes, bytes.length);
    return bytes;
  }

  /** Requests that come while a file is being verified wait for the same reading of it. */
  async #verify(file: FileHandle, object: ObjectReference, identity: string): Promise<void> {
    if (this.#verified.get(identity)) return;
    const running = this.#verifying.get(identity);
    if (running) return running;
    const verifying = hashFile(file).then((hash) => requireDigest(object, hash));
    this.#verifying.set(identity, verifying);
    try {
      await verifying;
      this.#verified.set(identity, true, 1);
    } finally {
      this.#verifying.delete(identity);
    }
  }
}

async function hashFile(file: FileHandle) {
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(chunkSize);
  for (let position = 0; ; ) {
    const { bytesRead } = await file.read(chunk, 0, chunkSize, position);
    if (bytesRead === 0) return hash;
    hash.update(chunk.subarray(0, bytesRead));
    position += bytesRead;
  }
}

function requireDigest(object: ObjectReference, hash: ReturnType<typeof createHash>): void {
  const actual = hash.digest('hex');
  if (actual === object.sha256) return;
  throw new UnreadableError(`object ${object.sha256}: got bytes with SHA-256 ${actual}`, object);
}
