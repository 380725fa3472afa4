import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteCache } from '../../../shim/site/byte-cache.ts';

test('the least recently used entry leaves first', () => {
  const cache = new ByteCache<string>(10);
  cache.set('a', 'A', 4);
  cache.set('b', 'B', 4);
  cache.get('a');
  cache.set('c', 'C', 4);
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual(['A', undefined, 'C']);
});

test('it never has more bytes than its limit', () => {
  const steps = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.nat(60)));
  fc.assert(
    fc.property(steps, (entries) => {
      const cache = new ByteCache<number>(100);
      for (const [key, bytes] of entries) {
        cache.set(key, bytes, bytes);
        expect(cache.get(key)).toBe(bytes);
      }
      const held = ['a', 'b', 'c', 'd', 'e'].reduce((sum, key) => sum + (cache.get(key) ?? 0), 0);
      expect(held).toBeLessThanOrEqual(100);
    }),
  );
});

test('it keeps nothing if its limit is not a number, and a call looks at only a few entries', () => {
  const none = new ByteCache<string>(Number.NaN);
  none.set('a', 'A', 1);
  expect(none.get('a')).toBeUndefined();
  const cache = new ByteCache<number>(10_000);
  for (let key = 0; key < 10_000; key += 1) cache.set(String(key), key, 1);
  for (let key = 0; key < 10_000; key += 1) cache.get(String(key));
  cache.set('another', -1, 1);
  expect(cache.get('another')).toBe(-1);
  // About a hundred of the used entries had their turn.
  expect(cache.get('0')).toBe(0);
  expect(
    Array.from({ length: 10_000 }, (_, key) => cache.get(String(key))).filter((kept) => kept === undefined),
  ).toHaveLength(1);
});
