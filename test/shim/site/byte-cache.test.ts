import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteCache } from '../../../shim/site/byte-cache.ts';

test('the entry that was not used for longest leaves first', () => {
  const cache = new ByteCache<string>(10);
  cache.set('a', 'A', 4);
  cache.set('b', 'B', 4);
  cache.get('a');
  cache.set('c', 'C', 4);
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual(['A', undefined, 'C']);
});

test('a value larger than the cache is not kept and drives nothing out', () => {
  const cache = new ByteCache<string>(10);
  cache.set('a', 'A', 4);
  cache.set('large', 'L', 11);
  expect([cache.get('a'), cache.get('large')]).toEqual(['A', undefined]);
});

test('it never holds more bytes than it may, and counts them right', () => {
  const steps = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.nat(60)));
  fc.assert(
    fc.property(steps, (entries) => {
      const cache = new ByteCache<number>(100);
      for (const [key, bytes] of entries) {
        cache.set(key, bytes, bytes);
        expect(cache.get(key)).toBe(bytes);
        expect(cache.bytes).toBeLessThanOrEqual(100);
      }
      const held = ['a', 'b', 'c', 'd', 'e'].reduce((sum, key) => sum + (cache.get(key) ?? 0), 0);
      expect(cache.bytes).toBe(held);
    }),
  );
});

test('values are made smaller, those used longest ago first, before any of them goes', () => {
  const shrunk: string[] = [];
  const shrink = (value: { name: string; bytes: number }) => {
    if (value.bytes === 1) return null;
    value.bytes = 1;
    shrunk.push(value.name);
    return 1;
  };
  const cache = new ByteCache<{ name: string; bytes: number }>(10, shrink);
  const set = (name: string, bytes: number) => cache.set(name, { name, bytes }, bytes);
  set('a', 4);
  set('b', 4);
  set('small', 1);
  cache.get('a');
  set('c', 4);
  expect(shrunk).toEqual(['b']);
  set('d', 4);
  expect([shrunk, cache.bytes]).toEqual([['b', 'c', 'a'], 8]);
  expect(['a', 'b', 'small', 'c', 'd'].map((name) => cache.get(name)?.name)).toEqual(['a', 'b', 'small', 'c', 'd']);
});
