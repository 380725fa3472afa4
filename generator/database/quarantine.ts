import type { Connection } from './connection.ts';
import type { QuarantinedRow } from './publications.ts';

/** Rows that a publication set aside in one part of its snapshot, for one reason. */
export type SetAside = {
  readonly publication: number;
  readonly file: string;
  readonly reason: string;
  readonly rows: number;
};

/** All rows that were set aside, counted by publication, part and reason. */
export function rowsSetAside(connection: Connection): SetAside[] {
  return connection
    .prepare<[], SetAside>(`
      SELECT publication, file, reason, count(*) AS rows FROM quarantined_row
      GROUP BY publication, file, reason ORDER BY publication, file, rows DESC, reason`)
    .all();
}

/** A row that was set aside, with the publication that set it aside. */
export type StoredQuarantinedRow = QuarantinedRow & { readonly publication: number };

/** Every row that was set aside, by publication, part and line. */
export function quarantinedRows(connection: Connection): IterableIterator<StoredQuarantinedRow> {
  return connection
    .prepare<[], StoredQuarantinedRow>(`
      SELECT publication, file, line, reason, text FROM quarantined_row ORDER BY publication, file, line, rowid`)
    .iterate();
}
