import { text } from 'node:stream/consumers';
import { query } from 'chdb';

/* Answers a list of queries, which it reads as JSON, with a list of lists of rows. */

const queries = JSON.parse(await text(process.stdin));
const answers = queries.map((sql) => JSON.parse(query(sql, 'JSON')).data);
process.stdout.write(JSON.stringify(answers));
