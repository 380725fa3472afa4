import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { compilePattern, isPattern, patternLimit, SlowPattern } from '../../generator/import/values/patterns.ts';
import { importOf, productRecipe } from './small-import.ts';

/** Patterns as recipes have them, and where RE2 and JavaScript differ. */
const patterns = [
  String.raw`^POINT \(-?[\d.]+ (-?[\d.]+)\)$`,
  String.raw`\s+[\d.]+[mM]?[lL]$|\s+6PK(?= )`,
  String.raw`([\d.]+ ?\p{L}+)$`,
  String.raw`^Store (\d+)$`,
  String.raw`X(\d+)$`,
  '(?<year>[0-9]{4})',
  String.raw`(?<!-)\b\d+`,
  String.raw`(a|b)\1`,
  'a.b',
  String.raw`a\sb`,
  String.raw`[^\s]x`,
  String.raw`[\S]y`,
  String.raw`\Sy`,
  '[.]+',
  String.raw`\u00e9+|\u{1F600}`,
  String.raw`\ud83d\ude00`,
  '(?:(a)|b)+',
  '(?:a(b)?)+',
  '(a|b)+c',
  '(?:|a)*b',
  '^$',
  'x{0,2000}',
];

const texts = [
  ...['POINT (-93.1 41.2)', '750 ML', '12X6', 'JACK  750ml', 'WINE 6PK X 355ML', 'Store 12', 'vin 2019, -12 34', ''],
  ...['a\u00a0b', 'a\ufeffb', 'a\rb', 'a\nb', 'a\u2028b', 'ab', 'abba', 'abac', 'aab', 'ax by y', 'éé 😀', '..', 'xxx'],
];

test.each(patterns)('%s finds in texts what JavaScript finds', (source) => {
  const pattern = compilePattern(source);
  for (const text of texts) {
    const match = new RegExp(source, 'u').exec(text);
    const first = match?.slice(1).find((group) => group !== undefined) ?? match?.[0];
    const without = text.replace(new RegExp(source, 'gu'), '');
    expect([text, pattern.test(text), pattern.first(text), pattern.without(text)]).toEqual([
      text,
      match !== null,
      first,
      without,
    ]);
  }
});

test('RE2 has a syntax of its own', () => {
  expect(compilePattern('(?i)store (?P<code>[[:digit:]]+)').first('STORE 12')).toBe('12');
  expect(['(', '[', 'a**', '(?P<a'].map(isPattern)).toEqual([false, false, false, false]);
});

describe('a pattern that takes too long for a text says so', () => {
  beforeEach(() => {
    patternLimit.ms = 1;
  });
  afterEach(() => {
    patternLimit.ms = 1000;
  });
  const text = 'wine '.repeat(1_000_000);

  test.each([
    ['removing, in linear time each', 'e', 'without'],
    ['searching with lookaround', '(?=vodka)v', 'first'],
    ['testing with lookaround', '(?=vodka)v', 'test'],
    ['removing with lookaround', '(?=wine)w', 'without'],
  ] as const)('%s', (_, source, step) => {
    expect(() => compilePattern(source)[step](text)).toThrow(SlowPattern);
  });

  test('and the import ends, with the row and the column', async () => {
    const rows = `Code,Name\n12,Fine wine\n13,${'wine '.repeat(800_000)}\n14,Fine wine\n`;
    const slow = '(?=vodka)v';
    // The first row may need the time to compile the pattern.
    const said =
      /^catalog\.csv Name: row [23]: expected text that \(\?=vodka\)v handles within a second, as .+, got '(Fine|wine) wine/;
    for (const [fields, others] of [
      [{ name: { column: 'Name', extract: slow, otherwise: 'x' } }, {}],
      [{}, { leave_out: [{ column: 'Name', matches: slow, reason: 'not sold' }] }],
    ]) {
      const recipe = productRecipe(fields) as { products: object };
      const { lines } = await importOf(
        { ...recipe, products: { ...recipe.products, ...others } },
        { 'catalog.csv': rows },
      );
      expect(lines[0]).toMatch(said);
      expect(lines.at(-1)).toBe('recipe.json: nothing was written: 1 fault');
    }
  });
});

test('replacements do not make a text that is much longer than any name', async () => {
  const replace = Array.from({ length: 40 }, () => ['x', 'xx']);
  const { lines } = await importOf(productRecipe({ name: { column: 'Name', replace } }), {
    'catalog.csv': 'Code,Name\n12,x\n13,Fine wine\n',
  });
  expect(lines).toEqual([
    `catalog.csv Name: row 2: expected text of at most 100000 characters after "replace", got 'x'`,
    'recipe.json: nothing was written: 1 fault',
  ]);
});
