import { createHash, type Hash } from 'node:crypto';
import type { Connection } from './connection.ts';
import { latestPublication } from './publications.ts';
import { tables } from './schema.ts';

/*
 * Digests of the rows that each publication wrote. The seal covers the whole file, so it cannot be written in the
 * transaction that it covers. The digests can, so they prove a database whose seal a killed process left broken.
 */

const digestBytes = 32;

/** Columns with the publication that brought a row. The first of these in a table counts. */
const bringers = ['corrected_by', 'first_publication', 'publication', 'sequence'];

/** The column that names the publication of a table's rows; null for tables whose rows belong to other rows. */
export function bringerOf({ columns }: (typeof tables)[number]): string | null {
  return bringers.find((name) => columns.some((one) => one.name === name)) ?? null;
}

/** Sets missing digests, in the transaction that changes the database. */
export function addRowDigests(connection: Connection): void {
  const last = latestPublication(connection)?.sequence ?? 0;
  removeRowDigests(connection, last);
  const stored = storedDigests(connection);
  let first = 1;
  while (stored.has(first)) first += 1;
  const insert = connection.prepare('INSERT OR REPLACE INTO seal (row, content) VALUES (?, ?)');
  for (const [sequence, digest] of rowDigests(connection, first, last)) insert.run(sequence + 1, digest);
}

export function removeRowDigests(connection: Connection, last: number): void {
  connection.prepare('DELETE FROM seal WHERE row > ? + 1').run(last);
}

/** The first publication whose rows changed; null if none. Publications of earlier versions lack digests and pass. */
export function firstChangedRows(connection: Connection): number | null {
  const stored = storedDigests(connection);
  const last = Math.max(0, ...stored.keys());
  const found = rowDigests(connection, 1, last);
  for (const [sequence, digest] of [...stored].sort(([a], [b]) => a - b)) {
    if (!found.get(sequence)?.equals(digest)) return sequence;
  }
  return null;
}

function storedDigests(connection: Connection): Map<number, Buffer> {
  const rows = connection.prepare<[], [number, Buffer]>('SELECT row - 1, content FROM seal WHERE row > 1').raw().all();
  return new Map(rows.filter(([, content]) => content.length === digestBytes));
}

/** Covers the rows that each publication added, and the keys of those that it closed. */
function rowDigests(connection: Connection, first: number, last: number): Map<number, Buffer> {
  const hashes = new Map<number, Hash>();
  for (let sequence = first; sequence <= last; sequence += 1) hashes.set(sequence, createHash('sha256'));
  if (hashes.size === 0) return new Map();
  for (const sql of queries) {
    const rows = connection.prepare<[number, number], unknown[]>(sql).raw().iterate(first, last);
    for (const hash of hashes.values()) hash.update('\n');
    for (const [sequence, ...values] of rows) {
      const hash = hashes.get(sequence as number);
      if (hash === undefined) throw new Error(`a query for other publications returned ${String(sequence)}`);
      hash.update(`${JSON.stringify(values)}\n`);
    }
  }
  return new Map([...hashes].map(([sequence, hash]) => [sequence, hash.digest()]));
}

/** Rows with the publication that they belong to first. A later publication only ever changes `last_publication`. */
const queries: readonly string[] = tables.flatMap((table) => {
  const { name, columns, primaryKey } = table;
  const names = columns.map((column) => column.name).filter((column) => column !== 'last_publication');
  const key = primaryKey.length > 0 ? primaryKey.join(', ') : 'rowid';
  if (bringerOf(table) === null && names.includes('scope')) {
    const used = 'SELECT DISTINCT publication, scope FROM retrieval WHERE publication BETWEEN ? AND ?';
    const order = `publication, ${key === 'rowid' ? 'scope' : key}`;
    return [`SELECT publication, ${names.join(', ')} FROM (${used}) JOIN ${name} USING (scope) ORDER BY ${order}`];
  }
  // The identity came with the first publication.
  const bringer = bringerOf(table) ?? '1';
  const within = (column: string) => `FROM ${name} WHERE ${column} BETWEEN ? AND ? ORDER BY ${column}, ${key}`;
  const added = `SELECT ${bringer}, ${names.join(', ')} ${within(bringer)}`;
  if (!columns.some((column) => column.name === 'last_publication')) return [added];
  return [added, `SELECT last_publication + 1, ${key} ${within('last_publication + 1')}`];
});
