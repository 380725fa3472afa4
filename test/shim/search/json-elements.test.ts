import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonElements } from '../../../shim/search/json-elements.ts';

function read(text: string, pieceLength: number): { elements: unknown[]; pieces: number; rest: unknown } {
  const reading = jsonElements(text, 'entries', pieceLength);
  const elements: unknown[] = [];
  for (let pieces = 0; ; pieces += 1) {
    const { done, value } = reading.next();
    if (done) return { elements, pieces, rest: value };
    elements.push(...(value as unknown[]));
  }
}

describe('JSON that is parsed piece by piece', () => {
  test('is what it is when it is parsed at once', () => {
    const around = fc.dictionary(fc.constantFrom('a', 'nested', '"'), fc.jsonValue());
    const members = fc.tuple(around, fc.array(fc.jsonValue()), around, fc.constantFrom(undefined, 1), fc.nat(30));
    fc.assert(
      fc.property(members, ([before, entries, after, indent, pieceLength]) => {
        const whole = { ...before, entries, last: after };
        const { elements, rest } = read(JSON.stringify(whole, null, indent), pieceLength);
        expect(elements).toEqual(JSON.parse(JSON.stringify(entries)));
        expect(rest).toEqual(JSON.parse(JSON.stringify({ ...whole, entries: [] })));
      }),
      { numRuns: 500 },
    );
  });

  test('comes in pieces of about the length that was asked for', () => {
    const entries = Array.from({ length: 1000 }, (_, id) => ({ id, text: 'x'.repeat(90) }));
    const text = JSON.stringify({ entries });
    expect(read(text, 10_000).pieces).toBe(Math.ceil(text.length / 10_200));
  });

  test('a member of that name deeper inside is another one', () => {
    const text = '{"a":{"entries":[1]},"b":["entries",[2]],"c":"\\"entries\\":[3]","entries":[4]}';
    expect(read(text, 1).elements).toEqual([4]);
  });

  test.each([
    '',
    '[]',
    '{"entries":{}}',
    '{"entries":[',
    '{"entries":[1,]}',
    '{"entries":[1',
    '{"entries":[1]',
    '{"entries":[1}',
    '{"entries":["a]}',
    '{"entries":[1]}}',
    '{"entries":[1 2]}',
    'null',
  ])('%s is refused', (text) => {
    expect(() => read(text, 1)).toThrow(SyntaxError);
  });
});
