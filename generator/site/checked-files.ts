import { createHash, hash } from 'node:crypto';
import {
  type BigIntStats,
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
} from 'node:fs';
import { join } from 'node:path';
import { objectPath } from '../../contract/paths.ts';
import type { FaultCode, FaultList } from './fault.ts';
import { linkTarget } from './site-link.ts';

/** Identifies a file on this machine. An inode number may be too large for a `number`. */
export type FileIdentity = { readonly dev: bigint; readonly ino: bigint };

export type Digests = { readonly sha256: string; readonly md5: string; readonly size: number };

/** The file does not exist, or the system refuses with a code such as EACCES. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
  readonly isMissing: boolean;

  constructor(cause: unknown) {
    const code = (cause as NodeJS.ErrnoException).code ?? String(cause);
    const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
    super(isMissing ? 'no such file' : `a file that cannot be read (${code})`, { cause });
    this.isMissing = isMissing;
  }
}

/** Returns what `read` returns. If the file cannot be read, adds a fault for `path` and returns null. */
export function readable<Result>(
  faults: FaultList,
  [code, path, expected]: readonly [code: FaultCode, path: string, expected: string],
  read: () => Result,
): Result | null {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    faults.add(code, path, expected, error.message);
    return null;
  }
}

/**
 * Reads the files of a site by their paths in it. Reads are synchronous, because a hundred thousand small files take
 * three times as long with promises. Every method that reads throws an {@link UnreadableFile} if the system refuses.
 */
export class SiteFiles {
  readonly directory: string;
  readonly #buffer = Buffer.allocUnsafe(1024 * 1024);

  constructor(directory: string) {
    this.directory = directory;
  }

  locate(path: string): string {
    return join(this.directory, path);
  }

  read(path: string): { bytes: Buffer; identity: FileIdentity } {
    return this.#open(path, (descriptor, stats) => ({ bytes: readFileSync(descriptor), identity: stats }));
  }

  /** Hashes a file of any size, one buffer at a time. `knownMd5`: its MD5, if the file is what it should be. */
  digest(path: string, knownMd5?: string): Digests & { identity: FileIdentity } {
    return this.#open(path, (descriptor, stats) => {
      const sha256 = createHash('sha256');
      const md5 = knownMd5 === undefined ? createHash('md5') : null;
      let size = 0;
      for (;;) {
        const count = readSync(descriptor, this.#buffer, 0, this.#buffer.length, null);
        if (count === 0) {
          return { sha256: sha256.digest('hex'), md5: md5?.digest('hex') ?? knownMd5 ?? '', size, identity: stats };
        }
        const piece = this.#buffer.subarray(0, count);
        sha256.update(piece);
        md5?.update(piece);
        size += count;
      }
    });
  }

  stat(path: string): BigIntStats {
    return explained(() => lstatSync(this.locate(path), { bigint: true }));
  }

  linkTarget(path: string): string {
    return explained(() => linkTarget(this.locate(path)));
  }

  /** The entries of a folder, sorted by name. */
  list(path: string): Dirent[] {
    const entries = explained(() => readdirSync(this.locate(path), { withFileTypes: true }));
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  #open<Result>(path: string, use: (descriptor: number, stats: BigIntStats) => Result): Result {
    return explained(() => {
      // A device or a pipe may never end, and opening a pipe may wait for ever.
      const descriptor = openSync(this.locate(path), constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
      try {
        const stats = fstatSync(descriptor, { bigint: true });
        if (!stats.isFile() && !stats.isDirectory()) throw new UnreadableFile('a pipe or a device');
        return use(descriptor, stats);
      } finally {
        closeSync(descriptor);
      }
    });
  }
}

/** The digests of bytes in one piece, for which the one-shot function is faster than a hash object. */
export function digestBytes(bytes: Uint8Array): Digests {
  return { sha256: hash('sha256', bytes), md5: hash('md5', bytes), size: bytes.length };
}

function explained<Result>(use: () => Result): Result {
  try {
    return use();
  } catch (cause) {
    throw cause instanceof Error && 'code' in cause ? new UnreadableFile(cause) : cause;
  }
}

/** An object whose bytes have the hash that is its name. */
export type SoundObject = Pick<Digests, 'md5' | 'size'> & FileIdentity;

/**
 * The objects seen so far. Each is hashed once, however many routes and route tables name it. The first use of a
 * missing or damaged object reports it; it is null from then on.
 */
export type ObjectLedger = ReturnType<typeof objectLedger>;

export function objectLedger(files: SiteFiles, faults: FaultList) {
  const seen = new Map<string, SoundObject | null>();
  let knownMd5: (sha256: string) => string | undefined = () => undefined;

  const enter = (sha256: string, user: string, digests: Digests, { dev, ino }: FileIdentity): SoundObject | null => {
    const isSound = digests.sha256 === sha256;
    if (!isSound) {
      const got = `${digests.size} bytes with SHA-256 ${digests.sha256}`;
      faults.add('object_damaged', objectPath(sha256), `the bytes of ${user} with that SHA-256`, got);
    }
    const object = isSound ? { md5: digests.md5, size: digests.size, dev, ino } : null;
    seen.set(sha256, object);
    return object;
  };

  const readableObject = <Result>(sha256: string, user: string, use: (path: string) => Result): Result | null => {
    const path = objectPath(sha256);
    try {
      return use(path);
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      const code = error.isMissing ? 'object_missing' : 'object_unreadable';
      faults.add(code, path, `the bytes of ${user}`, error.message);
      seen.set(sha256, null);
      return null;
    }
  };

  /**
   * The object with this hash, which is checked on first use; null if it is missing or damaged. `user` is what names
   * the object, for the message.
   */
  const check = (sha256: string, user: string): SoundObject | null => {
    const known = seen.get(sha256);
    if (known !== undefined) return known;
    return readableObject(sha256, user, (path) => {
      const { identity, ...digests } = files.digest(path, knownMd5(sha256));
      return enter(sha256, user, digests, identity);
    });
  };

  /** The bytes of an object; null if it is missing or damaged. */
  const read = (sha256: string, user: string): Buffer | null => {
    const known = seen.get(sha256);
    if (known === null) return null;
    return readableObject(sha256, user, (path) => {
      const { bytes, identity } = files.read(path);
      return known || enter(sha256, user, digestBytes(bytes), identity) ? bytes : null;
    });
  };

  /** Counts the named objects, sound or not, and the bytes of the sound ones. */
  const totals = () => ({
    objects: seen.size,
    bytes: [...seen.values()].reduce((sum, one) => sum + (one?.size ?? 0), 0),
  });

  /** Does not compute the MD5 of objects that `md5Of` knows: bytes with the same SHA-256 have the same MD5. */
  const trustMd5 = (md5Of: typeof knownMd5) => {
    knownMd5 = md5Of;
  };

  return { check, read, totals, trustMd5, isNamed: (sha256: string) => seen.has(sha256) };
}
