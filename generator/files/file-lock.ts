import { accessSync, closeSync, constants, openSync, type Stats, statSync, unlinkSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { makeFolder } from './durable-files.ts';
import { explainFile, Failure, systemReason } from './failure.ts';

/** The file in a site's folder that a build locks. */
export const buildLock = 'build.lock';

const expected = 'a lock file that can be written';
const wayOut = 'move it away if it is yours, or delete it: the next run makes its own';

/**
 * Locks a file until the lock is released or this process ends, however it ends. SQLite takes the lock as a file lock
 * of the operating system. Returns null when the file is already locked. Throws a Failure when the file cannot be a
 * lock, because it is not empty or cannot be written.
 */
export function acquireLock(file: string): { release: () => void } | null {
  const folder = dirname(file);
  if (readStats(folder)?.isDirectory() === false) throw new Failure('file', `${folder}: expected a folder, got a file`);
  makeFolder(folder);
  const stats = readStats(file);
  // Opening anything but a regular file can block. A lock on a file that cannot be written does not exclude others.
  if (stats && !stats.isFile()) {
    const got = stats.isDirectory() ? 'a folder' : 'a pipe or a device';
    throw new Failure('file', `${file}: expected a lock file, got ${got}; ${wayOut}`);
  }
  if (stats && isRefused(file)) {
    throw new Failure('file', `${file}: expected ${expected}, got ${systemReason('EACCES')}; ${wayOut}`);
  }
  let connection: Database.Database | null = null;
  try {
    connection = new Database(resolve(file), { timeout: 0 });
    // Keeps the journal off the disk, because the disk may be full.
    connection.pragma('journal_mode = MEMORY');
    connection.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    connection?.close();
    if (!(error instanceof Database.SqliteError)) throw error;
    if (error.code.startsWith('SQLITE_BUSY')) return null;
    throw explained(file, error);
  }
  const held = connection;
  return { release: () => held.close() };
}

/** Whether this user may not write a file. Throws a Failure when nobody may. */
function isRefused(file: string): boolean {
  try {
    accessSync(file, constants.W_OK);
    return false;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') return true;
    return explainFile(file, expected, () => {
      throw error;
    });
  }
}

/**
 * Locks a name that a file is about to get, by a lock file beside it. The lock file exists only while the lock is held,
 * or after a kill. It is removed before it is released, so another run can end up with a lock on a removed file. Such a
 * lock excludes nobody, and the run tries again. Returns null when the name is already locked.
 */
export function lockName(file: string): { release: () => void } | null {
  const beside = `${file}.lock`;
  for (;;) {
    closeSync(explainFile(file, 'a file that can be written', () => openSync(beside, 'a')));
    const { ino } = readStats(beside) ?? {};
    const lock = acquireLock(beside);
    if (lock === null) return null;
    if (ino !== undefined && readStats(beside)?.ino === ino) {
      return {
        release: () => {
          unlinkSync(beside);
          lock.release();
        },
      };
    }
    lock.release();
  }
}

/** The Failure for an error of SQLite, with the reason that SQLite itself often does not give. */
function explained(file: string, { code }: InstanceType<typeof Database.SqliteError>): Failure {
  if (code === 'SQLITE_NOTADB')
    return new Failure('file', `${file}: expected an empty lock file, got one with content; ${wayOut}`);
  explainFile(file, expected, () => accessSync(dirname(file), constants.W_OK));
  return new Failure('file', `${file}: expected ${expected}, got ${code === 'SQLITE_FULL' ? 'ENOSPC' : code}`);
}

function readStats(file: string): Stats | undefined {
  return explainFile(file, 'a folder that can be written', () => statSync(file, { throwIfNoEntry: false }));
}
