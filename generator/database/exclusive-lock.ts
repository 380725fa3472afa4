import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { explainFile, Failure } from '../failure.ts';

/**
 * Holds a file so that no other process can, until it is released or this process ends, however it ends: SQLite's
 * file locks are the operating system's. Returns null when somebody else holds it. Throws a Failure when the file
 * is something else or cannot be locked.
 */
export function acquireLock(file: string): { release: () => void } | null {
  const folder = dirname(file);
  explainFile(folder, 'a folder to write in', () => makeFolder(folder));
  let connection: Database.Database | undefined;
  try {
    connection = new Database(file, { timeout: 0 });
    connection.pragma('journal_mode = OFF');
    connection.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    connection?.close();
    if (!(error instanceof Database.SqliteError)) throw error;
    if (error.code.startsWith('SQLITE_BUSY')) return null;
    throw new Failure(
      `${file}: expected an empty file to lock, got one that cannot be: ${error.message}; move it away`,
    );
  }
  const locked = connection;
  return { release: () => locked.close() };
}

/** Asked to make a folder with its parents in one go, a read-only file system would say that something is missing. */
function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  mkdirSync(dirname(folder), { recursive: true });
  mkdirSync(folder);
}
