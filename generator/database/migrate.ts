import { closeSync, constants, copyFileSync, fsyncSync, openSync, rmSync } from 'node:fs';
import { Failure, systemReason } from '../failure.ts';
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
  try {
    return explainDatabase(file, () => migrate(connection, file, withBackup));
  } finally {
    connection.close();
  }
}

function migrate(connection: Connection, file: string, withBackup: boolean): Migration {
  // From here on no other process writes, so that the copy is of the database that is migrated.
  connection.exec('BEGIN IMMEDIATE');
  let backup: string | null = null;
  try {
    const from = schemaVersionOf(connection);
    if (from === schemaVersion) return { from, to: from, backup: null };
    requireWhole(connection);
    if (withBackup) backup = copyBeside(file, from);
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

function flush(file: string): void {
  const descriptor = openSync(file, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function copyBeside(file: string, version: number): string {
  const backup = `${file}.v${version}.bak`;
  try {
    copyFileSync(file, backup, constants.COPYFILE_EXCL);
    flush(backup);
    return backup;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === '') throw error;
    if (code !== 'EEXIST') rmSync(backup, { force: true });
    throw new Failure(
      `${backup}: expected to copy ${file} there first, got ${systemReason(code)}; move it away, or migrate with --no-backup`,
    );
  }
}
