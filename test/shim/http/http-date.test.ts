import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseHttpDate } from '../../../shim/http/request-fields.ts';

const seconds = Date.UTC(1994, 10, 6, 8, 49, 37) / 1000;
const now = Date.UTC(2025, 0, 1);

describe('RFC 9110 5.6.7: HTTP-date', () => {
  test.each(['Sun, 06 Nov 1994 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'])(
    'accepts %s',
    (field) => {
      expect(parseHttpDate(field, now)).toBe(seconds);
    },
  );

  test('a two-digit year more than 50 years ahead is in the past', () => {
    expect(parseHttpDate('Tuesday, 01-Jan-75 00:00:00 GMT', now)).toBe(Date.UTC(2075, 0, 1) / 1000);
    expect(parseHttpDate('Thursday, 01-Jan-76 00:00:00 GMT', now)).toBe(Date.UTC(1976, 0, 1) / 1000);
  });

  test('a leap second is a second', () => {
    expect(parseHttpDate('Sat, 31 Dec 2016 23:59:60 GMT')).toBe(Date.UTC(2017, 0, 1) / 1000);
  });

  test.each([
    '',
    'yesterday',
    '2025-04-01T12:00:05Z',
    'Sun, 6 Nov 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 08:49:37 UTC',
    'Sun, 06 Nov 1994 08:49:37 +0000',
    'sun, 06 nov 1994 08:49:37 gmt',
    'Sun, 31 Feb 1994 08:49:37 GMT',
    'Sun, 00 Nov 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 24:00:00 GMT',
    ' Sun, 06 Nov 1994 08:49:37 GMT',
  ])('refuses %j', (field) => {
    expect(parseHttpDate(field, now)).toBeNull();
  });

  test('every instant survives its HTTP-date', () => {
    const instants = fc.integer({ min: 0, max: Date.UTC(9999, 11, 31) / 1000 });
    fc.assert(
      fc.property(instants, (instant) => {
        expect(parseHttpDate(new Date(instant * 1000).toUTCString())).toBe(instant);
      }),
    );
  });

  test('no text makes it throw or give anything but whole seconds or null', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const parsed = parseHttpDate(text);
        expect(parsed === null || Number.isInteger(parsed)).toBe(true);
      }),
    );
  });
});
