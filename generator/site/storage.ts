import { spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { isMainThread, threadId } from 'node:worker_threads';
import { syncFolder } from '../files/durable-files.ts';
import { Failure, namingFile, systemReason } from '../files/failure.ts';
import { piecesDigest } from '../tables/pieces.ts';
import { linkTarget } from './site-link.ts';

const pieceSize = 1 << 20;

export class GrowingFile {
  readonly #path: string;
  readonly #pathOf: (name: string) => string;
  readonly #file: number;
  #isOpen = true;

  /** `pathOf` gives the path of a name in the site and makes its folder. */
  constructor(path: string, pathOf: (name: string) => string) {
    this.#path = path;
    this.#pathOf = pathOf;
    this.#file = namingFile(path, () => openSync(path, 'wx'));
  }

  write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      at += namingFile(this.#path, () => writeSync(this.#file, bytes, at));
    }
  }

  /**
   * Gives the file its name. If a file of that name exists and `isSame` is true of it, that file stays, and the result
   * is false.
   */
  finish(name: string, isSame: () => boolean): boolean {
    const path = this.#pathOf(name);
    const isThere = existsSync(path) && isSame();
    this.#close();
    if (isThere) unlinkSync(this.#path);
    else renameSync(this.#path, path);
    return !isThere;
  }

  discard(): void {
    if (!this.#isOpen) return;
    this.#close();
    unlinkSync(this.#path);
  }

  #close(): void {
    this.#isOpen = false;
    closeSync(this.#file);
  }
}

/**
 * The files of a site in a folder, under slash-separated names. A build writes a site only through this class. When
 * `replace`, `pointTo` and `removeMark` return, their changes are on the disk. Everything else is there after `flush`:
 * a build makes and links thousands of files, and one flush for all is far quicker than one for each.
 */
export class Storage {
  readonly #root: string;
  readonly #made = new Set<string>();
  readonly #madeFolders = new Set<string>();
  readonly #lacking = new Set<'hard links' | 'symbolic links'>();

  constructor(root: string) {
    this.#root = root;
  }

  /** The kinds of links that the disk lacks, so that there are copies instead. */
  get lacking(): readonly string[] {
    return [...this.#lacking].sort();
  }

  locate(name: string): string {
    return this.#at(name);
  }

  /** Gives the bytes to `take`, piece by piece. False if there is no file. */
  readPieces(name: string, take: (bytes: Uint8Array) => void): boolean {
    const path = this.#at(name);
    const file = unlessMissing(() => {
      refusePipe(path);
      return openSync(path, 'r');
    });
    if (file === null) return false;
    try {
      const piece = new Uint8Array(pieceSize);
      for (;;) {
        const size = namingFile(path, () => readSync(file, piece));
        if (size === 0) return true;
        take(piece.subarray(0, size));
      }
    } finally {
      closeSync(file);
    }
  }

  /** Null if there is no file. */
  read(name: string): Buffer | null {
    const path = this.#at(name);
    return unlessMissing(() => {
      refusePipe(path);
      return namingFile(path, () => readFileSync(path));
    });
  }

  /** Writes a file that never changes. Replaces an existing file with other bytes. True if the file was written. */
  create(name: string, bytes: Uint8Array): boolean {
    const path = this.#path(name);
    try {
      namingFile(path, () => writeFileSync(path, bytes, { flag: 'wx' }));
      return true;
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
    if (readFileSync(path).equals(bytes)) return false;
    this.replace(name, bytes);
    return true;
  }

  /**
   * Opens a file that never changes and is written piece by piece. Its final name depends on the bytes, so it gets that
   * when it is whole. `name`: the name it has until then.
   */
  open(name: string): GrowingFile {
    const path = this.#path(name);
    unlessMissing(() => unlinkSync(path));
    return new GrowingFile(path, (whole) => this.#path(whole));
  }

  /**
   * Writes or replaces a file atomically: a reader sees either the old bytes or the new ones, even after a power
   * failure. The new ones are on the disk when this returns. Several threads may write the same file at once.
   */
  replace(name: string, bytes: Uint8Array): void {
    const path = this.#path(name);
    const written = isMainThread ? temporary(path) : temporary(`${path}.${threadId}`);
    unlessMissing(() => unlinkSync(written));
    namingFile(path, () => writeFileSync(written, bytes, { flush: true, flag: 'wx' }));
    renameSync(written, path);
    syncFolder(dirname(path));
  }

  /** Gives a file a second name, even one that another file has. True if the file was copied, not linked. */
  link(existing: string, name: string): boolean {
    const from = this.#at(existing);
    const path = this.#path(name);
    try {
      return this.#linkOrCopy(from, path);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
    return this.isSame(existing, name) ? false : this.#relink(existing, name);
  }

  /**
   * Links a file, or copies it if it has too many names (65,000 on ext4), or if the disk has no links. True if it was
   * copied.
   */
  #linkOrCopy(from: string, path: string): boolean {
    try {
      linkSync(from, path);
      return false;
    } catch (error) {
      const code = errorCode(error);
      if (noLinks.includes(code)) this.#lacking.add('hard links');
      else if (code !== 'EMLINK' && code !== 'EXDEV') throw error;
    }
    copyBytes(from, path);
    return true;
  }

  /** Replaces another file of that name atomically. True if the file was copied. */
  #relink(existing: string, name: string): boolean {
    const path = this.#path(name);
    // A killed build may have left it.
    unlessMissing(() => unlinkSync(temporary(path)));
    const isCopied = this.#linkOrCopy(this.#at(existing), temporary(path));
    renameSync(temporary(path), path);
    // When both names belong to the same file, `rename` changes nothing and both names stay.
    if (existsSync(temporary(path))) unlinkSync(temporary(path));
    return isCopied;
  }

  /** When a file was last written, in milliseconds since 1970; null if there is none. */
  timeOf(name: string): number | null {
    return statSync(this.#at(name), { throwIfNoEntry: false })?.mtimeMs ?? null;
  }

  /** `instant` is ISO 8601. All names of the file share its modification time. */
  setTime(name: string, instant: string): void {
    const time = new Date(instant);
    utimesSync(this.#at(name), time, time);
  }

  /** Whether two names belong to the same file, or to files with the same bytes. */
  isSame(existing: string, name: string): boolean {
    const [from, path] = [this.#at(existing), this.#at(name)];
    const [a, b] = [unlessMissing(() => statSync(from)), unlessMissing(() => lstatSync(path))];
    if (!a || !b?.isFile()) return false;
    if (a.ino === b.ino && a.dev === b.dev) return true;
    return a.size === b.size && this.#digest(existing) === this.#digest(name);
  }

  /** Hashes a file, which may be larger than the memory. */
  #digest(name: string): string {
    const content = piecesDigest();
    this.readPieces(name, content.take);
    return content.reference().sha256;
  }

  /**
   * Makes or redirects a symbolic link atomically, on the disk too. On a disk without links, a file has the target.
   * `target` is relative to the link's folder.
   */
  pointTo(name: string, target: string): void {
    const path = this.#path(name);
    unlessMissing(() => unlinkSync(temporary(path)));
    try {
      symlinkSync(target, temporary(path));
    } catch (error) {
      if (!noLinks.includes(errorCode(error))) throw error;
      this.#lacking.add('symbolic links');
      writeFileSync(temporary(path), target, { flush: true });
    }
    renameSync(temporary(path), path);
    syncFolder(dirname(path));
  }

  /** Null if there is no link. */
  pointsTo(name: string): string | null {
    return unlessMissing(() => linkTarget(this.#at(name)));
  }

  /** All files below a folder, unordered; empty if there is no such folder. */
  list(folder: string): string[] {
    this.requireOwn(folder);
    const entries = unlessMissing(() => readdirSync(this.#at(folder), { withFileTypes: true })) ?? [];
    return entries.flatMap((entry) => {
      const name = `${folder}/${entry.name}`;
      return entry.isDirectory() ? this.list(name) : [name];
    });
  }

  /** Names directly in a folder. */
  entries(folder: string): string[] {
    this.requireOwn(folder);
    return unlessMissing(() => readdirSync(this.#at(folder))) ?? [];
  }

  exists(name: string): boolean {
    return existsSync(this.#at(name));
  }

  rename(name: string, to: string): void {
    this.requireOwn(name);
    renameSync(this.#at(name), this.#path(to));
    this.#forgetFolders();
  }

  /** Does nothing if there is no file. */
  remove(name: string): void {
    this.requireOwn(parentFolder(name));
    unlessMissing(() => unlinkSync(this.#at(name)));
  }

  /** Removes a file that marks others as unfinished. Flushes the others before, and the removal after. */
  removeMark(name: string): void {
    if (!this.exists(name)) return;
    this.flush();
    this.remove(name);
    syncFolder(dirname(this.#at(name)));
  }

  /** Removes a file, and the folders below `within` that it leaves empty. */
  removeName(name: string, within: string): void {
    this.remove(name);
    for (let folder = parentFolder(name); folder.length > within.length; folder = parentFolder(folder)) {
      try {
        rmdirSync(this.#at(folder));
      } catch (error) {
        if (['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(errorCode(error))) return;
        throw error;
      }
      this.#made.delete(folder);
    }
  }

  removeFolder(folder: string): void {
    this.requireOwn(parentFolder(folder));
    rmSync(this.#at(folder), { recursive: true, force: true });
    this.#forgetFolders();
  }

  /**
   * Throws a Failure if a folder, or one above it in the site, is a symbolic link. The target of a link can belong to
   * someone else, so nothing is written or deleted there.
   */
  requireOwn(folder: string): void {
    if (folder === '' || this.#madeFolders.has(folder)) return;
    this.requireOwn(parentFolder(folder));
    const path = this.#at(folder);
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
      throw new Failure(
        'folder_of_something_else',
        `${path}: expected a folder of the site, got a symbolic link; put the folder in its place`,
      );
    this.#madeFolders.add(folder);
  }

  /** Returns when everything that was written is safe from a power failure. */
  flush(): void {
    const { error, status, stderr } = spawnSync('sync', process.platform === 'linux' ? ['-f', this.#root] : [], {
      encoding: 'utf8',
    });
    if (error) {
      const reason = systemReason((error as NodeJS.ErrnoException).code ?? error.message);
      throw new Failure(
        'file',
        `${this.#root}: could not be flushed to the disk, because the program sync could not be started: ${reason}`,
      );
    }
    if (status !== 0) throw new Failure('file', `${this.#root}: could not be flushed to the disk: ${stderr.trim()}`);
  }

  /** Names are normalized already, and normalizing them again takes time. */
  #at(name: string): string {
    return `${this.#root}/${name}`;
  }

  #path(name: string): string {
    const folder = parentFolder(name);
    if (!this.#made.has(folder)) {
      this.requireOwn(folder);
      mkdirSync(this.#at(folder), { recursive: true });
      this.#made.add(folder);
    }
    return this.#at(name);
  }

  #forgetFolders(): void {
    this.#made.clear();
    this.#madeFolders.clear();
  }
}

function parentFolder(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf('/')));
}

function temporary(path: string): string {
  return `${path}.tmp`;
}

/** Error codes of systems that cannot make a link. */
const noLinks: readonly string[] = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/** Copies the bytes without the mode: some disks have no modes, and refuse to set one. */
function copyBytes(from: string, path: string): void {
  const [source, copy] = [openSync(from, 'r'), openSync(path, 'w')];
  try {
    const piece = new Uint8Array(pieceSize);
    for (let size = readSync(source, piece); size > 0; size = readSync(source, piece)) {
      for (let at = 0; at < size; ) at += namingFile(path, () => writeSync(copy, piece, at, size - at));
    }
  } finally {
    closeSync(source);
    closeSync(copy);
  }
}

/** Refuses a device or a pipe, which may never end. */
function refusePipe(path: string): void {
  const stats = statSync(path);
  if (!stats.isFile() && !stats.isDirectory())
    throw new Failure('file', `${path}: expected a file, got a pipe or a device`);
}

function unlessMissing<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
