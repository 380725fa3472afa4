import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';

/** Rows of a query's result, each value as text or null. */
export type Result = { readonly columns: readonly string[]; readonly rows: readonly (readonly (string | null)[])[] };

/** A separate DuckDB, in which queries find the files in a folder by name. */
export class Duckdb {
  readonly #connection: DuckDBConnection;

  private constructor(connection: DuckDBConnection) {
    this.#connection = connection;
  }

  static async open(folder: string): Promise<Duckdb> {
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    await connection.run(`SET file_search_path = '${folder}'`);
    return new Duckdb(connection);
  }

  async query(sql: string): Promise<Result> {
    const result = await this.#connection.runAndReadAll(sql);
    const rows = result.getRowsJson().map((row) => row.map((value) => (value === null ? null : String(value))));
    return { columns: result.columnNames(), rows };
  }
}

/** Runs a query in DuckDB on the files of a folder. Resolves with CSV with a header, as pages print it. */
export async function duckdbQuery(sql: string, folder: string): Promise<string> {
  return csvOf(await (await Duckdb.open(folder)).query(sql));
}

/** A result as CSV with a header. */
export function csvOf({ columns, rows }: Result): string {
  return [columns, ...rows].map((row) => `${row.map((value) => value ?? '').join(',')}\n`).join('');
}
