import { closeSync, existsSync, openSync, readSync, rmSync } from 'node:fs';
import { explainFile, Failure, systemReason } from '../failure.ts';
import { replaceFile } from '../replace-file.ts';
import { type Connection, explainDatabase } from './connection.ts';
import { openForMigration, schemaVersionOf } from './database-file.ts';
import { requireSound, requireWhole } from './integrity.ts';
import { migrations } from './migrations.ts';
import { schemaVersion } from './schema.ts';

/** Schema versions before and after. `backup`: the copy of the file before; null when none was made. */
export type Migration = { readonly from: number; readonly to: number; readonly backup: string | null };

/**
 * Brings a database to the schema version of this program, in one transaction. Before that it checks the database and,
 * with `backup`, copies it to a file beside it. Afterwards it checks everything once more. A database that has the
 * version already stays as it is. On failure the database is as it was.
 */
export function migrateDatabase(file: string, { backup: withBackup }: { readonly backup: boolean }): Migration {
  const connection = openForMigration(file);
  // Closing any descriptor of the file would end the lock that SQLite holds on it. So the one that the copy reads from
  // stays open until the lock is not needed any more.
  const source = withBackup ? explainFile(file, 'a file that can be read', () => openSync(file, 'r')) : null;
  try {
    return explainDatabase(file, () => migrate(connection, file, source));
  } finally {
    if (source !== null) closeSync(source);
    connection.close();
  }
}

/** `source`: a descriptor of the file, to copy it from; null for no copy. */
function migrate(connection: Connection, file: string, source: number | null): Migration {
  // From here on no other process writes, so that the copy is of the database that is migrated.
  connection.exec('BEGIN IMMEDIATE');
  let backup: string | null = null;
  try {
    const from = schemaVersionOf(connection);
    if (from === schemaVersion) return { from, to: from, backup: null };
    requireWhole(connection);
    if (source !== null) backup = copyBeside(source, file, from);
    for (const statement of statementsFrom(from)) connection.exec(statement);
    connection.pragma(`user_version = ${schemaVersion}`);
    requireSound(connection, 'full');
    connection.exec('COMMIT');
    return { from, to: schemaVersion, backup };
  } catch (error) {
    if (backup !== null) rmSync(backup);
    throw error;
  } finally {
    if (connection.inTransaction) connection.exec('ROLLBACK');
  }
}

function statementsFrom(version: number): string[] {
  const steps = Array.from({ length: schemaVersion - version }, (_, index) => migrations[version + index]);
  return steps.flatMap((statements, index) => {
    if (!statements) throw new Error(`no migration from schema version ${version + index}`);
    return [...statements];
  });
}

/** Copies everything that a descriptor reads to a new file beside the database. A kill leaves no part of it. */
function copyBeside(source: number, file: string, version: number): string {
  const backup = `${file}.v${version}.bak`;
  if (existsSync(backup)) {
    throw new Failure(
      `${backup}: expected to copy ${file} there first, got ${systemReason('EEXIST')}; move it away, or migrate with --no-backup`,
    );
  }
  try {
    replaceFile(backup, (append) => {
      for (const piece of piecesOf(source)) append(piece);
    });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(`${error.message}; make that possible, or migrate with --no-backup`);
  }
  return backup;
}

const pieceSize = 1024 * 1024;

/** What a descriptor reads, from the start. The next piece takes the memory of the one before. */
function* piecesOf(source: number): Generator<Uint8Array> {
  const piece = Buffer.alloc(pieceSize);
  for (let position = 0; ; ) {
    const length = readSync(source, piece, 0, piece.length, position);
    if (length === 0) return;
    yield piece.subarray(0, length);
    position += length;
  }
}
