import { closeSync, openSync, writeSync } from 'node:fs';
import type { DailyRow } from '../../contract/columns/history-tables.ts';
import { usualProfile } from '../../contract/profile.ts';
import { ParquetTable } from '../../generator/tables/parquet.ts';
import { makeRow } from './large-table-row.ts';

/** Writes a table with many rows. `how`: `held` makes all rows before it adds the first. */
const [file = '', how = 'streamed'] = process.argv.slice(2);
const rows = 400_000;

function* makeRows(): Generator<DailyRow> {
  for (let number = 1; number <= rows; number += 1) yield makeRow(number);
}

const descriptor = openSync(file, 'wx');
const table = new ParquetTable('daily_history', usualProfile, file, (bytes) => writeSync(descriptor, bytes));
table.beginRun(rows);
for (const row of how === 'held' ? [...makeRows()] : makeRows()) table.add(row);
table.end({ resource: 'daily', schema_version: 1, record_count: rows, fields: [] });
closeSync(descriptor);
process.stdout.write(`${table.rows} rows`);
