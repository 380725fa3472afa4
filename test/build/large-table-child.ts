import { closeSync, openSync, writeSync } from 'node:fs';
import type { DailyRow } from '../../contract/formats/history-tables.ts';
import { usualProfile } from '../../contract/profile.ts';
import { ParquetTable } from '../../generator/site/encoding/parquet.ts';

/** Writes a table with many rows. `how`: `held` makes all rows before it adds the first. */
const [file = '', how = 'streamed'] = process.argv.slice(2);
const rows = 400_000;

function* makeRows(): Generator<DailyRow> {
  for (let number = 1; number <= rows; number += 1)
    yield {
      publication: number,
      publication_revision: 'revision',
      published_at: '2025-01-01T00:00:00Z',
      product_id: `product ${number}`,
      agency_sku: String(number).padStart(6, '0'),
      name: `name ${number}`,
      brand: null,
      catalog_presence: 'listed',
      price_amount_minor: number,
      status_code: '1',
      lifecycle: 'active',
      inventory_attempted: true,
      inventory_observed: true,
      inventory_retrieved_at: null,
      positive_store_count: null,
      reported_quantity: null,
    };
}

const descriptor = openSync(file, 'wx');
const table = new ParquetTable('daily_history', usualProfile, file, (bytes) => writeSync(descriptor, bytes));
table.beginRun(rows);
for (const row of how === 'held' ? [...makeRows()] : makeRows()) table.add(row);
table.end({ resource: 'daily', schema_version: 1, record_count: rows, fields: [] });
closeSync(descriptor);
process.stdout.write(`${table.rows} rows`);
