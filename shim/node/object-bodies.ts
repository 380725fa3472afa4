import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { ObjectReference } from '../../generator/contract/formats/site.ts';
import { ByteCache } from '../site/byte-cache.ts';
import { UnreadableError } from '../site/verified-objects.ts';
import { identityOf, type SiteFolder } from './site-folder.ts';
import { type VerifiedContent, verifyContent } from './verified-file.ts';

/** Objects up to this size are read whole, and the ones requested last are kept in memory. */
const bufferedSize = 256 * 1024;
const keptBytes = 12 * 1024 * 1024;

/** Bytes of memory for the hashes of large files' chunks: 32 bytes for each 64 KiB. */
const rememberedBytes = 16 * 1024 * 1024;

/** Verified bytes: in memory, or in an open file that the caller closes. */
export type ObjectBody = { readonly bytes: Uint8Array } | OpenFile;
export type OpenFile = { readonly file: FileHandle; readonly content: VerifiedContent };

/**
 * Opens bodies before a status is sent, so that a missing or damaged object becomes a problem and not a broken
 * download. A large file is read and verified whole before its first byte is sent. It is verified again when its
 * identity on disk changes, or when a later reading finds other bytes.
 */
export class ObjectBodies {
  readonly #site: SiteFolder;
  readonly #buffers = new ByteCache<Uint8Array>(keptBytes);
  readonly #verified = new ByteCache<VerifiedContent>(rememberedBytes);

  constructor(site: SiteFolder) {
    this.#site = site;
  }

  /** The bytes of a small object that is still in memory. Undefined for any other object, which has to be opened. */
  kept(object: ObjectReference): Uint8Array | undefined {
    return this.#buffers.get(object.sha256);
  }

  async open(object: ObjectReference): Promise<ObjectBody> {
    const file = await this.#site.openObject(object.sha256);
    if (file === null) throw new UnreadableError(`object ${object.sha256} is missing`, object);
    let keepOpen = false;
    try {
      const stats = await file.stat({ bigint: true });
      if (stats.size !== BigInt(object.size)) {
        throw new UnreadableError(`object ${object.sha256}: expected ${object.size} bytes, got ${stats.size}`, object);
      }
      if (object.size <= bufferedSize) return { bytes: await this.#buffer(file, object) };
      const content = await this.#verify(file, object, identityOf(stats));
      keepOpen = true;
      return { file, content };
    } finally {
      if (!keepOpen) await file.close();
    }
  }

  async #buffer(file: FileHandle, object: ObjectReference): Promise<Uint8Array> {
    const bytes = await file.readFile();
    const actual = createHash('sha256').update(bytes).digest('hex');
    if (actual !== object.sha256) {
      throw new UnreadableError(`object ${object.sha256}: got bytes with SHA-256 ${actual}`, object);
    }
    this.#buffers.set(object.sha256, bytes, bytes.length);
    return bytes;
  }

  /** Verifies a file. Requests that come meanwhile wait for the same reading of it. */
  #verify(file: FileHandle, object: ObjectReference, identity: string): Promise<VerifiedContent> {
    const key = `${object.sha256} ${identity}`;
    if (this.#verified.get(key)?.isDoubted) this.#verified.remove(key);
    return this.#verified.getOrMake(key, true, async () => {
      const value = await verifyContent(file, object);
      return { value, bytes: value.digests.length };
    });
  }
}
