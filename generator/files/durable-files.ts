import {
  accessSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { explainFile, Failure, systemReason } from './failure.ts';

/*
 * Whatever a command reports as done must survive a power failure. Only this file, a site's storage and SQLite write
 * files, always in the same order: the content, the name of the file, then the folder that holds the name. Each
 * function returns when its change is on the disk, so the next step can rely on it.
 */

const writableFile = 'a file that can be written';
const writableFolder = 'a folder that can be written';

export type Write<Result> = (append: (content: string | Uint8Array) => void) => Result;

/**
 * Writes a file under a temporary name, and renames it when it is complete. A reader finds either the old file or the
 * new one, even after a kill or a power failure. `write` gets a function that appends text or bytes. Throws a Failure
 * when the system refuses to write.
 */
export function replaceFile<Result>(file: string, write: Write<Result>): Result {
  return writeAside(file, 0o666, write, () => undefined);
}

/** Like {@link replaceFile}, with a mode, and with a last check before the file gets its name. */
export function writeAside<Result>(file: string, mode: number, write: Write<Result>, check: () => void): Result {
  const temporary = `${file}.tmp`;
  // A killed run leaves the temporary file. A link with its name must not be followed.
  if (isThere(temporary)) explainFile(temporary, writableFile, () => unlinkSync(temporary));
  const descriptor = explainFile(file, writableFile, () => openSync(temporary, 'wx', mode));
  try {
    let result: Result;
    try {
      result = write((content) => explainFile(file, writableFile, () => writeFileSync(descriptor, content)));
      explainFile(file, writableFile, () => fsyncSync(descriptor));
    } finally {
      closeSync(descriptor);
    }
    check();
    explainFile(file, writableFile, () => renameSync(temporary, file));
    syncFolder(dirname(file));
    return result;
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Whether a path exists, even as a link to nothing. */
export function isThere(file: string): boolean {
  return explainFile(file, writableFile, () => lstatSync(file, { throwIfNoEntry: false })) !== undefined;
}

/**
 * Makes a folder, and the missing folders above it. Throws a Failure when the system refuses. Node's recursive `mkdir`
 * never ends in /proc, where no folder can be made, and reports ENOENT on a read-only disk.
 */
export function makeFolder(folder: string): void {
  const missing: string[] = [];
  let parent = folder;
  for (; !existsSync(parent); parent = dirname(parent)) missing.unshift(parent);
  if (!explainFile(parent, writableFolder, () => statSync(parent)).isDirectory()) {
    throw new Failure('file', `${folder}: expected ${writableFolder}, got ${systemReason('ENOTDIR')}`);
  }
  if (missing.length === 0) return;
  explainFile(parent, writableFolder, () => accessSync(parent, constants.W_OK));
  for (const one of missing) {
    explainFile(one, writableFolder, () => makeOne(one));
    syncFolder(dirname(one));
  }
}

/** Makes a folder, unless another process has just made it. */
function makeOne(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/** Renames a file or a folder, and syncs the folders that it leaves and enters. */
export function moveFile(from: string, to: string): void {
  explainFile(to, writableFolder, () => renameSync(from, to));
  syncFolder(dirname(to));
  if (dirname(from) !== dirname(to)) syncFolder(dirname(from));
}

/** Removes a file or a folder, if it exists. */
export function removeFile(path: string): void {
  explainFile(path, 'a file that can be removed', () => rmSync(path, { recursive: true, force: true }));
  if (existsSync(dirname(path))) syncFolder(dirname(path));
}

/** Copies a file or a folder to a new name. Symbolic links become copies of their targets. */
export function copyWithoutLinks(from: string, to: string): void {
  makeFolder(dirname(to));
  explainFile(from, 'files that can be read', () => copyTo(from, to));
  syncAll(to);
  syncFolder(dirname(to));
}

/** Copies file by file, because Node's `cp` keeps links inside a folder. */
function copyTo(from: string, to: string): void {
  const stats = statSync(from);
  if (stats.isDirectory()) {
    mkdirSync(to);
    for (const name of readdirSync(from)) copyTo(join(from, name), join(to, name));
  } else if (stats.isFile()) copyFileSync(from, to, constants.COPYFILE_EXCL);
  else throw new Failure('file', `${from}: expected a file or a folder, got a pipe or a device`);
  utimesSync(to, stats.atime, stats.mtime);
}

/** Returns when a file, or a folder and everything in it, is on the disk. Its own name may not be there yet. */
export function syncAll(path: string): void {
  if (explainFile(path, 'a file that can be read', () => statSync(path)).isDirectory())
    for (const name of readdirSync(path)) syncAll(join(path, name));
  sync(path);
}

/** Returns when everything that was made, renamed and removed in a folder is on the disk. */
export function syncFolder(folder: string): void {
  sync(folder);
}

function sync(path: string): void {
  explainFile(path, 'a file or folder that can be read', () => {
    const descriptor = openSync(path, constants.O_RDONLY);
    try {
      fsyncSync(descriptor);
    } catch (error) {
      // Some network file systems cannot sync a folder. Their server syncs every change.
      if ((error as NodeJS.ErrnoException).code !== 'EINVAL') throw error;
    } finally {
      closeSync(descriptor);
    }
  });
}
