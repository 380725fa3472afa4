import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { Failure } from '../failure.ts';
import { applicationId, createStatements, schemaVersion } from './schema.ts';

export type Connection = Database.Database;
export type Statement<Parameters extends unknown[] = unknown[], Row = unknown> = Database.Statement<Parameters, Row>;

const busyTimeout = 60_000;

/**
 * Opens the publication database for publishing, and makes it when there is none. Fails on any other file, and leaves
 * it as it is.
 */
export function openForPublishing(file: string): Connection {
  const connection = open(file, {});
  if (isEmpty(connection)) create(connection);
  check(file, connection);
  connection.pragma('journal_mode = DELETE');
  connection.pragma('synchronous = FULL');
  connection.pragma('temp_store = FILE');
  connection.pragma('cache_size = -65536');
  return connection;
}

/** Opens the publication database for queries alone. Fails when there is none. */
export function openForReading(file: string): Connection {
  if (!existsSync(file)) throw new Failure(`no database at ${file}: expected one made by publish`);
  // Not `readonly`: such a connection could not undo what a publish that was killed while it committed left behind.
  const connection = open(file, { fileMustExist: true });
  connection.pragma('query_only = ON');
  connection.pragma('cache_size = -16384');
  check(file, connection);
  return connection;
}

/** Begins the transaction of a publication. Fails when another process is publishing and does not end. */
export function beginPublication(connection: Connection): void {
  try {
    connection.exec('BEGIN IMMEDIATE');
  } catch (error) {
    if (!(error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY'))) throw error;
    throw new Failure(`${connection.name} is in use: another process has held it for ${busyTimeout / 1000} seconds`);
  }
}

function open(file: string, options: Database.Options): Connection {
  try {
    const connection = new Database(file, { ...options, timeout: busyTimeout });
    connection.pragma('schema_version');
    return connection;
  } catch (error) {
    throw new Failure(`cannot open ${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Makes the tables, unless another process has made them since. */
function create(connection: Connection): void {
  const createIfEmpty = connection.transaction(() => {
    if (!isEmpty(connection)) return;
    for (const statement of createStatements()) connection.exec(statement);
    connection.pragma(`application_id = ${applicationId}`);
    connection.pragma(`user_version = ${schemaVersion}`);
  });
  createIfEmpty.immediate();
}

function isEmpty(connection: Connection): boolean {
  return connection.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0;
}

function check(file: string, connection: Connection): void {
  const found = connection.pragma('application_id', { simple: true });
  const version = connection.pragma('user_version', { simple: true });
  if (found !== applicationId) throw new Failure(`${file} is not a publication database`);
  if (version !== schemaVersion) {
    throw new Failure(`${file} has schema version ${version}: expected ${schemaVersion}; publish its snapshots anew`);
  }
}
