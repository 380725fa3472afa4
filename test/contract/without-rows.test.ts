import { expect, test } from 'vitest';
import * as z from 'zod';
import { addressTable } from '../../generator/contract/addresses.ts';
import { withoutRows } from '../../generator/contract/checked-value.ts';

test('a schema without rows judges a document with an empty list as the schema does', () => {
  const schema = z.strictObject({ data: z.array(z.strictObject({ id: z.int() })).max(3), note: z.string() });
  const frame = withoutRows(schema, 'data');
  for (const value of [
    { data: [], note: 'a' },
    { data: [], note: 1 },
    { data: [], note: 'a', more: 1 },
    { data: [] },
    { note: 'a' },
    {},
  ])
    expect([value, frame.safeParse(value).success]).toEqual([value, schema.safeParse(value).success]);
  expect(frame.safeParse({ data: [{ id: 1 }], note: 'a' }).success).toBe(false);
});

test('the list may be in `data`, and in any alternative', () => {
  const inner = z.strictObject({ data: z.strictObject({ stores: z.array(z.int()), name: z.string() }) });
  const frame = withoutRows(z.union([inner, z.strictObject({ stores: z.array(z.string()) })]), 'stores');
  expect(frame.safeParse({ data: { stores: [], name: 'a' } }).success).toBe(true);
  expect(frame.safeParse({ stores: [] }).success).toBe(true);
  expect(frame.safeParse({ data: { stores: [], name: 1 } }).success).toBe(false);
  expect(frame.safeParse({ data: { stores: [1], name: 'a' } }).success).toBe(false);
  expect(frame.safeParse({ stores: ['a'] }).success).toBe(false);
});

test('documents whose rows are checked apart have such a list', () => {
  for (const kind of ['changes', 'changes_page', 'product_changes', 'product_changes_page', 'family_changes'] as const)
    expect(z.compile(withoutRows(addressTable[kind].schema ?? z.never(), 'data'), { strict: true })).toBeDefined();
  const availability = withoutRows(addressTable.product_availability.schema ?? z.never(), 'stores');
  expect(z.compile(availability, { strict: true })).toBeDefined();
  expect(() => withoutRows(z.string(), 'data')).toThrow('no object with a list data');
});
