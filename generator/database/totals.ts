import { type Connection, firstValue, rowQuery } from './connection.ts';
import type { RowOf } from './schema.ts';
import { inserter } from './table-writers.ts';

/** Totals after a publication. Later publications are compared with them. */
export type Totals = Omit<RowOf<'publication_total'>, 'publication'>;

/** How many publications a total is compared with. */
export const comparedPublications = 20;

/** The totals of the last publications before one, newest first, at most so many. */
export function lastTotals(connection: Connection, sequence: number, count: number): Totals[] {
  return totalsFrom(connection, sequence - count, sequence);
}

/**
 * The totals of the last publications that a guard compares with, newest first. They begin with the newest one that a
 * person published although this guard stopped it: what it changed is as it should be.
 */
export function comparedTotals(connection: Connection, sequence: number, guard: string): Totals[] {
  const accepted = 'SELECT max(publication) FROM accepted_guard WHERE guard = ? AND publication < ?';
  const since = firstValue<number | null>(connection, accepted, guard, sequence) ?? 0;
  return totalsFrom(connection, Math.max(since, sequence - comparedPublications), sequence);
}

function totalsFrom(connection: Connection, first: number, sequence: number): Totals[] {
  return rowQuery<[number, number], Totals>(
    connection,
    'SELECT * FROM publication_total WHERE publication >= ? AND publication < ? ORDER BY publication DESC',
  )(first, sequence);
}

/** Keeps the totals of a publication, and the guards that would have stopped it, had they not been accepted. */
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
