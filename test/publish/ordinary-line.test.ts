import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inventoryLine } from '../../generator/publish/snapshot/format.ts';
import { ordinaryInventoryLine } from '../../generator/publish/snapshot/ordinary-line.ts';
import { failureLine, retrievalLine } from '../support/snapshot-writer.ts';

const odd = fc.constantFrom(
  undefined,
  null,
  '',
  0,
  -0,
  -1,
  1.5,
  2 ** 53,
  [],
  {},
  '12345',
  '1234567',
  '12345٠',
  '0001',
  true,
);
const oneOf = (...texts: readonly string[]) => fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...texts) }, odd);
const instant = fc.oneof(
  oneOf('2024-01-02T22:26:37Z', '2024-02-30T00:00:00Z', '2024-02-29T23:59:60Z', '2024-01-02t22:26:37.500+01:00'),
  fc.constant(null),
);
const quantity = fc.oneof({ weight: 6, arbitrary: fc.nat(20) }, odd, fc.constant(Number.MAX_SAFE_INTEGER));
const pair = fc.oneof(
  { weight: 9, arbitrary: fc.tuple(oneOf('0001', '0002', '0003', '0004'), quantity) },
  { weight: 1, arbitrary: fc.oneof(odd, fc.constant(['0001']), fc.constant(['0001', 1, 2])) },
);
const line = fc.record(
  {
    sku: oneOf('000001', '999999'),
    attempted_at: instant,
    status: oneOf('succeeded', 'failed'),
    retrieved_at: instant,
    source_updated_at: instant,
    rows: fc.oneof({ weight: 6, arbitrary: fc.array(pair, { maxLength: 4 }) }, odd),
    more: fc.anything(),
  },
  { requiredKeys: ['sku', 'attempted_at', 'status', 'retrieved_at', 'rows'] },
);

test('what it makes of a line is what the schema makes of it', () => {
  let ordinary = 0;
  fc.assert(
    fc.property(fc.oneof({ weight: 20, arbitrary: line }, fc.anything()), (value) => {
      const row = ordinaryInventoryLine(value);
      if (row === null) return;
      ordinary += 1;
      const checked = inventoryLine.safeParse(value);
      expect(checked.data).toStrictEqual(row);
      expect(JSON.stringify(checked.data)).toBe(JSON.stringify(row));
    }),
    { numRuns: 20_000 },
  );
  expect(ordinary).toBeGreaterThan(100);
});

test('a line as agencies write it is ordinary', () => {
  const lines = [
    retrievalLine('000001', '2024-01-02T22:26:37Z', [
      ['0001', 12],
      ['0002', 0],
    ]),
    retrievalLine('000001', '2024-12-31T22:26:37.123+05:00', []),
    failureLine('000001', '2024-01-02T22:26:37Z'),
    { ...failureLine('000001', '2024-01-02T22:26:37Z'), note: 'a column of the collector' },
  ];
  for (const value of lines) expect(ordinaryInventoryLine(value)).toStrictEqual(inventoryLine.parse(value));
});
