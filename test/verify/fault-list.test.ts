import { expect, test } from 'vitest';
import { FaultList, formatFault, shownApart } from '../../generator/site/fault.ts';

test('the first by path and code are kept, and all are counted', () => {
  const faults = new FaultList(3);
  for (let i = 999; i >= 0; i -= 1) faults.add('object_missing', String(i).padStart(3, '0'), 'a', 'b');
  faults.add('object_damaged', '001', 'a', 'b');
  expect(faults.total).toBe(1001);
  const first = faults.first().map(({ code, path }) => `${path} ${code}`);
  expect(first).toEqual(['000 object_missing', '001 object_damaged', '001 object_missing']);
});

test('a fault is one line that cannot steer a terminal', () => {
  const hostile = formatFault({ code: 'checkout_stray', path: 'a\n\u001b[2Jb\u202e', expected: 'x', got: 'y' });
  expect(hostile).toBe('a\\u{a}\\u{1b}[2Jb\\u{202e}: expected x, got y [checkout_stray]');
});

test('two values that begin alike are printed from shortly before their difference', () => {
  const value = (last: string) => ({ name: 'x'.repeat(100), last, next: 'y'.repeat(100) });
  expect(shownApart({ a: 1 }, { a: 2 })).toEqual(['{"a":1}', '{"a":2}']);
  expect(shownApart(undefined, 'x'.repeat(200))).toEqual(['nothing', `"${'x'.repeat(79)}…`]);
  const [expected, got] = shownApart(value('one'), value('two'));
  expect([expected, got]).toEqual([
    expect.stringMatching(/^…x{30}","last":"one","next":"y+…$/),
    expect.stringMatching(/^…x{30}","last":"two","next":"y+…$/),
  ]);
});
