import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { usualProfile } from '../../contract/profile.ts';
import { cellText, numberCell } from '../../generator/import/tables/table.ts';
import {
  type Converted,
  code,
  dateTime,
  decimal,
  integer,
  multiplied,
  percent,
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
      expect(cellText(numberCell(value))).toBe(`${value}`);
    expect(cellText(numberCell(1.2345678901234567e19))).toBe('1.2345678901234567e+19');
  });

  test.each([
    ['US$7', 700],
    ['12.99 USD', 1299],
    ['12.5', 1250],
    ['.99', 99],
    ['442.000', 44200],
    ['12.9900', 1299],
    ['90071992547409.91', Number.MAX_SAFE_INTEGER],
  ])('%s', (text, cents) => expect(outcomeOf(price(text, 'USD'))).toBe(cents));

  test.each([
    'call',
    '-1.00',
    '($1.00)',
    '12.999',
    '12.991',
    '1,29.00',
    '0,750',
    '012,345',
    '€12',
    '',
    '.',
    '1e3',
    '90071992547409.92',
  ])('%s is refused', (text) => expect(price(text, 'USD')).toEqual({ expected: 'a price like $12.99' }));

  // Node says so differently, by its version.
  test.each([
    ['HUF', 129_000],
    ['COP', 129_000],
    ['ISK', 1290],
    ['KWD', 1_290_000],
  ])('%s has the digits of ISO 4217', (currency, minor) => expect(outcomeOf(price('1,290', currency))).toBe(minor));

  test('every price that a person can write comes back exactly', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 40 }), (cents) => {
        const fraction = String(cents % 100).padStart(2, '0');
        const whole = Math.floor(cents / 100);
        for (const text of [`${whole}.${fraction}`, `$${whole.toLocaleString('en-US')}.${fraction}`])
          expect(outcomeOf(price(text, 'USD'))).toBe(cents);
      }),
    );
  });
});

test.each<[what: string, convert: (text: string) => Converted, outcomes: Readonly<Record<string, unknown>>]>([
  [
    'size',
    (text) => volume(text, 'ml'),
    {
      '1.75 L': 1750,
      LITER: 1000,
      'ltr.': 1000,
      '750': 750,
      '50 ml.': 50,
      '37.5cl': 375,
      '1 Liter': 1000,
      '1,000 ml': 1000,
      '12 FL. OZ.': 355,
      '1 gal': 3785,
      '187.5 ml': 187.5,
      '18.75cl': 187.5,
      '1.7503L': null,
      '1.75': null,
      '6/355ML': null,
      ml: null,
    },
  ],
  ['size in centilitres', (text) => volume(text, 'cl'), { '70': 700, '1 L': 1000 }],
  ['count', integer, { '1,299': 1299, '12.00': 12, '12.5': null, '-3': null, '1e3': null, '1,29': null }],
  [
    'code',
    (text) => code(text, 6, null),
    {
      '113': '000113',
      "'000113": '000113',
      '="000113"': '000113',
      '6.03E+05': null,
      '603e3': null,
      '113.0': null,
      A113: null,
    },
  ],
  [
    'telephone number',
    (text) => phone(text, 'US'),
    { '(801) 555-0101': '+18015550101', '1-801-555-0101': '+18015550101', '555-0101': '555-0101', Call: 'Call' },
  ],
  [
    'telephone number with an extension',
    (text) => phone(text, 'US'),
    { '(801) 555-0101 ext. 12': '(801) 555-0101 ext. 12', '801-555-0101 x4': '801-555-0101 x4' },
  ],
  [
    'telephone number in Germany',
    (text) => phone(text, 'DE'),
    { '3012345678': '+493012345678', '+47 22557800': '+4722557800' },
  ],
  ['telephone number in Norway', (text) => phone(text, 'NO'), { '22557800': '+4722557800', '04560': '04560' }],
  [
    'telephone number in Sweden',
    (text) => phone(text, 'SE'),
    { '08-662 22 890': '+46866222890', '0047 22557800': '+4722557800' },
  ],
  ['number of percent', percent, { '13.5': 13.5, '46.00%': 46, '0.5 %': 0.5, '1%5': null }],
  [
    'number that is multiplied',
    (text) => ({ value: multiplied(text, 100) }),
    { '0.135': '13.5', '0.4': '40', '-0.05': '-5', '12': '1200', '0.001': '0.1', '1e3': null, '1 l': null },
  ],
  [
    'code with letters',
    (text) =>
      code(text, null, {
        kind: 'sku',
        profile: { ...usualProfile, sku: { pattern: '^[A-Z]{2}-[0-9]+$', example: 'AB-12' } },
      }),
    { 'AB-12': 'AB-12', 'ab-12': null, 'A-1': null },
  ],
  ['number', decimal, { '-111.636787': -111.636787, '-0': 0, '1e3': null, '-': null }],
])('a %s', (_, convert, outcomes) => {
  for (const [text, outcome] of Object.entries(outcomes)) expect(outcomeOf(convert(text)), text).toBe(outcome);
});

test('a title has capitals as people write them', () => {
  expect(titleCase("ORCHARD'S CIDER (EXTRA DRY) OFF-WHITE")).toBe("Orchard's Cider (Extra Dry) Off-White");
});

describe('date-times', () => {
  const style = { zone: 'America/Denver', format: 'M/d/yyyy h:mm a', whenRepeated: null } as const;

  test.each([
    ['3/3/2025 11:05 AM', '2025-03-03T18:05:00Z'],
    ['7/3/2025 11:05 PM', '2025-07-04T05:05:00Z'],
    ['13/3/2025 11:05 AM', null],
  ])('%s is %s', (text, time) => expect(outcomeOf(dateTime(text, style))).toBe(time));

  test.each([
    ['America/Denver', '3/9/2025 2:30 AM'],
    ['Australia/Lord_Howe', '10/5/2025 2:15 AM'],
  ])('a time that the clocks of %s skip is refused: %s', (zone, text) => {
    expect(dateTime(text, { ...style, zone })).toEqual({ expected: `a time that the clocks of ${zone} show` });
  });

  test('a time that the clocks show twice is refused unless the recipe chooses', () => {
    const text = '11/2/2025 1:30 AM';
    expect(dateTime(text, style)).toHaveProperty('expected', expect.stringContaining('"when_repeated"'));
    expect(outcomeOf(dateTime(text, { ...style, whenRepeated: 'earlier' }))).toBe('2025-11-02T07:30:00Z');
    expect(outcomeOf(dateTime(text, { ...style, whenRepeated: 'later' }))).toBe('2025-11-02T08:30:00Z');
  });

  test.each([
    // The clocks of these skip midnight.
    ['America/Santiago', '2025-09-07', '2025-09-07T04:00:00Z'],
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00Z'],
    ['America/Havana', '2026-03-08', '2026-03-08T05:00:00Z'],
    ['Asia/Beirut', '2026-03-29', '2026-03-28T22:00:00Z'],
    // These show it twice, or set it back on the evening before.
    ['America/Havana', '2026-11-01', '2026-11-01T04:00:00Z'],
    ['America/Santiago', '2026-04-05', '2026-04-05T04:00:00Z'],
    // Summer in Morocco is all year but in Ramadan. British Columbia ends it.
    ['Africa/Casablanca', '2026-02-20', '2026-02-20T00:00:00Z'],
    ['America/Vancouver', '2026-12-15', '2026-12-15T07:00:00Z'],
    ['America/Denver', '2026-12-15', '2026-12-15T07:00:00Z'],
  ])('a day in %s begins with its first instant: %s', (zone, day, time) => {
    expect(outcomeOf(dateTime(day, { zone, format: 'yyyy-MM-dd', whenRepeated: null }))).toBe(time);
    expect(outcomeOf(workbookDateTime(day, { zone, format: null, whenRepeated: null }))).toBe(time);
  });

  test('a text that names its zone is read by the rules that come with the program', () => {
    const named = { zone: null, format: 'yyyy-MM-dd HH:mm z', whenRepeated: null };
    expect(outcomeOf(dateTime('2026-12-15 12:00 America/Vancouver', named))).toBe('2026-12-15T19:00:00Z');
    expect(outcomeOf(dateTime('2026-07-15 12:00 America/Denver', named))).toBe('2026-07-15T18:00:00Z');
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
