import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { StoredValues, tableColumns } from '../../generator/contract/formats/parquet.ts';
import { joinTables, ParquetTable } from '../../generator/encode/parquet.ts';
import { changesHeader } from '../../generator/resources/change-pieces.ts';
import { boundsProblem } from '../../generator/site/table-bounds.ts';
import { TableFile } from '../../generator/site/table-file.ts';
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
          expect(read.problemOfBounds(group, columns)).toBe(null);
        }
      }
    }),
    { seed: 14, numRuns: 60 },
  );
});

test('bounds are those of the bytes in UTF-8, of decimals as numbers, and nulls are counted', () => {
  const [fullwidth, glass] = ['\uff01', '\u{1f378}'];
  expect(fullwidth > glass).toBe(true);
  expect(boundsProblem({ min_value: fullwidth, max_value: glass }, [glass, fullwidth], undefined)).toBe(null);
  expect(boundsProblem({ min_value: glass }, [fullwidth], undefined)).toContain('below their least');
  expect(boundsProblem({ max_value: fullwidth }, [[], [glass]], undefined)).toContain('above their greatest');
  expect(boundsProblem({ min_value: 0.29, max_value: 0.29, null_count: 1n }, [29n, null], 2)).toBe(null);
  expect(boundsProblem({ max_value: 0.28 }, [29n], 2)).toContain('above their greatest');
  expect(boundsProblem({ null_count: 0n }, [1, undefined], undefined)).toBe('0 nulls in place of 1');
});
