import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';

/**
 * Holds a file so that no other process can, until it is released or this process ends, however it ends: SQLite's
 * file locks are the operating system's. Returns null when somebody else holds it.
 */
export function acquireLock(file: string): { release: () => void } | null {
  mkdirSync(dirname(file), { recursive: true });
  const connection = new Database(file, { timeout: 0 });
  try {
    connection.pragma('journal_mode = OFF');
    connection.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    connection.close();
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) return null;
    throw error;
  }
  return { release: () => connection.close() };
}
