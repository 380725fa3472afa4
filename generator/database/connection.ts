import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { Failure } from '../failure.ts';
import { applicationId, createStatements, schemaVersion } from './schema.ts';

export type Connection = Database.Database;
export type Statement<Parameters extends unknown[] = unknown[], Row = unknown> = Database.Statement<Parameters, Row>;

const busyTimeout = 60_000;

/** Opens the publication database for publishing, and makes it when there is none. Fails on any other file. */
export function openForPublishing(file: string): Connection {
  const connection = open(file, {});
  connection.pragma('journal_mode = DELETE');
  connection.pragma('synchronous = FULL');
  connection.pragma('temp_store = FILE');
  connection.pragma('cache_size = -65536');
  if (isEmpty(connection)) {
    connection.transaction(() => {
      for (const statement of createStatements()) connection.exec(statement);
      connection.pragma(`application_id = ${applicationId}`);
      connection.pragma(`user_version = ${schemaVersion}`);
    })();
  }
  check(file, connection);
  return connection;
}

/** Opens the publication database read-only. Fails when there is none. */
export function openForReading(file: string): Connection {
  if (!existsSync(file)) throw new Failure(`no database at ${file}: expected one made by publish`);
  const connection = open(file, { readonly: true });
  connection.pragma('cache_size = -16384');
  check(file, connection);
  return connection;
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
