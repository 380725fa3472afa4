import { openForReading } from '../../generator/database/database-file.ts';
import { removeRowDigests } from '../../generator/database/row-digests.ts';
import { breakSeal, seal } from '../../generator/database/seal.ts';

/** Edits a database as a faulty `publish` would have written it: with a seal, and without proofs of its rows. */
export function editDatabase(file: string, sql: string): void {
  const connection = openForReading(file);
  connection.pragma('query_only = OFF');
  connection.exec(sql);
  removeRowDigests(connection, 0);
  seal(connection);
  connection.close();
}

/** Leaves a database as a `publish` leaves it that is killed before it seals its publication, then edits it. */
export function breakSealOf(file: string, sql = ''): void {
  const connection = openForReading(file);
  connection.pragma('query_only = OFF');
  breakSeal(connection);
  connection.exec(sql);
  connection.close();
}
