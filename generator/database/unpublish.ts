import { type Connection, explainDatabase } from './connection.ts';
import { removeDatabase } from './database-file.ts';
import { blameDamage } from './integrity.ts';
import { latestPublication, type Publication } from './publications.ts';
import { bringerOf, removeRowDigests } from './row-digests.ts';
import { tables } from './schema.ts';
import { breakSeal, seal } from './seal.ts';

/**
 * Takes back the last publication and restores the rows from before it. Removes the file if no publication is left.
 * `refuse` may throw to keep the publication.
 *
 * Returns the publication that was taken back, and the latest one left, or null if the file was removed. Returns null
 * if there is no publication to take back.
 */
export function unpublishLast(connection: Connection, refuse: (last: Publication) => void) {
  try {
    return explainDatabase(connection.name, () => takeBack(connection, refuse));
  } catch (error) {
    throw blameDamage(connection, error);
  }
}

function takeBack(connection: Connection, refuse: (last: Publication) => void) {
  // A process that waits for this lock learns from SQLite when the file is gone, and writes nothing.
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
    removeRowDigests(connection, removed.sequence - 1);
    connection.exec('COMMIT');
    seal(connection);
    return { removed, latest: latestPublication(connection) };
  } finally {
    if (connection.inTransaction) connection.exec('ROLLBACK');
  }
}

/** Deletes the rows of the last publication, and reopens versions that end with the publication before it. */
const statements: readonly string[] = tables.flatMap((table) => {
  const { name, columns } = table;
  const bringer = bringerOf(table);
  const remove = bringer ? [`DELETE FROM ${name} WHERE ${bringer} = :last`] : [];
  const reopen = columns.some((column) => column.name === 'last_publication')
    ? [`UPDATE ${name} SET last_publication = NULL WHERE last_publication = :last - 1`]
    : [];
  return [...remove, ...reopen];
});

/** Every scope belongs to a successful retrieval, so a scope without one came with the last publication. */
const withoutUnusedScopes = `
  DELETE FROM inventory_scope WHERE scope NOT IN (SELECT scope FROM retrieval WHERE scope IS NOT NULL);
  DELETE FROM inventory_scope_store WHERE scope NOT IN (SELECT scope FROM inventory_scope)`;
