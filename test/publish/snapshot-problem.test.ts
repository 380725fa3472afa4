import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { ProblemList, problemsOf, rendering } from '../../generator/publish/snapshot/problem.ts';

const problem = (line: number) => ({
  file: 'products.ndjson',
  line,
  field: 'price_minor',
  expected: 'an integer of at least 0',
  got: '"12.99"',
});

describe('ProblemList', () => {
  test('keeps the first ones and counts all', () => {
    const problems = new ProblemList(2);
    for (const line of [1, 2, 3]) problems.add(problem(line));
    expect(problems.total).toBe(3);
    expect(problems.shown.map(({ line }) => line)).toEqual([1, 2]);
  });
});

describe('the groups of a ProblemList', () => {
  const groupsOf = ({ lines }: ProblemList) => lines;

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
    expect(groupsOf(problems)).toEqual([
      'inventory.ndjson rows[][]: 3 times in 2 lines, 4, 9: expected an integer of at least 0, got "12.99"',
    ]);
  });

  test('stay as they are when lists are joined', () => {
    const whole = new ProblemList();
    const joined = new ProblemList();
    for (const first of [1, 100]) {
      const part = new ProblemList();
      for (let line = first; line < first + 60; line += 1) {
        whole.add(problem(line));
        part.add(problem(line));
      }
      joined.addAll(part);
    }
    expect(joined.facts).toEqual(whole.facts);
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
    [null, 'null'],
    ['012345', '"012345"'],
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

test('one problem per field, and all fields', () => {
  const twice = z.object({ a: z.string().min(3, 'long text').regex(/^a/, 'text with an a'), b: z.string() });
  const value = { a: 'b' };
  expect(problemsOf(twice.safeParse(value).error as z.ZodError, value)).toEqual([
    { field: 'a', expected: 'long text', got: '"b"' },
    { field: 'b', expected: 'a string', got: 'nothing' },
  ]);
});
