// Prints the single value that a DuckDB query returns. It is plain JavaScript, so that it starts without a loader.
import { DuckDBInstance } from '@duckdb/node-api';

const connection = await (await DuckDBInstance.create(':memory:')).connect();
const answer = await connection.runAndReadAll(process.argv[2] ?? '');
console.log(String(answer.getRows()[0]?.[0]));
