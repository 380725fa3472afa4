import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import {
  formatProblem,
  ProblemList,
  problemsOf,
  rendering,
  SnapshotError,
} from '../../generator/publish/snapshot/problem.ts';

const problem = (line: number) => ({
  file: 'products.ndjson',
  line,
  field: 'price_minor',
  expected: 'an integer of at least 0',
  got: '"12.99"',
});

describe('formatProblem', () => {
  test('names the place, what was expected and what was got', () => {
    expect(formatProblem(problem(12))).toBe(
      'products.ndjson:12 price_minor: expected an integer of at least 0, got "12.99"',
    );
  });

  test('leaves out a line and a field that there are not', () => {
    const whole = { file: 'snapshot.json', line: null, field: null, expected: 'an object', got: '[]' };
    expect(formatProblem(whole)).toBe('snapshot.json: expected an object, got []');
    expect(formatProblem({ ...whole, line: 3 })).toBe('snapshot.json:3: expected an object, got []');
  });
});

describe('ProblemList', () => {
  test('keeps the first ones and counts all', () => {
    const problems = new ProblemList(2);
    for (const line of [1, 2, 3]) problems.add(problem(line));
    expect(problems.total).toBe(3);
    expect(problems.shown.map(({ line }) => line)).toEqual([1, 2]);
  });

  test('keeps fifty unless told otherwise', () => {
    const problems = new ProblemList();
    for (let line = 1; line <= 60; line += 1) problems.add(problem(line));
    expect(problems.shown).toHaveLength(50);
  });

  test('counts the rows of each file, good and bad', () => {
    const problems = new ProblemList();
    problems.countRows('products.ndjson', 1, 0);
    problems.countRows('products.ndjson', 0, 1);
    expect(problems.rowsOf('products.ndjson')).toEqual({ read: 2, bad: 1, problems: 1 });
    expect(problems.rowsOf('stores.ndjson')).toEqual({ read: 0, bad: 0, problems: 0 });
  });
});

describe('the groups of a ProblemList', () => {
  const groupsOf = ({ lines }: ProblemList) => lines;

  test('have exact counts, the first three lines and one example', () => {
    const problems = new ProblemList(2);
    for (let line = 1; line <= 1_000; line += 1) problems.add({ ...problem(line), got: `"${line}.00"` });
    expect(groupsOf(problems)).toEqual([
      'products.ndjson price_minor: 1,000 lines, first 1, 2, 3: expected an integer of at least 0, got "1.00"',
    ]);
  });

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

test('a SnapshotError says its first problem and how many more there are', () => {
  const problems = new ProblemList();
  for (const line of [12, 13, 14]) problems.add(problem(line));
  expect(new SnapshotError('003', problems).message).toBe(
    'snapshot 003: products.ndjson:12 price_minor: expected an integer of at least 0, got "12.99" (and 2 more)',
  );
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

describe('problemsOf', () => {
  const schema = z.object({
    text: z.string(),
    list: z.array(z.number().min(-90).max(90)),
    state: z.enum(['open', 'closed']),
    version: z.literal(1),
    flag: z.boolean(),
    nested: z.object({ inner: z.array(z.object({ slug: z.string().regex(/^[a-z]+$/, 'expected a slug') })) }),
  });
  const good = { text: '', list: [], state: 'open', version: 1, flag: true, nested: { inner: [] } };
  const found = (value: unknown) => {
    const { error } = schema.safeParse(value);
    return error === undefined ? [] : problemsOf(error, value);
  };

  test.each([
    [{ text: 1 }, 'text', 'a string', '1'],
    [{ text: undefined }, 'text', 'a string', 'nothing'],
    [{ list: {} }, 'list', 'an array', '{}'],
    [{ list: [0, '1'] }, 'list[1]', 'a number', '"1"'],
    [{ list: [0, -91] }, 'list[1]', 'a number of at least -90', '-91'],
    [{ list: [90.5] }, 'list[0]', 'a number of at most 90', '90.5'],
    [{ state: 'shut' }, 'state', 'one of open, closed', '"shut"'],
    [{ version: 2 }, 'version', '1', '2'],
    [{ flag: 'yes' }, 'flag', 'true or false', '"yes"'],
    [{ nested: null }, 'nested', 'an object', 'null'],
    [{ nested: { inner: [{ slug: 'a' }, { slug: 'A' }] } }, 'nested.inner[1].slug', 'a slug', '"A"'],
  ])('%j', (change, field, expected, got) => {
    expect(found({ ...good, ...change })).toEqual([{ field, expected, got }]);
  });

  test('the value itself has no field', () => {
    expect(found([1])).toEqual([{ field: null, expected: 'an object', got: '[1]' }]);
  });

  test('one problem per field, and all fields', () => {
    const twice = z.object({ a: z.string().min(3, 'long text').regex(/^a/, 'text with an a'), b: z.string() });
    const value = { a: 'b' };
    expect(problemsOf(twice.safeParse(value).error as z.ZodError, value)).toEqual([
      { field: 'a', expected: 'long text', got: '"b"' },
      { field: 'b', expected: 'a string', got: 'nothing' },
    ]);
  });
});
