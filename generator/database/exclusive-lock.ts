import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { explainFile, Failure } from '../failure.ts';

/**
 * Holds a file so that no other process can, until it is released or this process ends, however it ends: SQLite's
 * file locks are the operating system's. Returns null when somebody else holds it. Throws a Failure when it cannot be held
 * by anybody: it is something else than an empty file, or may not be written.
 */
export function acquireLock(file: string): { release: () => void } | null {
  const folder = dirname(file);
  explainFile(folder, 'a folder that can be written', () => makeFolder(folder));
  // What is no regular file might be waited for, or read as a database.
  const stats = explainFile(file, 'a lock file', () => statSync(file, { throwIfNoEntry: false }));
  if (stats && !stats.isFile())
    throw new Failure(`${file}: expected a lock file, got ${stats.isDirectory() ? 'a folder' : 'a device'}`);
  let connection: Database.Database | null = null;
  try {
    connection = new Database(file, { timeout: 0 });
    connection.pragma('journal_mode = OFF');
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

/** SQLite says that it could not, and not why. */
function explained(file: string, { code }: InstanceType<typeof Database.SqliteError>): Failure {
  if (code === 'SQLITE_NOTADB')
    return new Failure(`${file}: expected an empty lock file, got one with something in it`);
  const expected = 'a lock file that can be written';
  const isThere = statSync(file, { throwIfNoEntry: false }) !== undefined;
  explainFile(file, expected, () => accessSync(isThere ? file : dirname(file), constants.W_OK));
  return new Failure(`${file}: expected ${expected}, got ${code}`);
}

/** Asked to make a folder with its parents in one go, a read-only file system would say that something is missing. */
function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  mkdirSync(dirname(folder), { recursive: true });
  mkdirSync(folder);
}
