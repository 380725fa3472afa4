import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isNotModified, parseEntityTags, rangeApplies } from '../../../shim/http/request-fields.ts';
import { lastModified, lastModifiedDate } from '../tiny-site.ts';

const etag = '"0123456789abcdef0123456789abcdef"';
const validators = { etag, last_modified: lastModified };
const fields = (record: Record<string, string>) => new Headers(record);
const withNoneMatch = (value: string) => isNotModified({ get: () => value }, validators);

describe('RFC 9110 13.1.2: If-None-Match', () => {
  test.each([
    etag,
    `W/${etag}`,
    '*',
    ' * ',
    `"a", ${etag}`,
    `"a","b",W/${etag} , "c"`,
    `,, ${etag},`,
    `"with,comma", ${etag}`,
    `""\t,\t${etag}`,
  ])('%j matches, by weak comparison', (value) => {
    expect(withNoneMatch(value)).toBe(true);
  });

  test.each([
    '',
    '"other"',
    etag.slice(1, -1),
    `w/${etag}`,
    `W/ ${etag}`,
    `*, ${etag}`,
    `${etag} "b"`,
    `${etag}, junk`,
    `"${etag}`,
    `'${etag}'`,
    `"x, ${etag.slice(1)}`,
  ])('%j does not match: other tags, or a malformed field', (value) => {
    expect(withNoneMatch(value)).toBe(false);
  });
});

describe('RFC 9110 13.1.3: If-Modified-Since', () => {
  test.each([
    [lastModifiedDate, true],
    ['Tue, 01 Apr 2025 12:00:06 GMT', true],
    ['Tue, 01 Apr 2025 12:00:04 GMT', false],
    ['Tuesday, 01-Apr-25 12:00:05 GMT', true],
    ['Tue Apr  1 12:00:05 2025', true],
    ['2025-04-01T12:00:05Z', false],
    ['0', false],
    ['', false],
  ])('%j: not modified is %j', (since, expected) => {
    expect(isNotModified(fields({ 'if-modified-since': since }), validators)).toBe(expected);
  });

  test('contract 5: exports do not take it', () => {
    expect(isNotModified(fields({ 'if-modified-since': lastModifiedDate }), validators, true)).toBe(false);
    expect(isNotModified(fields({ 'if-none-match': etag }), validators, true)).toBe(true);
  });
});

describe('RFC 9110 13.1.5: If-Range', () => {
  test.each([
    [etag, true],
    [lastModifiedDate, true],
    [`W/${etag}`, false],
    ['"other"', false],
    [`${etag}, "other"`, false],
    ['*', false],
    ['Tue, 01 Apr 2025 12:00:06 GMT', false],
    ['nonsense', false],
  ])('%j: the range counts is %j', (value, expected) => {
    expect(rangeApplies(fields({ 'if-range': value }), validators)).toBe(expected);
  });

  test('without it the range counts', () => {
    expect(rangeApplies(fields({}), validators)).toBe(true);
  });
});

describe('RFC 9110 8.8.3: entity tags', () => {
  const etagc = fc.integer({ min: 0x21, max: 0xff }).filter((code) => code !== 0x22 && code !== 0x7f);
  const opaque = fc.array(etagc).map((codes) => String.fromCharCode(...codes));
  const tag = fc.record({ weak: fc.boolean(), opaque });
  const separator = fc.stringMatching(/^[ \t]*,[ \t,]*$/);
  const printed = ({ weak, opaque }: { weak: boolean; opaque: string }) => `${weak ? 'W/' : ''}"${opaque}"`;

  test('every list of tags, however it is spaced, is read back', () => {
    fc.assert(
      fc.property(fc.array(tag), separator, (tags, between) => {
        expect(parseEntityTags(tags.map(printed).join(between))).toEqual(tags);
      }),
    );
  });

  test('a tag is found wherever it stands in a list', () => {
    fc.assert(
      fc.property(fc.array(tag), fc.array(tag), fc.boolean(), (before, after, weak) => {
        const list = [...before, { weak, opaque: etag.slice(1, -1) }, ...after].map(printed).join(', ');
        expect(withNoneMatch(list)).toBe(true);
      }),
    );
  });

  test('no text makes it throw; what it reads, it reads again from its own print', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const tags = parseEntityTags(text);
        if (tags !== null) expect(parseEntityTags(tags.map(printed).join(','))).toEqual(tags);
      }),
    );
  });

  test('a long malformed field takes time in proportion to its length', () => {
    const started = performance.now();
    for (const field of [`${' ,\t'.repeat(5000)}x`, '"'.repeat(15_001), `${'W/""'.repeat(4000)}`, ' '.repeat(15_000)]) {
      parseEntityTags(field);
    }
    expect(performance.now() - started).toBeLessThan(500);
  });
});
