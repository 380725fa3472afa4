import fc from 'fast-check';
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer';
import { expect, test } from 'vitest';
import { headerKey, tableColumns } from '../../generator/contract/formats/parquet.ts';
import { StoredValues, schemaOf } from '../../generator/contract/formats/parquet-storage.ts';
import { gzipWhole } from '../../generator/encode/compression.ts';
import { ParquetTable, type RowPart } from '../../generator/encode/parquet.ts';
import { WrittenColumns } from '../../generator/encode/written-columns.ts';
import { changesHeader } from '../../generator/resources/change-pieces.ts';

const text = fc.constantFrom('', 'a', 'é', '\ufeffb', '\uff01', '\u{1f378}', 'a text that is longer than the bounds');
const cents = fc.option(fc.integer({ min: -5, max: 5 }));

const product = fc.record({ product_id: fc.uuid(), agency_sku: text, product_name: text, brand: fc.option(text) });
const change = fc.record({
  type: text,
  presentation_fields: fc.option(fc.array(text, { maxLength: 3 })),
  previous_price_minor: cents,
  current_price_minor: cents,
  change: fc.record({ name: text }),
});
const own = fc.record({
  number: fc.integer({ min: 1 }),
  id: fc.uuid(),
  retrieved_at: fc.constantFrom('2025-01-01T00:00:00Z', '2025-01-01T00:00:00.123456Z'),
  upstream_age_known: fc.boolean(),
});

const columns = tableColumns('changes');

const ofType: Readonly<Record<string, unknown>> = {
  boolean: false,
  'date-time': '2025-01-01T00:00:00Z',
  'uuid bytes': '7f5a3b1e-3a1c-5b8e-9f5d-0d8f2f6f1c11',
};

/** Values of the columns that vary in no row. */
const rest = Object.fromEntries(
  columns.map(({ from, isNullable, type }) => [from, isNullable ? null : (ofType[type] ?? '0')]),
);

/** Rows in parts. Few products and changes are in many rows. */
const rows = fc
  .tuple(fc.array(product, { minLength: 1, maxLength: 4 }), fc.array(change, { minLength: 1, maxLength: 12 }))
  .chain(([products, changes]) =>
    fc.array(fc.tuple(own, fc.constantFrom(...products), fc.constantFrom(...changes)), {
      minLength: 1,
      maxLength: 60,
    }),
  );

type Row = readonly RowPart[];

function fileOf(some: readonly Row[], written: WrittenColumns | null = null): Uint8Array {
  const table = new ParquetTable('changes', written);
  for (const parts of some) table.add(...parts, rest);
  return table.end(changesHeader(some.length));
}

test('rows in parts make the file that the writer makes of whole columns', () => {
  const values = new StoredValues();
  fc.assert(
    fc.property(rows, (some) => {
      const records = some.map((parts) => Object.assign({ ...rest }, ...parts));
      const columnData: ColumnSource[] = columns.map((column) => ({
        name: column.name,
        data: records.map((record) => values.of(column, record)),
        offsetIndex: false,
        ...(column.type === 'uuid bytes' ? { codec: 'UNCOMPRESSED' } : {}),
      }));
      const expected = parquetWriteBuffer({
        columnData,
        schema: schemaOf(columns),
        codec: 'GZIP',
        compressors: { GZIP: gzipWhole },
        createdBy: 'shelfpress',
        kvMetadata: [{ key: headerKey, value: JSON.stringify(changesHeader(some.length)) }],
      });
      expect(Buffer.compare(fileOf(some), Buffer.from(expected))).toBe(0);
      const whole = new ParquetTable('changes');
      for (const record of records) whole.add(record);
      expect(Buffer.compare(whole.end(changesHeader(some.length)), Buffer.from(expected))).toBe(0);
    }),
    { seed: 9, numRuns: 40 },
  );
});

test('a table after others with some of the same columns is as it is alone', () => {
  fc.assert(
    fc.property(fc.array(rows, { minLength: 1, maxLength: 3 }), (tables) => {
      const written = new WrittenColumns();
      for (const some of tables.flatMap((one) => [one, one, one.toReversed(), one.slice(1)])) {
        expect(Buffer.compare(fileOf(some, written), fileOf(some))).toBe(0);
      }
    }),
    { seed: 9, numRuns: 20 },
  );
});

test('so is one of several row groups', () => {
  const written = new WrittenColumns();
  const prices = [0, 1, 2].map((current_price_minor) => ({ current_price_minor }));
  const days = [
    (row: number) => (row < 20_000 ? row % 2 : 0),
    // As the days before, but where the second row group of the first day has its rows.
    (row: number) => (row < 7 || row >= 20_000 ? 0 : row % 2),
    (row: number) => (row < 20_000 ? 0 : 2),
  ];
  for (const [index, priceOf] of [...days, ...days.slice(2)].entries()) {
    const some = Array.from({ length: 20_007 + index }, (_, row): Row => {
      const own = { ...rest, number: row + 1 };
      return [prices[priceOf(row)] ?? {}, own, rest];
    });
    expect(Buffer.compare(fileOf(some, written), fileOf(some))).toBe(0);
  }
});
