/** A value, or what was expected instead of the text. */
export type Converted = { readonly value: unknown } | { readonly expected: string };

/**
 * Prices, sizes and counts as agencies write them. Nothing is computed in binary fractions: decimal texts become
 * integers digit by digit.
 */

const grouped = /^(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d+))?$/;

/** `$1,299.00`, `1299`, `12.5` or `12.99 USD` in cents. */
export function price(text: string): Converted {
  const expected = 'a price like $12.99';
  const bare = text.replace(/^(?:US)?\$\s*|\s*USD$/g, '');
  const match = grouped.exec(bare);
  if (match === null || (match[1]?.length ?? 0) > 2) return { expected };
  const [whole = '', fraction = ''] = bare.replaceAll(',', '').split('.');
  return exact(whole + fraction.padEnd(2, '0'), expected);
}

/** `1,299` or `12.00`, but not `12.5`. */
export function integer(text: string): Converted {
  const expected = 'a whole number like 1,299';
  if (!grouped.test(text)) return { expected };
  const [whole = '', fraction = ''] = text.replaceAll(',', '').split('.');
  return /^0*$/.test(fraction) ? exact(whole, expected) : { expected };
}

/** A decimal number such as a coordinate, `-111.6368`. */
export function decimal(text: string): Converted {
  return /^[+-]?\d{1,15}(?:\.\d{1,20})?$/.test(text)
    ? { value: Number(text) + 0 }
    : { expected: 'a decimal number like -111.6368' };
}

/**
 * A code of digits as text. A spreadsheet turns a code into a number and loses its zeros, which `pad` restores. It also
 * turns long codes into `6.03E+05`, of which digits are lost. Apostrophes and `="…"` keep zeros in spreadsheets.
 */
export function code(text: string, pad: number | null): Converted {
  const bare = text.replace(/^'(?=\d)/, '').replace(/^="(\d*)"$/, '$1');
  if (/^\d+(?:\.\d+)?e\+?\d+$/i.test(bare))
    return { expected: 'a code of digits, not a number in scientific notation' };
  if (!/^\d+$/.test(bare)) return { expected: 'a code of digits' };
  return { value: pad === null ? bare : bare.padStart(pad, '0') };
}

/** Millionths of a milliliter in a unit. United States customary units are rounded to the milliliter. */
const volumes: Readonly<Record<string, { readonly size: bigint; readonly isRounded: boolean }>> = {
  ml: { size: 1_000_000n, isRounded: false },
  cl: { size: 10_000_000n, isRounded: false },
  l: { size: 1_000_000_000n, isRounded: false },
  'fl oz': { size: 29_573_530n, isRounded: true },
  gal: { size: 3_785_411_784n, isRounded: true },
};

const unitNames: Readonly<Record<string, string>> = {
  '': '',
  ml: 'ml',
  mls: 'ml',
  milliliter: 'ml',
  milliliters: 'ml',
  cl: 'cl',
  l: 'l',
  lt: 'l',
  ltr: 'l',
  liter: 'l',
  liters: 'l',
  litre: 'l',
  litres: 'l',
  oz: 'fl oz',
  floz: 'fl oz',
  gal: 'gal',
  gallon: 'gal',
};

/** `750ML`, `1.75 L`, `12 oz` or, in the unit of the recipe, `750`. In milliliters. */
export function volume(text: string, unit: string): Converted {
  const expected = 'a size like 750ML or 1.75 L';
  const match = /^(\d{1,3}(?:,\d{3})+|\d{0,9})(?:\.(\d{1,9}))?\s*([a-z. ]*)$/i.exec(text);
  const [, whole = '', fraction = '', written = ''] = match ?? [];
  if (match === null || whole + fraction === '') return { expected };
  const named = unitNames[written.toLowerCase().replace(/[. ]/g, '')];
  const size = named === undefined ? undefined : volumes[named || unit];
  if (size === undefined) return { expected };
  const scaled = BigInt(whole.replaceAll(',', '') + fraction) * size.size;
  const divisor = 10n ** BigInt(fraction.length) * 1_000_000n;
  if (!size.isRounded && scaled % divisor !== 0n) return { expected: 'a size of whole milliliters' };
  return exact(String((scaled + divisor / 2n) / divisor), expected);
}

/** A number of the North American plan in E.164 form: `(801) 555-0101` as `+18015550101`. */
export function phone(text: string): Converted {
  const digits = text.replace(/[\s().\-\u2010-\u2015/]/g, '').replace(/^\+?1(?=\d{10}$)/, '');
  if (/^[2-9]\d{2}[2-9]\d{6}$/.test(digits)) return { value: `+1${digits}` };
  if (/^\+[1-9]\d{6,14}$/.test(digits)) return { value: digits };
  return { expected: 'a telephone number like (801) 555-0101' };
}

/** The id of a category that has this name: `Vodka - Domestic` as `cat_vodka_domestic`. */
export function categoryOf(text: string): Converted {
  // In capitals, ß is SS.
  const plain = text.toUpperCase().normalize('NFD').replace(/\p{M}/gu, '');
  const words = plain.toLowerCase().match(/[a-z0-9]+/g);
  return words === null ? { expected: 'a name with letters' } : { value: `cat_${words.join('_')}` };
}

/** `ORCHARD CIDER (DRY)` as `Orchard Cider (Dry)`. */
export function titleCase(text: string): string {
  return text.toLowerCase().replace(/(^|[\s(/-])(\p{L})/gu, (_, before, letter) => before + letter.toUpperCase());
}

function exact(digits: string, expected: string): Converted {
  const value = Number(digits);
  return Number.isSafeInteger(value) ? { value } : { expected };
}
