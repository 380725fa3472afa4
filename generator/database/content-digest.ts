import { createHash } from 'node:crypto';
import type { Connection } from './connection.ts';
import { tables } from './schema.ts';
import type { Table } from './table.ts';

const rowsAtOnce = 1_000;

/**
 * The SHA-256 of the content of a database, in hex. It covers the tables in the order of the schema: a line with the
 * name and the columns, then a line for each row in the order of the key, all as JSON arrays. The file's bytes depend
 * on its history, such as how often `publish` ran. This digest does not: anyone who publishes the same snapshots gets
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

/** Without a composite key, the first column is the key, or all columns together order the table. */
function orderedRows(connection: Connection, { name, columns, primaryKey }: Table): IterableIterator<unknown[]> {
  const names = columns.map((column) => column.name);
  const order = primaryKey.length > 0 ? primaryKey : names;
  return connection
    .prepare<[], unknown[]>(`SELECT ${names.join(', ')} FROM ${name} ORDER BY ${order.join(', ')}`)
    .raw()
    .iterate();
}

const jsonLine = (values: unknown[]) => `${JSON.stringify(values)}\n`;
