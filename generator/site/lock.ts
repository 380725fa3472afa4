import { accessSync, constants, existsSync, mkdirSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { explainFile, Failure } from '../failure.ts';

const expected = 'a lock file that can be written';

/**
 * Holds a file so that no other process can, until it is released or this process ends, however it ends: SQLite's
 * file locks are the operating system's. Returns null when somebody else holds it. Throws a Failure when it cannot be held
 * by anybody: it is something else than an empty file, or may not be written.
 */
export function acquireLock(file: string): { release: () => void } | null {
  const folder = dirname(file);
  if (statsOf(folder)?.isDirectory() === false) throw new Failure(`${folder}: expected a folder, got a file`);
  makeFolder(folder);
  const stats = statsOf(file);
  // What is no regular file might be waited for; one that may not be written would be held by everybody at once.
  if (stats && !stats.isFile()) {
    throw new Failure(`${file}: expected a lock file, got ${stats.isDirectory() ? 'a folder' : 'a device'}`);
  }
  if (stats) explainFile(file, expected, () => accessSync(file, constants.W_OK));
  let connection: Database.Database | null = null;
  try {
    connection = new Database(file, { timeout: 0 });
    // No journal on the disk, which may be full.
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

/** SQLite says that it could not, and not why. */
function explained(file: string, { code }: InstanceType<typeof Database.SqliteError>): Failure {
  if (code === 'SQLITE_NOTADB')
    return new Failure(`${file}: expected an empty lock file, got one with something in it`);
  explainFile(file, expected, () => accessSync(dirname(file), constants.W_OK));
  return new Failure(`${file}: expected ${expected}, got ${code === 'SQLITE_FULL' ? 'ENOSPC' : code}`);
}

function statsOf(file: string): Stats | undefined {
  return explainFile(file, 'a folder that can be written', () => statSync(file, { throwIfNoEntry: false }));
}

/** Node says of a folder that it cannot make on a read-only disk that it is not there. */
function makeFolder(folder: string): void {
  let parent = folder;
  while (!existsSync(parent)) parent = dirname(parent);
  if (parent === folder) return;
  explainFile(parent, 'a folder that can be written', () => accessSync(parent, constants.W_OK));
  explainFile(folder, 'a folder that can be written', () => mkdirSync(folder, { recursive: true }));
}
