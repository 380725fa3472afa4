import type { Connection } from './connection.ts';

/** A row that was set aside, as it came. */
export type QuarantinedRow = {
  readonly file: string;
  readonly line: number | null;
  readonly reason: string;
  readonly text: string;
};

export function insertQuarantinedRows(
  connection: Connection,
  publication: number,
  rows: readonly QuarantinedRow[],
): void {
  const insert = connection.prepare('INSERT INTO quarantined_row VALUES (:publication, :file, :line, :reason, :text)');
  for (const row of rows) insert.run({ publication, ...row });
}
