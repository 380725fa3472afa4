import { type Connection, explainDatabase } from './connection.ts';
import { removeDatabase } from './database-file.ts';
import { blameDamage } from './integrity.ts';
import { latestPublication, type Publication } from './publications.ts';
import { tables } from './schema.ts';
import { breakSeal, seal } from './seal.ts';

/**
 * Takes back the last publication: the database is as it was before, row by row. Removes the file when no publication
 * is left. Returns the publication that was taken back, and the last one that is left: null when the database was
 * removed. Returns null when there is none to take back. `refuse` may throw to keep the publication that is about to
 * go.
 */
export function unpublishLast(connection: Connection, refuse: (last: Publication) => void) {
  try {
    return explainDatabase(connection.name, () => takeBack(connection, refuse));
  } catch (error) {
    throw blameDamage(connection, error);
  }
}

function takeBack(connection: Connection, refuse: (last: Publication) => void) {
  // SQLite tells another process that waits for this lock when the file is gone. So that process writes nothing.
  connection.exec('BEGIN EXCLUSIVE');
  try {
    const removed = latestPublication(connection);
    if (removed === null) return null;
    refuse(removed);
    if (removed.sequence === 1) {
      removeDatabase(connection);
      return { removed, latest: null };
    }
    for (const statement of statements) connection.prepare<{ last: number }>(statement).run({ last: removed.sequence });
    connection.exec(withoutUnusedScopes);
    breakSeal(connection);
    connection.exec('COMMIT');
    seal(connection);
    return { removed, latest: latestPublication(connection) };
  } finally {
    if (connection.inTransaction) connection.exec('ROLLBACK');
  }
}

/** Columns that tell which publication brought a row. The first one that a table has counts. */
const bringers = ['corrected_by', 'first_publication', 'publication', 'sequence'];

/**
 * Deletes the rows that the last publication brought, and opens the versions that it closed. It closed exactly those
 * that end with the publication before it.
 */
const statements: readonly string[] = tables.flatMap(({ name, columns }) => {
  const has = (column: string) => columns.some((one) => one.name === column);
  const bringer = bringers.find(has);
  const remove = bringer ? [`DELETE FROM ${name} WHERE ${bringer} = :last`] : [];
  const reopen = has('last_publication')
    ? [`UPDATE ${name} SET last_publication = NULL WHERE last_publication = :last - 1`]
    : [];
  return [...remove, ...reopen];
});

/** Every scope is one of a retrieval that succeeded, so a scope without one came with the last publication. */
const withoutUnusedScopes = `
  DELETE FROM inventory_scope WHERE scope NOT IN (SELECT scope FROM retrieval WHERE scope IS NOT NULL);
  DELETE FROM inventory_scope_store WHERE scope NOT IN (SELECT scope FROM inventory_scope)`;
