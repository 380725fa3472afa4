import { expect, test } from 'vitest';
import * as z from 'zod';
import { exportRecords, inventoryColumns, productColumns, storeColumns } from '../../contract/columns/export.ts';
import type { Columns } from '../../contract/columns/table.ts';
import { changeEvent } from '../../contract/schemas/change.ts';
import { changeColumns } from '../../contract/schemas/change-pieces.ts';
import { documents } from '../../contract/schemas/documents.ts';
import { checkValue } from '../../generator/tables/checked-json.ts';

test('every schema that a build uses can be compiled', () => {
  const schemas = [
    ...Object.values(documents),
    ...Object.values(exportRecords),
    ...[productColumns, storeColumns, inventoryColumns, changeColumns].flatMap((columns: Columns) =>
      Object.values(columns).map(({ schema }) => schema),
    ),
    changeEvent,
  ];
  for (const schema of schemas) expect(z.compile(schema, { strict: true })).not.toBe(schema);
});

test('a fault is reported in the same way before and after a schema is compiled', () => {
  const schema = z.strictObject({ name: z.string().min(1), parts: z.array(z.int()) });
  const check = () => checkValue(schema, () => 'this document', { name: 'a', parts: [1, 'two'] });
  expect(check).toThrow('this document: parts[1]: expected a number, got "two"');
  for (let use = 0; use < 1_000; use += 1) checkValue(schema, () => 'this document', { name: 'a', parts: [1] });
  expect(check).toThrow('this document: parts[1]: expected a number, got "two"');
});
