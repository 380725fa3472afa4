import { describe, expect, test } from 'vitest';
import { shown } from '../../contract/schemas/checked-value.ts';
import { Faults } from '../../generator/files/faults.ts';

const fault = (line: number) => ({
  file: 'products.ndjson',
  line,
  field: 'price_minor',
  expected: 'an integer of at least 0',
  got: '"12.99"',
});

describe('the groups of faults', () => {
  test('leave out the indexes of fields, and count a line once', () => {
    const faults = new Faults();
    for (const [line, index] of [
      [4, 0],
      [4, 7],
      [9, 2],
    ] as const)
      faults.add({ ...fault(line), file: 'inventory.ndjson', field: `rows[${index}][1]` });
    expect(faults.lines).toEqual([
      'inventory.ndjson rows[][]: 3 times in 2 lines (4, 9): expected an integer of at least 0, got "12.99"',
    ]);
  });

  test('have columns by their own names, and count what two fields find in one column once', () => {
    const faults = new Faults();
    const report = (row: number) => faults.in({ file: 'prices.csv', unit: 'row' }, { number: row });
    for (const row of [2, 2, 3, 5, 9]) report(row)('Retail [1]', 'a price', "'call'");
    report(4)(null, '5 values', '3');
    expect(faults.lines).toEqual([
      "prices.csv Retail [1]: 4 rows (2, 3, 5, …): expected a price, got 'call'",
      'prices.csv: row 4: expected 5 values, got 3',
    ]);
    expect(faults.summary).toBe('5 faults of 2 kinds');
  });

  test('count an ordered file once, even if it is read twice', () => {
    const faults = new Faults([], { isOrdered: true });
    for (const line of [3, 8, 3, 8, 9]) faults.add(fault(line));
    expect(faults.total).toBe(3);
  });

  test('are joined with those of another list', () => {
    const faults = new Faults([1, 2].map(fault));
    faults.addAll(new Faults([{ ...fault(1), field: 'sku' }, ...[3, 4].map(fault)]));
    expect(faults.first().map(({ line }) => line)).toEqual([1, 2, 1, 3, 4]);
    expect(faults.lines).toEqual([
      'products.ndjson price_minor: 4 lines (1, 2, 3, …): expected an integer of at least 0, got "12.99"',
      'products.ndjson:1 sku: expected an integer of at least 0, got "12.99"',
    ]);
  });

  test('are bounded in number', () => {
    const faults = new Faults();
    for (let line = 1; line <= 250; line += 1) faults.add({ ...fault(line), expected: `number ${line}` });
    expect(faults.lines).toHaveLength(101);
    expect(faults.lines.at(-1)).toBe('and 150 faults of other kinds');
    expect(faults.summary).toBe('250 faults of more than 100 kinds');
    expect(faults.first()).toHaveLength(50);
  });
});

describe('a value in a message', () => {
  test.each([
    [undefined, 'nothing'],
    [Number.POSITIVE_INFINITY, 'Infinity'],
    [{ a: [1, 'b'] }, '{"a":[1,"b"]}'],
    ['x'.repeat(78), `"${'x'.repeat(78)}"`],
    ['x'.repeat(79), `"${'x'.repeat(79)}…`],
    // The cut never splits a character in two.
    [`${'x'.repeat(78)}😀😀`, `"${'x'.repeat(78)}…`],
    // Control characters are escaped, so that they cannot command a terminal.
    ['\u001b[31m\u009b\u202e', '"\\u001b[31m\\u{9b}\\u{202e}"'],
  ])('%j', (value, expected) => {
    expect(shown(value)).toBe(expected);
  });
});
