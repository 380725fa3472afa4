import { describe, expect, test } from 'vitest';
import { ProblemList, rendering } from '../../generator/snapshot/problem.ts';

const problem = (line: number) => ({
  file: 'products.ndjson',
  line,
  field: 'price_minor',
  expected: 'an integer of at least 0',
  got: '"12.99"',
});

describe('the groups of a ProblemList', () => {
  test('leave out the indexes of fields, and count a line once', () => {
    const problems = new ProblemList();
    const at = (line: number, index: number) => ({
      ...problem(line),
      file: 'inventory.ndjson',
      field: `rows[${index}][1]`,
    });
    for (const [line, index] of [
      [4, 0],
      [4, 7],
      [9, 2],
    ] as const)
      problems.add(at(line, index));
    expect(problems.lines).toEqual([
      'inventory.ndjson rows[][]: 3 times in 2 lines, 4, 9: expected an integer of at least 0, got "12.99"',
    ]);
  });

  test('are bounded in number', () => {
    const problems = new ProblemList();
    for (let line = 1; line <= 250; line += 1) problems.add({ ...problem(line), expected: `number ${line}` });
    expect(problems.lines).toHaveLength(101);
    expect(problems.lines.at(-1)).toBe('and 150 problems of other kinds');
    expect(problems.countOfKinds).toBe('250 problems of more than 100 kinds');
  });
});

describe('rendering', () => {
  test.each([
    [undefined, 'nothing'],
    [Number.POSITIVE_INFINITY, 'Infinity'],
    [{ a: [1, 'b'] }, '{"a":[1,"b"]}'],
    ['x'.repeat(58), `"${'x'.repeat(58)}"`],
    ['x'.repeat(59), `"${'x'.repeat(59)}…`],
    // The cut never splits a character in two.
    [`${'x'.repeat(58)}😀😀`, `"${'x'.repeat(58)}…`],
    // Control characters are escaped, so that they cannot command a terminal.
    ['\u001b[31m\u009b\u202e', '"\\u001b[31m\\u009b\\u202e"'],
  ])('%j', (value, expected) => {
    expect(rendering(value)).toBe(expected);
  });
});
