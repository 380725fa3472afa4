// Reads the Parquet files in a folder with DuckDB, on one thread, and writes each again. It is plain JavaScript, so
// that it starts without a loader.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';

const [folder = '', target = ''] = process.argv.slice(2);
const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
for (const name of readdirSync(folder)) {
  const [from, to] = [folder, target].map((parent) => join(parent, name).replaceAll("'", "''"));
  await connection.run(
    `COPY (FROM read_parquet('${from}')) TO '${to}' (FORMAT parquet, COMPRESSION gzip, ROW_GROUP_SIZE 20000)`,
  );
}
