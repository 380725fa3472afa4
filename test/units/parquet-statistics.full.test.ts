import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parquetMetadata } from 'hyparquet';
import { expect, test } from 'vitest';
import type { DailyRow } from '../../contract/columns/history-tables.ts';
import { describeTable, storedValue, tableColumns } from '../../contract/columns/parquet.ts';
import { usualProfile } from '../../contract/profile.ts';
import { ParquetTable } from '../../generator/tables/parquet.ts';
import { Pieces } from '../../generator/tables/pieces.ts';
import { type GroupColumns, TableFile } from '../../generator/tables/table-file.ts';
import { folderForFile } from '../support/temporary-folder.ts';

const folder = folderForFile();

const text = fc.string({ unit: fc.constantFrom('a', 'é', '\ufeff', '\uff01', '\u{1f378}', '\u0000'), maxLength: 20 });
const instant = fc.constantFrom('2025-01-01T00:00:00Z', '2025-01-01T00:00:00.123456Z');
const count = fc.option(fc.integer({ min: 0, max: 1e9 }));
const row: fc.Arbitrary<DailyRow> = fc.record({
  publication: fc.integer({ min: 1 }),
  publication_revision: fc.uuid(),
  published_at: instant,
  product_id: fc.uuid(),
  agency_sku: text,
  name: text,
  brand: fc.option(text),
  catalog_presence: fc.constantFrom('listed', 'absent'),
  price_amount_minor: count,
  status_code: text,
  lifecycle: fc.constantFrom('active', 'discontinued'),
  inventory_attempted: fc.boolean(),
  inventory_observed: fc.boolean(),
  inventory_retrieved_at: fc.option(instant),
  positive_store_count: count,
  reported_quantity: count,
});

test('values are read as they were written, from one table and from joined ones, with true statistics', async () => {
  const path = join(folder, 'daily.parquet');
  const header = (record_count: number) =>
    ({ resource: 'daily', schema_version: 1, record_count, fields: describeTable('daily', usualProfile) }) as const;
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 30 }), async (rows) => {
      const [single, joined] = [new Pieces(), new Pieces()];
      const table = new ParquetTable('daily', usualProfile, path, single.add);
      for (const one of rows) table.add(one);
      table.end(header(rows.length));
      const bytes = Uint8Array.from(single.bytes());
      writeFileSync(path, bytes);
      const file = new TableFile(path, bytes.length);
      const twice = new ParquetTable('daily', usualProfile, path, joined.add);
      expect(twice.hasColumnsOf(file)).toBe(true);
      twice.copyGroup(file, 0);
      twice.copyGroup(file, 0);
      twice.end(header(2 * rows.length));
      for (const [file, groups] of [
        [bytes, 1],
        [Uint8Array.from(joined.bytes()), 2],
      ] as const) {
        writeFileSync(path, file);
        const read = new TableFile(path, file.length);
        expect(read.groups).toEqual(Array(groups).fill(rows.length));
        for (let group = 0; group < groups; group += 1) {
          const columns = await read.readGroup(group);
          for (const { name, type, of } of tableColumns('daily', usualProfile)) {
            const got = Array.from(columns.get(name) ?? [], (value) => value ?? null);
            expect(got).toEqual(rows.map((one) => storedValue(type, of(one))));
          }
          expectBounds(file, group, columns);
        }
      }
    }),
    { seed: 14, numRuns: 25 },
  );
});

/** Readers with a filter skip a row group whose bounds exclude the value, so a wrong bound hides rows. */
function expectBounds(file: Uint8Array, group: number, columns: GroupColumns): void {
  const parsers = {
    timestampFromMicroseconds: (value: bigint) => value,
    stringFromBytes: (bytes: Uint8Array) => Buffer.from(bytes).toString(),
  };
  const { schema, row_groups } = parquetMetadata(file.slice().buffer, { parsers });
  for (const { meta_data } of row_groups[group]?.columns ?? []) {
    const [name = ''] = meta_data?.path_in_schema ?? [];
    const { min_value, max_value, null_count = 0n } = meta_data?.statistics ?? {};
    const values = Array.from(columns.get(name) ?? [], (value) => value ?? null);
    const { scale } = schema.find((element) => element.name === name) ?? {};
    for (const value of values) {
      if (value === null) continue;
      const decimal = scale === undefined ? value : Number(value) * 10 ** -scale;
      if (min_value !== undefined) expect(isBefore(decimal, min_value), `${name} below its least`).toBe(false);
      if (max_value !== undefined) expect(isBefore(max_value, decimal), `${name} above its greatest`).toBe(false);
    }
    if (meta_data?.statistics) expect(Number(null_count), name).toBe(values.filter((value) => value === null).length);
  }
}

/** Parquet orders text by its UTF-8 bytes. JavaScript orders text with surrogates differently. */
function isBefore(a: unknown, b: unknown): boolean {
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;
  return (a as number) < (b as number);
}
