import type { Connection } from './connection.ts';

/** A row of `correction`. `publication` and `corrected_by` are sequences. */
export type CorrectionRow = {
  readonly publication: number;
  readonly corrected_by: number;
  readonly reason: string;
};

/** Every statement that publications up to `sequence` made, oldest first. */
export function correctionsUpTo(connection: Connection, sequence: number): CorrectionRow[] {
  return connection
    .prepare<[number], CorrectionRow>(
      'SELECT publication, corrected_by, reason FROM correction WHERE corrected_by <= ? ORDER BY corrected_by, publication',
    )
    .all(sequence);
}

export function insertCorrections(connection: Connection, rows: readonly CorrectionRow[]): void {
  const insert = connection.prepare('INSERT INTO correction VALUES (:publication, :corrected_by, :reason)');
  for (const row of rows) insert.run(row);
}
