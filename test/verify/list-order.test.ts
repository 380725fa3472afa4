import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareEvents, compareNames } from '../../generator/verify/lists.ts';

const named = (name: string, id = 'a') => ({ name, id });
const event = (published_at: string, retrieved_at: string, id = 'a') => ({
  id,
  times: { source_updated_at: null, published_at, retrieved_at },
});

test('names order as the UTF-8 bytes of their keys do, then by ids', () => {
  const text = fc.string({ unit: 'binary' });
  const key = (name: string) => Buffer.from(name.normalize('NFC').toLowerCase());
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(Math.sign(compareNames(named(a), named(b)))).toBe(Buffer.compare(key(a), key(b)));
    }),
    { seed: 7 },
  );
  expect(compareNames(named('x', 'b'), named('x', 'a'))).toBeGreaterThan(0);
});

test('events: newest publication first, then newest retrieval, then the greater id', () => {
  const rows = [
    event('2025-02-01T00:00:00Z', '2025-01-01T00:00:00Z'),
    event('2025-01-02T00:00:00Z', '2025-01-02T00:00:00.5Z'),
    event('2025-01-02T00:00:00Z', '2025-01-02T00:00:00Z', 'b'),
    event('2025-01-02T00:00:00Z', '2025-01-02T00:00:00Z', 'a'),
  ];
  for (const [i, a] of rows.entries()) {
    for (const [j, b] of rows.entries()) expect(Math.sign(compareEvents(a, b))).toBe(Math.sign(i - j));
  }
});
