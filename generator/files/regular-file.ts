import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { explainFile, Failure } from './failure.ts';

/**
 * The bytes of a file that a person named. Throws a Failure when it is larger than `mostBytes`, or is not a regular
 * file: a device or a pipe may never end, and opening a pipe may wait forever.
 */
export function readRegularFile(file: string, expected: string, mostBytes: number): Buffer {
  const refuse = (what: string, got: string) => new Failure('file', `${file}: expected ${what}, got ${got}`);
  return explainFile(file, expected, () => {
    const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const stats = fstatSync(descriptor);
      if (!stats.isFile()) throw refuse(expected, stats.isDirectory() ? 'a folder' : 'a pipe or a device');
      if (stats.size > mostBytes) throw refuse(`${expected} of at most ${mostBytes} bytes`, `one of ${stats.size}`);
      const bytes = Buffer.alloc(stats.size);
      return bytes.subarray(0, readSync(descriptor, bytes));
    } finally {
      closeSync(descriptor);
    }
  });
}

/** Throws a Failure when other users may use a file. Windows has no file modes. */
export function refuseShared(file: string): void {
  const { mode } = statSync(file);
  if (process.platform === 'win32' || (mode & 0o077) === 0) return;
  const octal = (mode & 0o777).toString(8).padStart(3, '0');
  throw new Failure('file', `${file}: expected a file that only its owner may use, got mode ${octal}; chmod 600 it`);
}

/** The first bytes of a regular file, at most `count`. */
export function firstBytes(file: string, count: number): Buffer {
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const bytes = Buffer.alloc(count);
    return bytes.subarray(0, readSync(descriptor, bytes));
  } finally {
    closeSync(descriptor);
  }
}
