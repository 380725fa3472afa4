import { expect, test } from 'vitest';
import { FaultList, formatFault, shown, shownApart } from '../../generator/site/fault.ts';

test('faults come by path, then code, whatever the order they were found in', () => {
  const faults = new FaultList();
  faults.add('route_size', '/v1/b', '1', '2');
  faults.add('route_etag', '/v1/b', '1', '2');
  faults.add('route_size', '/v1/a', '2', '2');
  faults.add('route_size', '/v1/a', '1', '2');
  expect(faults.first().map(({ code, path, expected }) => `${path} ${code} ${expected}`)).toEqual([
    '/v1/a route_size 1',
    '/v1/a route_size 2',
    '/v1/b route_etag 1',
    '/v1/b route_size 1',
  ]);
});

test('the first are kept and all are counted', () => {
  const faults = new FaultList(10);
  for (let i = 999; i >= 0; i -= 1) faults.add('object_missing', String(i).padStart(3, '0'), 'a', 'b');
  expect(faults.total).toBe(1000);
  expect(faults.first().map(({ path }) => path)).toEqual(Array.from({ length: 10 }, (_, i) => `00${i}`));
});

test('a fault is one line that cannot steer a terminal', () => {
  expect(formatFault({ code: 'route_size', path: '/v1/brands', expected: 'size 3', got: '4' })).toBe(
    '/v1/brands: expected size 3, got 4 [route_size]',
  );
  const hostile = formatFault({ code: 'checkout_stray', path: 'a\n\u001b[2Jb\u202e', expected: 'x', got: 'y' });
  expect(hostile).toBe('a\\u{a}\\u{1b}[2Jb\\u{202e}: expected x, got y [checkout_stray]');
});

test('values are printed as JSON and cut', () => {
  expect(shown(undefined)).toBe('nothing');
  expect(shown({ a: 1 })).toBe('{"a":1}');
  expect(shown('x'.repeat(100))).toHaveLength(81);
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
