import { existsSync, lstatSync, realpathSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { Failure } from '../files/failure.ts';
import { useTemporaryFolder } from '../files/temporary-folder.ts';
import { busyTimeout, type Connection, explainDatabase, firstValue } from './connection.ts';
import { type CheckDepth, proveAndSeal, requireSealed } from './integrity.ts';
import { latestPublication } from './publications.ts';
import { applicationId, indexes, schemaVersion, tables } from './schema.ts';
import { createSeal, isUnsealed } from './seal.ts';
import { createStatement } from './table.ts';

/** Creates a missing database. Fails on any other file and on a damaged database, and leaves both as they are. */
export function openForPublishing(file: string, depth: CheckDepth = 'usual'): Connection {
  return opened(file, {}, (connection) => {
    connection.pragma('cache_size = -65536');
    prepareWrites(connection, depth);
  });
}

/** Fails if there is no database, or if it is damaged. */
export function openForChange(file: string): Connection {
  return opened(file, { fileMustExist: true }, (connection) => prepareWrites(connection, 'usual'));
}

function prepareWrites(connection: Connection, depth: CheckDepth): void {
  connection.pragma('journal_mode = DELETE');
  // Unlike FULL, this also syncs the removal of the journal. Otherwise a power failure could undo a transaction that
  // was reported.
  connection.pragma('synchronous = EXTRA');
  connection.pragma('temp_store = FILE');
  proveAndSeal(connection, depth);
}

/** Returns what `use` returns. A new database that holds no publication at the end is removed. */
export async function usePublicationDatabase<Result>(
  file: string,
  depth: CheckDepth,
  use: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const isNew = !existsSync(file);
  const connection = openForPublishing(file, depth);
  try {
    return await use(connection);
  } finally {
    if (isNew) removeUnpublished(connection);
    connection.close();
  }
}

/** Completes a database that a killed process left empty or without a seal. Fails if its content cannot be proved. */
export function sealLeftover(file: string): void {
  opened(file, {}, (connection) => {
    if (isUnsealed(connection)) prepareWrites(connection, 'usual');
  }).close();
}

/** Opens the database for queries. Fails if there is none, or if it is not what `publish` wrote. */
export function openSound(file: string): Connection {
  return opened(file, { fileMustExist: true }, (connection) => {
    prepareReads(connection);
    requireSealed(connection);
  });
}

/** Opens the database for queries, without checking its content. Fails if there is none. */
export function openForReading(file: string): Connection {
  // A `readonly` connection could not roll back the journal of a publish that was killed during its commit.
  return opened(file, { fileMustExist: true }, prepareReads);
}

function prepareReads(connection: Connection): void {
  connection.pragma('query_only = ON');
  connection.pragma('cache_size = -16384');
}

/** Checks the seal of an existing database, and returns what `use` reads. */
export function readDatabase<Result>(file: string, use: (connection: Connection) => Result): Result {
  return readAndClose(openSound(file), file, use);
}

/** Skips the seal, which this run has checked already: that hashes the whole file. */
export function readCheckedDatabase<Result>(file: string, use: (connection: Connection) => Result): Result {
  return readAndClose(openForReading(file), file, use);
}

function readAndClose<Result>(connection: Connection, file: string, use: (connection: Connection) => Result): Result {
  try {
    return explainDatabase(file, () => use(connection));
  } finally {
    connection.close();
  }
}

/** Other work gets a turn after this many copied pages. */
const pagesAtOnce = 10_000;

/**
 * Copies the database into a temporary folder, opens the copy for publishing, and returns what `use` returns. Without a
 * file, the copy is empty. The file itself is only read.
 */
export function useCopyOfDatabase<Result>(file: string, use: (copy: Connection) => Promise<Result>): Promise<Result> {
  return useTemporaryFolder(async (folder) => {
    const path = join(folder, 'copy.sqlite');
    if (existsSync(file)) await copy(file, path);
    const connection = openedAs(file, path);
    // The copy is worthless after a crash.
    connection.pragma('synchronous = OFF');
    connection.pragma('journal_mode = MEMORY');
    try {
      return await use(connection);
    } finally {
      connection.close();
    }
  });
}

/** A failure names the original, because nobody will find the copy, unless the copy's folder is the cause. */
function openedAs(file: string, path: string): Connection {
  try {
    return openForPublishing(path);
  } catch (error) {
    throw error instanceof Failure && error.code !== 'file'
      ? new Failure(error.code, error.message.replaceAll(path, file))
      : error;
  }
}

async function copy(file: string, path: string): Promise<void> {
  const source = openSound(file);
  try {
    await explainDatabase(path, () => source.backup(path, { progress: () => pagesAtOnce }));
  } finally {
    source.close();
  }
}

/**
 * Opens a file, creates the tables in an empty one unless it must exist, checks that it is a publication database, and
 * prepares it. After a failure, closes the file, and removes it if it is new.
 */
function opened(file: string, options: Database.Options, prepare: (connection: Connection) => void): Connection {
  const isNew = !existsSync(file);
  if (isNew && options.fileMustExist)
    throw new Failure('database_missing', `no database at ${file}: shelfpress publish creates it`);
  const connection = open(file, options);
  try {
    explainDatabase(file, () => {
      connection.pragma('schema_version');
      if (!options.fileMustExist && isEmpty(connection)) create(connection);
      check(file, connection);
      prepare(connection);
    });
    return connection;
  } catch (error) {
    if (isNew) removeUnpublished(connection);
    connection.close();
    throw error;
  }
}

/** better-sqlite3 opens no file for `:memory:` and for an empty name, and trims white space around a name. */
function open(file: string, options: Database.Options): Connection {
  if (file !== file.trimEnd())
    throw new Failure('file', `cannot open '${file}': expected a name that ends without white space`);
  try {
    return explainDatabase(file, () => new Database(resolve(file), { ...options, timeout: busyTimeout }));
  } catch (error) {
    if (error instanceof Failure || !(error instanceof Error)) throw error;
    throw new Failure('file', `cannot open ${file}: ${error.message}`);
  }
}

/** Removes the file of a database. A symbolic link to it stays, for the next database. */
export function removeDatabase({ name }: Connection): void {
  const link = lstatSync(name, { throwIfNoEntry: false });
  rmSync(link?.isSymbolicLink() ? realpathSync(name) : name, { force: true });
}

/** Removes a database without a publication, unless another process is publishing into it. */
function removeUnpublished(connection: Connection): void {
  if (connection.inTransaction) return;
  connection.pragma('busy_timeout = 0');
  try {
    // A process that has opened the file and waits for this lock learns from SQLite that the file is gone, and writes
    // nothing.
    connection.exec('BEGIN EXCLUSIVE');
    if (isEmpty(connection) || latestPublication(connection) === null) removeDatabase(connection);
    connection.exec('ROLLBACK');
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
  }
}

/** Creates the tables, unless another process has created them in the meantime. */
function create(connection: Connection): void {
  const createIfEmpty = connection.transaction(() => {
    if (!isEmpty(connection)) return;
    for (const statement of [...tables.map(createStatement), ...indexes]) connection.exec(statement);
    createSeal(connection);
    connection.pragma(`application_id = ${applicationId}`);
    connection.pragma(`user_version = ${schemaVersion}`);
  });
  createIfEmpty.immediate();
}

/** A file without tables but with more than one page is damaged or belongs to another program. */
function isEmpty(connection: Connection): boolean {
  if (Number(connection.pragma('page_count', { simple: true })) > 1) return false;
  return firstValue(connection, 'SELECT count(*) FROM sqlite_schema') === 0;
}

/** Fails if a file is not a publication database, or has another schema version. */
function check(file: string, connection: Connection): void {
  if (connection.pragma('application_id', { simple: true }) !== applicationId)
    throw new Failure('database_foreign', `${file} is not a publication database`);
  const version = connection.pragma('user_version', { simple: true });
  if (version === schemaVersion) return;
  throw new Failure(
    'database_foreign',
    `${file} has schema version ${version}: expected ${schemaVersion}; publish its snapshots again into a new database`,
  );
}
