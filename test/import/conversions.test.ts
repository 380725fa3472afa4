import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { numberCell, textOf } from '../../generator/import/tables/table.ts';
import {
  type Converted,
  categoryOf,
  code,
  dateTime,
  decimal,
  integer,
  phone,
  price,
  titleCase,
  volume,
  workbookDateTime,
} from '../../generator/import/values/conversions.ts';

/** The value of a text, or null where it is refused. */
function outcomeOf(converted: Converted): unknown {
  return 'value' in converted ? converted.value : null;
}

describe('prices', () => {
  test('whole numbers keep their digits, unless they are too large to be exact', () => {
    for (const value of [0, -7, 1234567890123456, Number.MAX_SAFE_INTEGER])
      expect(textOf(numberCell(value))).toBe(`${value}`);
    expect(textOf(numberCell(1.2345678901234567e19))).toBe('1.2345678901234567e+19');
  });

  test.each([
    ['$1,299.00', 129_900],
    ['12.99', 1299],
    ['12.5', 1250],
    ['1299', 129_900],
    ['$ 0.05', 5],
    ['US$7', 700],
    ['12.99 USD', 1299],
    ['90071992547409.91', Number.MAX_SAFE_INTEGER],
  ])('%s', (text, cents) => expect(outcomeOf(price(text))).toBe(cents));

  test.each(['call', '-1.00', '($1.00)', '12.999', '1,29.00', '1299,00', '€12', '', '.99', '1e3', '90071992547409.92'])(
    '%s is refused',
    (text) => expect(price(text)).toEqual({ expected: 'a price like $12.99' }),
  );

  test('every price that a person can write comes back exactly', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 40 }), (cents) => {
        const fraction = String(cents % 100).padStart(2, '0');
        const whole = Math.floor(cents / 100);
        for (const text of [`${whole}.${fraction}`, `$${whole.toLocaleString('en-US')}.${fraction}`])
          expect(outcomeOf(price(text))).toBe(cents);
      }),
    );
  });
});

test.each([
  ['750ML', 750],
  ['1.75 L', 1750],
  ['1.75L', 1750],
  ['750', 750],
  ['50 ml.', 50],
  ['37.5cl', 375],
  ['1 Liter', 1000],
  ['1,000 ml', 1000],
  ['12 oz', 355],
  ['12 FL. OZ.', 355],
  ['1 gal', 3785],
  ['1.7505L', null],
  ['1.75', null],
  ['6/355ML', null],
  ['12 PK', null],
  ['ml', null],
])('the size %s is %s', (text, milliliters) => expect(outcomeOf(volume(text, 'ml'))).toBe(milliliters));

test('a size without a unit is in the unit of the recipe', () => {
  expect([outcomeOf(volume('1.75', 'l')), outcomeOf(volume('70', 'cl')), outcomeOf(volume('1 L', 'ml'))]).toEqual([
    1750, 700, 1000,
  ]);
});

test.each([
  ['1,299', 1299],
  ['12.00', 12],
  ['0', 0],
  ['12.5', null],
  ['-3', null],
  ['1e3', null],
  ['1,29', null],
])('the count %s is %s', (text, count) => expect(outcomeOf(integer(text))).toBe(count));

test.each([
  ['113', '000113'],
  ['000113', '000113'],
  ["'000113", '000113'],
  ['="000113"', '000113'],
  ['6.03E+05', null],
  ['603e3', null],
  ['113.0', null],
  ['1,130', null],
  ['A113', null],
  ['', null],
])('the code %s is %s', (text, sku) => expect(outcomeOf(code(text, 6))).toBe(sku));

test.each([
  ['(801) 555-0101', '+18015550101'],
  ['801.555.0101', '+18015550101'],
  ['1-801-555-0101', '+18015550101'],
  ['+18015550101', '+18015550101'],
  ['555-0101', null],
  ['Call', null],
])('the telephone number %s is %s', (text, number) => expect(outcomeOf(phone(text))).toBe(number));

test('other conversions', () => {
  expect(outcomeOf(decimal('-111.636787'))).toBe(-111.636787);
  expect([outcomeOf(decimal('1e3')), outcomeOf(decimal('-'))]).toEqual([null, null]);
  expect(Object.is(outcomeOf(decimal('-0')), 0)).toBe(true);
  expect(outcomeOf(categoryOf('Vodka - Domestic'))).toBe('cat_vodka_domestic');
  expect(outcomeOf(categoryOf('Rosé & Co.'))).toBe('cat_rose_co');
  expect(outcomeOf(categoryOf('CRÈME DE CACAO'))).toBe('cat_creme_de_cacao');
  expect(outcomeOf(categoryOf('Große Weine'))).toBe('cat_grosse_weine');
  expect(titleCase("ORCHARD'S CIDER (EXTRA DRY) OFF-WHITE")).toBe("Orchard's Cider (Extra Dry) Off-White");
});

describe('date-times', () => {
  const style = { zone: 'America/Denver', format: 'M/d/yyyy h:mm a', whenRepeated: null } as const;

  test.each([
    ['3/3/2025 11:05 AM', '2025-03-03T18:05:00Z'],
    ['7/3/2025 11:05 PM', '2025-07-04T05:05:00Z'],
    ['13/3/2025 11:05 AM', null],
    ['2025-03-03', null],
  ])('%s is %s', (text, time) => expect(outcomeOf(dateTime(text, style))).toBe(time));

  test.each([
    ['America/Denver', '3/9/2025 2:30 AM'],
    ['Australia/Lord_Howe', '10/5/2025 2:15 AM'],
    ['Pacific/Apia', '12/30/2011 12:00 PM'],
  ])('a time that the clocks of %s skip is refused: %s', (zone, text) => {
    expect(dateTime(text, { ...style, zone })).toEqual({ expected: `a time that the clocks of ${zone} show` });
  });

  test('a time that the clocks show twice is refused unless the recipe chooses', () => {
    const text = '11/2/2025 1:30 AM';
    expect(dateTime(text, style)).toHaveProperty('expected', expect.stringContaining('"when_repeated"'));
    expect(outcomeOf(dateTime(text, { ...style, whenRepeated: 'earlier' }))).toBe('2025-11-02T07:30:00Z');
    expect(outcomeOf(dateTime(text, { ...style, whenRepeated: 'later' }))).toBe('2025-11-02T08:30:00Z');
  });

  test('RFC 3339 needs neither format nor zone, and an offset in the format no zone', () => {
    const bare = { zone: null, format: null, whenRepeated: null };
    expect(outcomeOf(dateTime('2025-03-03T11:05:00.5-07:00', bare))).toBe('2025-03-03T18:05:00.5Z');
    expect(outcomeOf(dateTime('3/3/2025', bare))).toBeNull();
    expect(outcomeOf(dateTime('2025-03-03 11:05 -0700', { ...bare, format: 'yyyy-MM-dd HH:mm ZZZ' }))).toBe(
      '2025-03-03T18:05:00Z',
    );
  });

  test('a date of a workbook needs a zone, and a time of day is no date', () => {
    expect(outcomeOf(workbookDateTime('2025-03-03', style))).toBe('2025-03-03T07:00:00Z');
    expect(outcomeOf(workbookDateTime('11:05:00', style))).toBeNull();
    expect(workbookDateTime('2025-03-03', { ...style, zone: null })).toHaveProperty(
      'expected',
      expect.stringMatching(/^a zone/),
    );
  });
});
