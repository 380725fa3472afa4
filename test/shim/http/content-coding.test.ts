import { describe, expect, test } from 'vitest';
import { chooseCoding } from '../../../shim/http/request-fields.ts';

/** Of brotli and gzip, the smaller one first. */
const codings = ['br', 'gzip'];

describe('RFC 9110 12.5.3: Accept-Encoding', () => {
  test.each([
    [null, null],
    ['', null],
    ['gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['gzip;q=1.0, br;q=0.9', 'gzip'],
    ['br;q=0', null],
    ['br;q=0, gzip', 'gzip'],
    ['*', 'br'],
    ['*;q=0.5, br;q=0', 'gzip'],
    ['*;q=0', null],
    ['identity', null],
    ['identity;q=0.5, gzip;q=0.8', 'gzip'],
    ['identity, gzip;q=0.8', null],
    ['identity;q=0', null],
    ['identity;q=0, gzip;q=0.1', 'gzip'],
    ['deflate, zstd', null],
    ['gzip;q=0.000', null],
    ['gzip ; q=0.5 , br\t;q=0.4', 'gzip'],
    ['gzip;q=2', null],
    ['gzip;level=9', null],
    [',,gzip,,', 'gzip'],
    ['gzip;q=', null],
  ])('%j', (field, expected) => {
    const chosen = chooseCoding(field, codings);
    expect(chosen === null ? null : codings[chosen]).toBe(expected);
  });

  test('nothing to choose from is identity', () => expect(chooseCoding('gzip', [])).toBeNull());
});
