import { type Connection, firstValue, rowQuery } from './connection.ts';
import type { RowOf } from './schema.ts';
import { inserter } from './table-writers.ts';

/** The totals after a publication. Guards compare later publications with them. */
export type Totals = Omit<RowOf<'publication_total'>, 'publication'>;

/** How many earlier publications a guard compares with. */
export const comparedPublications = 20;

/** At most `count` publications before `sequence`, newest first. */
export function lastTotals(connection: Connection, sequence: number, count: number): Totals[] {
  return totalsFrom(connection, sequence - count, sequence);
}

/**
 * The totals that a guard compares a new publication with, newest first. They start at the newest publication that a
 * person accepted although the guard had stopped it: its changes are right.
 */
export function comparedTotals(connection: Connection, sequence: number, guard: string): Totals[] {
  return totalsFrom(connection, firstCompared(connection, sequence, guard), sequence);
}

/** How many products these publications' inventories asked for. Skips publications without an inventory. */
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

/** Also stores the guards that would have stopped the publication if nobody had accepted them. */
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
