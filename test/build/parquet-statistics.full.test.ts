import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parquetMetadata, type Statistics } from 'hyparquet';
import { afterAll, expect, test } from 'vitest';
import { tableColumns } from '../../generator/contract/formats/parquet.ts';
import { StoredValues } from '../../generator/contract/formats/parquet-storage.ts';
import { joinTables, ParquetTable } from '../../generator/encode/parquet.ts';
import { changesHeader } from '../../generator/resources/change-pieces.ts';
import { type GroupColumns, TableFile } from '../../generator/site/table-file.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();
afterAll(() => removeFolder(folder));

const text = fc.string({ unit: fc.constantFrom('a', 'é', '\ufeff', '\uff01', '\u{1f378}', '\u0000'), maxLength: 20 });
const record = fc.record({
  number: fc.integer({ min: 1 }),
  id: fc.uuid(),
  product_name: text,
  brand: fc.option(text),
  presentation_fields: fc.option(fc.array(text, { maxLength: 3 })),
  previous_price_minor: fc.option(fc.integer({ min: 0, max: 1e9 })),
  retrieved_at: fc.constantFrom('2025-01-01T00:00:00Z', '2025-01-01T00:00:00.123456Z'),
  upstream_age_known: fc.boolean(),
  change: fc.record({ name: text }),
});

const nothing = Object.fromEntries(
  tableColumns('changes').map(({ name, isNullable, type }) => [
    name,
    isNullable ? null : type === 'date-time' ? '2025-01-01T00:00:00Z' : '0',
  ]),
);

test('what the writer stores, alone and joined, is read as it was, and its statistics are true', async () => {
  const path = join(folder, 'changes.parquet');
  const values = new StoredValues();
  await fc.assert(
    fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 30 }), async (records) => {
      const full = records.map((fields) => ({ ...nothing, ...fields }));
      const table = new ParquetTable('changes');
      for (const one of full) table.add(one);
      const bytes = table.end(changesHeader(full.length));
      for (const [file, groups] of [
        [bytes, 1],
        [joinTables('changes', [bytes, bytes], changesHeader(2 * full.length)), 2],
      ] as const) {
        writeFileSync(path, file);
        const read = new TableFile(path, file.length);
        expect(read.groups).toEqual(Array(groups).fill(full.length));
        for (let group = 0; group < groups; group += 1) {
          const columns = await read.readGroup(group);
          for (const column of tableColumns('changes')) {
            const got = Array.from(columns.get(column.name) ?? [], (value) => value ?? null);
            expect(got).toEqual(full.map((one) => values.of(column, one)));
          }
          expect(problemOfBounds(file, group, columns)).toBe(null);
        }
      }
    }),
    { seed: 14, numRuns: 60 },
  );
});

/** What is wrong with the statistics of a row group; null for nothing. */
function problemOfBounds(file: Uint8Array, group: number, columns: GroupColumns): string | null {
  const parsers = {
    timestampFromMicroseconds: (value: bigint) => value,
    stringFromBytes: (bytes: Uint8Array) => Buffer.from(bytes).toString(),
  };
  const { schema, row_groups } = parquetMetadata(file.slice().buffer, { parsers });
  for (const { meta_data } of row_groups[group]?.columns ?? []) {
    const [name = '', ...inList] = meta_data?.path_in_schema ?? [];
    if (!meta_data?.statistics) continue;
    const { null_count: _, ...bounds } = meta_data.statistics;
    // Those of a list count what is in it.
    const checked = inList.length > 0 ? bounds : meta_data.statistics;
    const { scale } = schema.find((element) => element.name === name) ?? {};
    const problem = boundsProblem(checked, columns.get(name) ?? [], scale);
    if (problem) return `${name}: ${problem}`;
  }
  return null;
}

/**
 * What is wrong with the statistics of a column chunk; null for nothing. Readers that filter skip a row group whose bounds
 * exclude what they look for, so a wrong bound hides rows. `values`: those of the column as stored; null may be undefined.
 * `scale`: digits after the point of a decimal, whose bounds are numbers.
 */
function boundsProblem(
  { min_value, max_value, null_count }: Statistics,
  values: ArrayLike<unknown>,
  scale: number | undefined,
): string | null {
  const isBefore = orderOf(min_value, max_value);
  let nulls = 0n;
  let last: unknown;
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] ?? null;
    if (value === null) nulls += 1n;
    if (value === null || value === last) continue;
    last = value;
    for (const one of Array.isArray(value) ? value : [value]) {
      const own = scale === undefined ? one : Number(one) * 10 ** -scale;
      if (min_value !== undefined && isBefore(own, min_value)) return `a value below their least, ${min_value}`;
      if (max_value !== undefined && isBefore(max_value, own)) return `a value above their greatest, ${max_value}`;
    }
  }
  return null_count === undefined || null_count === nulls ? null : `${null_count} nulls in place of ${nulls}`;
}

type Order = (a: unknown, b: unknown) => boolean;

/** Parquet orders text by its bytes in UTF-8. JavaScript orders it otherwise where a text has surrogates. */
function orderOf(...bounds: readonly unknown[]): Order {
  const isPlain = !bounds.some((bound) => typeof bound === 'string' && surrogates.test(bound));
  return (a, b) => {
    if (typeof a !== 'string' || typeof b !== 'string') return (a as number) < (b as number);
    if (isPlain && !surrogates.test(a) && !surrogates.test(b)) return a < b;
    return Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;
  };
}

const surrogates = /[\ud800-\udfff]/;
