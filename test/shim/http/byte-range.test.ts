import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseByteRange } from '../../../shim/http/request-fields.ts';

describe('RFC 9110 14.1.2: byte ranges of 1000 bytes', () => {
  test.each([
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=0-499', { start: 0, end: 499 }],
    ['BYTES=500-', { start: 500, end: 999 }],
    ['bytes=999-5000', { start: 999, end: 999 }],
    ['bytes=-1', { start: 999, end: 999 }],
    ['bytes=-5000', { start: 0, end: 999 }],
    [`bytes=0-${'9'.repeat(400)}`, { start: 0, end: 999 }],
  ])('%s is a part', (field, range) => {
    expect(parseByteRange(field, 1000)).toEqual(range);
  });

  test.each(['bytes=1000-', 'bytes=1000-1001', 'bytes=-0', `bytes=${'9'.repeat(400)}-`])(
    '%s cannot be satisfied',
    (field) => {
      expect(parseByteRange(field, 1000)).toBe('unsatisfiable');
    },
  );

  test.each([
    'bytes=0-1,5-6',
    'bytes=0-1, 5-6',
    'bytes=5-4',
    'bytes=-',
    'bytes=',
    'bytes=a-b',
    'bytes=0x1-2',
    'bytes=1.5-2',
    'bytes 0-1',
    'items=0-1',
    'bytes=--1',
    '',
  ])('%j is the whole: several ranges, another unit, or malformed', (field) => {
    expect(parseByteRange(field, 1000)).toBeNull();
  });

  test('of an empty file nothing is a part', () => {
    expect(parseByteRange('bytes=0-', 0)).toBe('unsatisfiable');
    expect(parseByteRange('bytes=-5', 0)).toBeNull();
  });

  test('every part lies inside the file', () => {
    const number = fc.option(fc.nat(3000), { nil: '' });
    fc.assert(
      fc.property(number, number, fc.nat(1000), (first, last, size) => {
        const range = parseByteRange(`bytes=${first}-${last}`, size);
        if (range === null || range === 'unsatisfiable') return;
        expect(range.start).toBeGreaterThanOrEqual(0);
        expect(range.end).toBeGreaterThanOrEqual(range.start);
        expect(range.end).toBeLessThan(size);
      }),
    );
  });
});
