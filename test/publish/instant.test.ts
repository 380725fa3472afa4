import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalBound, canonicalInstant, compareInstants, epochSeconds } from '../../contract/instant.ts';

const times = fc.date({
  min: new Date('0001-01-02T00:00:00Z'),
  max: new Date('9999-12-30T00:00:00Z'),
  noInvalidDate: true,
});
const offsets = fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 });

/** The instant as a clock at this offset from UTC, in minutes, shows it. */
function shown(time: Date, offset: number): string {
  const local = new Date(time.getTime() + offset * 60_000).toISOString().slice(0, -1);
  const two = (value: number) => String(Math.trunc(Math.abs(value))).padStart(2, '0');
  return `${local}${offset < 0 ? '-' : '+'}${two(offset / 60)}:${two(offset % 60)}`;
}

function canonical(text: string): string {
  const instant = canonicalInstant(text);
  if (instant === null) throw new Error(`not an instant: ${text}`);
  return instant;
}

describe('canonicalInstant', () => {
  test.each([
    ['2024-01-02t22:26:37z', '2024-01-02T22:26:37Z'],
    ['2024-01-02T22:26:05.1200Z', '2024-01-02T22:26:05.12Z'],
    ['2024-01-02T22:26:05.00000000000000000001Z', '2024-01-02T22:26:05.00000000000000000001Z'],
    ['2024-01-02T22:26:37-00:00', '2024-01-02T22:26:37Z'],
    ['0000-02-29T00:00:00Z', '0000-02-29T00:00:00Z'],
  ])('%s is %s', (text, expected) => {
    expect(canonicalInstant(text)).toBe(expected);
  });

  test('is of a date and time that exist, written as RFC 3339 says, in the years 0 to 9999', () => {
    const outside = [
      '0000-01-01T00:00:00+00:01',
      '9999-12-31T23:59:59-00:01',
      `2024-01-02T22:26:37.${'1'.repeat(101)}Z`,
    ];
    const unreal = [
      '2024-02-30T00:00:00Z',
      '2024-01-02T24:00:00Z',
      '2016-12-31T23:59:60Z',
      '2024-01-02T22:26:37+24:00',
    ];
    const otherwise = [
      '',
      '2024-01-02T22:26:37',
      '2024-01-02T22:26:37.Z',
      '2024-01-02T22:26:37+0100',
      '2024-01-02T22:26:37Z\n',
    ];
    for (const text of [...outside, ...unreal, ...otherwise]) expect(canonicalInstant(text), text).toBeNull();
  });

  test('agrees with Date at every offset', () => {
    fc.assert(
      fc.property(times, offsets, (time, offset) => {
        const instant = canonical(shown(time, offset));
        expect(Date.parse(instant)).toBe(time.getTime());
        expect(canonicalInstant(instant)).toBe(instant);
      }),
    );
  });
});

describe('canonicalBound', () => {
  test.each([
    ['9999-12-31T23:59:59-00:01', '9999-12-31T23:59:59.999999999Z'],
    ['9999-12-31T00:00:00-23:59', '9999-12-31T23:59:00Z'],
    ['0000-01-01T23:58:59+23:59', '0000-01-01T00:00:00Z'],
    ['2024-01-01T15:30:00.5-07:00', '2024-01-01T22:30:00.5Z'],
  ])('%s is %s', (text, expected) => {
    expect(canonicalBound(text)).toBe(expected);
    expect(canonicalBound(expected)).toBe(expected);
    expect(canonicalBound(`+1${text}`)).toBeNull();
  });
});

test('a fraction is later than its whole second and earlier than the next', () => {
  const sorted = ['04.999', '05', '05.1', '05.123', '05.13', '06'].map((second) => `2024-01-02T22:26:${second}Z`);
  expect(sorted.toReversed().toSorted(compareInstants)).toEqual(sorted);
});

test('the seconds of an instant agree with Date, with their fraction', () => {
  fc.assert(
    fc.property(times, (time) => {
      expect(epochSeconds(canonical(time.toISOString()))).toBeCloseTo(time.getTime() / 1000, 3);
    }),
  );
});
