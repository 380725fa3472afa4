import type { Connection } from '../../generator/database/connection.ts';

/** All rows of every table of a database, in an order that does not depend on how they are stored. */
export function dumpOf(connection: Connection): Record<string, string[]> {
  const tables = connection
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'seal' ORDER BY name")
    .pluck()
    .all();
  return Object.fromEntries(tables.map((table) => [table, rowsOf(connection, table)]));
}

function rowsOf(connection: Connection, table: string): string[] {
  const rows = connection.prepare(`SELECT * FROM "${table}"`).raw().all();
  return rows.map((row) => JSON.stringify(row)).sort();
}
