import { DuckDBInstance } from '@duckdb/node-api';

/** The rows that DuckDB, a reader of Parquet that is not ours, gives for a query. */
export async function query(sql: string): Promise<unknown[][]> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run("SET TimeZone = 'UTC'");
  return (await connection.runAndReadAll(sql)).getRowsJson() as unknown[][];
}

/** What DuckDB calls the types of columns. The others are texts. */
const duckTypes: Readonly<Record<string, string>> = {
  integer: 'BIGINT',
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
  'date-time': 'TIMESTAMPTZ',
  'array of string': 'VARCHAR[]',
};

/** An NDJSON file as DuckDB reads it with the types that its columns have. */
export function ndjson(file: string, columns: readonly { readonly name: string; readonly type: string }[]): string {
  const types = columns.map(({ name, type }) => `${name}: '${duckTypes[type.replace(' or null', '')] ?? 'VARCHAR'}'`);
  return `read_json('${file}', format = 'newline_delimited', columns = {record_type: 'VARCHAR', ${types.join(', ')}})`;
}
