// Prints the one value that a query gives in DuckDB. Plain JavaScript, so that its start takes no loader.
import { DuckDBInstance } from '@duckdb/node-api';

const connection = await (await DuckDBInstance.create(':memory:')).connect();
const answer = await connection.runAndReadAll(process.argv[2] ?? '');
console.log(String(answer.getRows()[0]?.[0]));
