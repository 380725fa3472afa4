import { type Connection, firstValue, rowQuery } from './connection.ts';
import type { RowOf } from './schema.ts';
import { inserter } from './table-writers.ts';

/** The totals after a publication, which guards compare later publications with. */
export type Totals = Omit<RowOf<'publication_total'>, 'publication'>;

/** How many publications a guard compares with. */
export const comparedPublications = 20;

/** The totals of at most `count` publications before `sequence`, newest first. */
export function lastTotals(connection: Connection, sequence: number, count: number): Totals[] {
  return totalsFrom(connection, sequence - count, sequence);
}

/**
 * The totals that a guard compares with, newest first. They start at the newest publication that a person accepted
 * although the guard had stopped it, because its changes are right.
 */
export function comparedTotals(connection: Connection, sequence: number, guard: string): Totals[] {
  return totalsFrom(connection, firstCompared(connection, sequence, guard), sequence);
}

/** How many products the inventories of those publications asked for; a publication without an inventory has none. */
export function comparedAttempts(connection: Connection, sequence: number, guard: string): number[] {
  return rowQuery<[number, number], { count: number }>(
    connection,
    'SELECT count(*) AS count FROM retrieval WHERE publication >= ? AND publication < ? GROUP BY publication',
  )(firstCompared(connection, sequence, guard), sequence).map(({ count }) => count);
}

function firstCompared(connection: Connection, sequence: number, guard: string): number {
  const accepted = 'SELECT max(publication) FROM accepted_guard WHERE guard = ? AND publication < ?';
  const since = firstValue<number | null>(connection, accepted, guard, sequence) ?? 0;
  return Math.max(since, sequence - comparedPublications);
}

function totalsFrom(connection: Connection, first: number, sequence: number): Totals[] {
  return rowQuery<[number, number], Totals>(
    connection,
    'SELECT * FROM publication_total WHERE publication >= ? AND publication < ? ORDER BY publication DESC',
  )(first, sequence);
}

/** Stores the totals of a publication, and the guards that would have stopped it if nobody had accepted them. */
export function insertTotals(
  connection: Connection,
  publication: number,
  totals: Totals,
  accepted: readonly string[],
): void {
  inserter(connection, 'publication_total')({ publication, ...totals });
  const insert = inserter(connection, 'accepted_guard');
  for (const guard of accepted) insert({ publication, guard });
}
