import { createHash } from 'node:crypto';
import type { Connection } from './connection.ts';
import { tables } from './schema.ts';
import type { Table } from './table.ts';

/** Rows that are hashed at once. */
const rowsAtOnce = 1_000;

/**
 * The SHA-256 of what a database holds, in hex: the tables in the order of the schema, each as a line with its name and
 * columns and a line for each row, in the order of its key, all as JSON arrays. The bytes of a file depend on how it
 * came to be, such as in one `publish` or in several. This digest does not: whoever publishes the same snapshots gets
 * the same one.
 */
export function contentDigest(connection: Connection): string {
  const sha256 = createHash('sha256');
  const readAll = connection.transaction(() => {
    for (const table of tables) {
      sha256.update(jsonLine([table.name, ...table.columns.map(({ name }) => name)]));
      let lines: string[] = [];
      for (const row of orderedRows(connection, table)) {
        if (lines.push(jsonLine(row)) < rowsAtOnce) continue;
        sha256.update(lines.join(''));
        lines = [];
      }
      sha256.update(lines.join(''));
    }
  });
  readAll();
  return sha256.digest('hex');
}

/** A table without a key of several columns has either a key as its first column, or rows that its columns order. */
function orderedRows(connection: Connection, { name, columns, primaryKey }: Table): IterableIterator<unknown[]> {
  const names = columns.map((column) => column.name);
  const order = primaryKey.length > 0 ? primaryKey : names;
  return connection
    .prepare<[], unknown[]>(`SELECT ${names.join(', ')} FROM ${name} ORDER BY ${order.join(', ')}`)
    .raw()
    .iterate();
}

const jsonLine = (values: unknown[]) => `${JSON.stringify(values)}\n`;
