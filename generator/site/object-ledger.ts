import { objectPath } from '../contract/paths.ts';
import { type Digests, digestsOf, type FileIdentity, type SiteFiles, UnreadableFile } from './checked-files.ts';
import type { FaultList } from './fault.ts';

/** An object whose bytes have the hash in its name. */
export type SoundObject = Pick<Digests, 'md5' | 'size'> & FileIdentity;

/**
 * The objects seen so far. Each is hashed once, however many routes and route tables name it. A missing or damaged
 * object is reported when it is first needed, with its user, and is null from then on.
 */
export class ObjectLedger {
  readonly #files: SiteFiles;
  readonly #faults: FaultList;
  readonly #seen = new Map<string, SoundObject | null>();
  #byteCount = 0;

  constructor(files: SiteFiles, faults: FaultList) {
    this.#files = files;
    this.#faults = faults;
  }

  /** Number of objects that something names, sound or not. */
  get objectCount(): number {
    return this.#seen.size;
  }

  /** Bytes of the sound objects. */
  get byteCount(): number {
    return this.#byteCount;
  }

  isNamed(sha256: string): boolean {
    return this.#seen.has(sha256);
  }

  /**
   * The object, hashed on first use; null when it is missing or damaged. `user` is what names the object, for the
   * message.
   */
  check(sha256: string, user: string): SoundObject | null {
    const known = this.#seen.get(sha256);
    if (known !== undefined) return known;
    return this.#readable(sha256, user, (path) => {
      const { identity, ...digests } = this.#files.digest(path);
      return this.#enter(sha256, user, digests, identity);
    });
  }

  /** The object's bytes, valid until the next read; null when it is missing or damaged. */
  read(sha256: string, user: string): Buffer | null {
    const known = this.#seen.get(sha256);
    if (known === null) return null;
    return this.#readable(sha256, user, (path) => {
      const { bytes, identity } = this.#files.read(path);
      if (known !== undefined) return bytes;
      return this.#enter(sha256, user, digestsOf(bytes), identity) && bytes;
    });
  }

  #enter(sha256: string, user: string, digests: Digests, { dev, ino }: FileIdentity): SoundObject | null {
    if (digests.sha256 !== sha256) {
      const got = `${digests.size} bytes with SHA-256 ${digests.sha256}`;
      this.#faults.add('object_damaged', objectPath(sha256), `the bytes of ${user} with that SHA-256`, got);
      this.#seen.set(sha256, null);
      return null;
    }
    const object = { md5: digests.md5, size: digests.size, dev, ino };
    this.#seen.set(sha256, object);
    this.#byteCount += digests.size;
    return object;
  }

  #readable<Result>(sha256: string, user: string, use: (path: string) => Result): Result | null {
    const path = objectPath(sha256);
    try {
      return use(path);
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      const code = error.isMissing ? 'object_missing' : 'object_unreadable';
      this.#faults.add(code, path, `the bytes of ${user}`, error.message);
      this.#seen.set(sha256, null);
      return null;
    }
  }
}
