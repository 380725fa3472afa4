import { DuckDBInstance } from '@duckdb/node-api';

/** Runs a query in DuckDB on the files of a folder. Resolves with CSV with a header, as pages print it. */
export async function duckdbQuery(sql: string, folder: string): Promise<string> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run(`SET file_search_path = '${folder}'`);
  const result = await connection.runAndReadAll(sql);
  const rows = [result.columnNames(), ...result.getRowsJson()];
  return rows.map((row) => `${row.map((value) => value ?? '').join(',')}\n`).join('');
}
