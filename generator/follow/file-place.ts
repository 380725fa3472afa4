import { fstatSync, lstatSync, readlinkSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { explainFile, Failure } from '../failure.ts';

/**
 * The one name of a file, whatever links lead to it, so that two runs know that it is the same. It need not be there yet.
 * Throws a Failure when it is something else than a regular file; `purpose` is for the message.
 */
export function regularFile(file: string, purpose: string): string {
  const stats = statsOf(file, purpose);
  if (stats && !stats.isFile()) throw new Failure(`${file}: expected ${purpose}, got ${kindOf(stats)}`);
  return explainFile(file, purpose, () => realName(file));
}

/** Whether a file is one that takes what is written and keeps nothing: a FIFO, a terminal, `/dev/stdout`. */
export function isStream(file: string): boolean {
  const stats = statsOf(file, 'a file to append to');
  return stats !== null && !stats.isFile() && !stats.isDirectory();
}

/** Whether a file is what this process has as standard output. */
export function isStandardOutput(file: string): boolean {
  const [named, own] = [statSync(file), fstatSync(1)];
  return named.dev === own.dev && named.ino === own.ino && named.rdev === own.rdev;
}

function realName(file: string): string {
  try {
    return realpathSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  if (isLink) return realName(resolve(realpathSync(dirname(file)), readlinkSync(file)));
  return join(realpathSync(dirname(file)), basename(file));
}

function statsOf(file: string, purpose: string): Stats | null {
  return explainFile(file, purpose, () => statSync(file, { throwIfNoEntry: false }) ?? null);
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFIFO()) return 'a FIFO';
  return 'a device or a socket';
}
