import { parsePhoneNumber } from 'awesome-phonenumber';
import { DateTime, IANAZone } from 'luxon';
import { canonicalInstant, compareInstants, epochSeconds } from '../../../contract/instant.ts';
import {
  type CodeKind,
  displayPrice,
  expectedCode,
  isCode,
  minorDigits,
  type Profile,
  usualProfile,
} from '../../../contract/profile.ts';
import { isZone, RuledZone } from '../../snapshot/time-zones.ts';

/** The value, or what was expected instead of the text. `noticed`: what was expected of a text that is kept. */
export type Converted = { readonly value: unknown; readonly noticed?: string } | { readonly expected: string };

/** Prices, sizes and counts as agencies write them. Decimals become integers digit by digit, never as floats. */

/** Digits, perhaps in groups of thousands; the first group does not begin with 0. */
const grouped = /^(?:\d*|[1-9]\d{0,2}(?:,\d{3})+)(?:\.(\d+))?$/;

/** Signs of prices besides the currency's code. */
const signs: Readonly<Record<string, string>> = {
  USD: '(?:US)?\\$',
  CAD: '(?:CA?)?\\$',
  EUR: '€',
  GBP: '£',
  DKK: 'kr\\.?',
  NOK: 'kr\\.?',
  SEK: 'kr\\.?',
};

function signPattern(currency: string): string {
  return `(?:${[signs[currency], currency].filter(Boolean).join('|')})`;
}

export function isSignFor(currency: string, text: string): boolean {
  return new RegExp(`^${signPattern(currency)}$`).test(text);
}

/** Writes `1.299,50` and `1 299,50` as `1,299.50`. */
export function withDecimalPoint(text: string): string {
  const swapped = text.replace(/[.,](?=\d)/g, (sign) => (sign === ',' ? '.' : ','));
  return swapped.replace(/(?<=\d)\s(?=\d{3}(?!\d))/g, ',');
}

/** Reads a price like `$1,299.00`, `1299`, `12.5` or `12.99 USD`. The value is in the minor unit. */
export function price(text: string, currency: string): Converted {
  const digits = minorDigits(currency);
  const expected = `a price like ${displayPrice(1299, currency)}`;
  // The engine caches the compiled pattern.
  const bare = text.replace(new RegExp(`^${signPattern(currency)}\\s*|\\s*${signPattern(currency)}$`, 'g'), '');
  if (bare === '' || !grouped.test(bare)) return { expected };
  const [whole = '', written = ''] = bare.replaceAll(',', '').split('.');
  // A program may write 12.9900, or 6999.0 where the currency has no minor unit.
  const fraction = written.slice(0, digits);
  if (!/^0*$/.test(written.slice(digits))) return { expected };
  return exact(whole + fraction.padEnd(digits, '0'), expected);
}

/** Reads a whole number like `1,299` or `12.00`, but not `12.5`. */
export function integer(text: string): Converted {
  const expected = 'a whole number like 1,299';
  if (!grouped.test(text) || !/^\d/.test(text)) return { expected };
  const [whole = '', fraction = ''] = text.replaceAll(',', '').split('.');
  return /^0*$/.test(fraction) ? exact(whole, expected) : { expected };
}

/** Reads a percentage like `13.5`, `13.5 %`, `46.00%`, `40 % vol` or `35°`. */
export function percent(text: string): Converted {
  const read = decimal(text.replace(/\s*(?:%|°|% ?vol\.?)$/i, ''));
  return 'value' in read ? read : { expected: 'a number of percent like 13.5' };
}

/** Reads a proof like `90` or `90 proof`. The value is in percent: proof in the USA is twice the percent of alcohol. */
export function proof(text: string): Converted {
  const read = decimal(text.replace(/\s*(?:°|proof)$/i, ''));
  return 'value' in read && typeof read.value === 'number'
    ? { value: read.value / 2 }
    : { expected: 'a number of proof like 90' };
}

/** Multiplies a decimal number by a whole one exactly: `0.135` by 100 is `13.5`. Null for other text. */
export function multiplied(text: string, times: number): string | null {
  const [, sign = '', whole = '', fraction = ''] = /^([+-]?)(\d{1,15})(?:\.(\d{1,15}))?$/.exec(text) ?? [];
  if (whole === '') return null;
  const digits = String(BigInt(whole + fraction) * BigInt(times)).padStart(fraction.length + 1, '0');
  const point = digits.length - fraction.length;
  const decimals = digits.slice(point).replace(/0+$/, '');
  return `${sign}${digits.slice(0, point)}${decimals === '' ? '' : `.${decimals}`}`;
}

/** A decimal number, such as a coordinate: `-111.6368`. */
export function decimal(text: string): Converted {
  return /^[+-]?\d{1,15}(?:\.\d{1,20})?$/.test(text)
    ? { value: Number(text) + 0 }
    : { expected: 'a decimal number like -111.6368' };
}

export type OwnCode = { readonly kind: CodeKind; readonly profile: Profile };

/**
 * A code of digits, or one that matches the agency's pattern, as text. A spreadsheet turns a code into a number and
 * loses its zeros, which `pad` restores. It also turns long codes into `6.03E+05`, which loses digits. Apostrophes and
 * `="…"` keep zeros in spreadsheets.
 */
export function code(text: string, pad: number | null, own: OwnCode | null): Converted {
  const bare = text.replace(/^'(?=\d)/, '').replace(/^="(\d*)"$/, '$1');
  if (/^\d+(?:\.\d+)?e\+?\d+$/i.test(bare))
    return { expected: 'a code of digits, not a number in scientific notation' };
  if (/^\d+$/.test(bare)) return { value: pad === null ? bare : bare.padStart(pad, '0') };
  if (own === null || isUsualCode(own)) return { expected: 'a code of digits' };
  return isCode(own.kind, own.profile, bare) ? { value: bare } : { expected: expectedCode(own.kind, own.profile) };
}

function isUsualCode({ kind, profile }: OwnCode): boolean {
  return profile[kind].pattern === usualProfile[kind].pattern;
}

/**
 * Units by name without blanks and dots, and their size in millionths of a milliliter. United States customary units
 * are rounded to the milliliter, as on labels.
 */
const units: Readonly<Record<string, { readonly names: string; readonly size: bigint; readonly isRounded?: true }>> = {
  ml: { names: 'ml mls cc milliliter milliliters', size: 1_000_000n },
  cl: { names: 'cl', size: 10_000_000n },
  l: { names: 'l lt lts ltr ltrs liter liters litre litres', size: 1_000_000_000n },
  'fl oz': { names: 'oz floz', size: 29_573_530n, isRounded: true },
  gal: { names: 'gal gallon', size: 3_785_411_784n, isRounded: true },
};

const unitsByName = new Map(
  Object.values(units).flatMap((unit) => unit.names.split(' ').map((name) => [name, unit] as const)),
);

export function isVolumeUnit(text: string): boolean {
  return unitsByName.has(unitName(text));
}

function unitName(text: string): string {
  return text.toLowerCase().replace(/[. ]/g, '');
}

/**
 * Reads a volume like `750ML`, `1.75 L`, `LITER`, `12 oz` or, in the recipe's unit, `750`. The value is in whole or
 * half milliliters.
 */
export function volume(text: string, unit: string): Converted {
  const expected = 'a size like 750ML or 1.75 L';
  const match = /^([1-9]\d{0,2}(?:,\d{3})+|\d{0,9})(?:\.(\d{1,9}))?\s*([a-z. ]*)$/i.exec(text);
  const [, whole = '', fraction = '', written = ''] = match ?? [];
  const named = unitName(written);
  // One liter is often the word alone.
  const digits = whole + fraction === '' && ['liter', 'litre', 'ltr'].includes(named) ? '1' : whole + fraction;
  if (match === null || digits === '') return { expected };
  const size = named === '' ? units[unit] : unitsByName.get(named);
  if (size === undefined) return { expected };
  const scaled = BigInt(digits.replaceAll(',', '')) * size.size;
  const divisor = 10n ** BigInt(fraction.length) * 1_000_000n;
  if (size.isRounded) return exact(String((scaled + divisor / 2n) / divisor), expected);
  const halves = (scaled * 2n) / divisor;
  if (halves * divisor !== scaled * 2n) return { expected: 'a size of whole or half milliliters' };
  return { value: Number(halves) / 2 };
}

/**
 * A telephone number as people in a country (ISO 3166) write it, in E.164 form: `(801) 555-0101` as `+18015550101`. A
 * number that cannot exist there stays as it is, because nobody can be sure what it means. So does one with an
 * extension, which E.164 cannot express.
 */
export function phone(text: string, country: string): Converted {
  const { valid: isValid, number } = parsePhoneNumber(text, { regionCode: country });
  const isExtended = isValid && number.rfc3966.includes(';ext=');
  if (isValid && !isExtended) return { value: number.e164 };
  if (isExtended) return { value: text, noticed: 'a telephone number without an extension; it is published as it is' };
  return { value: text, noticed: `a telephone number of ${country}, or one that begins with + and its country` };
}

/** Writes `ORCHARD CIDER (DRY)` as `Orchard Cider (Dry)`. */
export function titleCase(text: string): string {
  return text.toLowerCase().replace(/(^|[\s(/-])(\p{L})/gu, (_, before, letter) => before + letter.toUpperCase());
}

function exact(digits: string, expected: string): Converted {
  const value = Number(digits);
  return Number.isSafeInteger(value) ? { value } : { expected };
}

/**
 * How a column writes times. `format` has Luxon's tokens. A format without an offset or a zone needs a `zone`, and so
 * does a date in a workbook.
 */
type TimeStyle = {
  readonly zone: string | null;
  readonly format: string | null;
  readonly whenRepeated: 'earlier' | 'later' | null;
};

const english = { locale: 'en-US', numberingSystem: 'latn' } as const;

/** Whether a format has an offset or a zone, and therefore needs no `zone`. */
export function saysOffset(format: string): boolean {
  return /Z/i.test(format.replace(/'[^']*'/g, ''));
}

/** Whether a format has a time of day. Without one it means the whole day, which begins with its first instant. */
function saysTime(format: string): boolean {
  return /[hHmsSuqtTfFXx]/.test(format.replace(/'[^']*'/g, ''));
}

/** Whether a format has a year. Without one, Luxon takes the current year. */
export function saysYear(format: string): boolean {
  return /[ykDfF]/.test(format.replace(/'[^']*'/g, ''));
}

/**
 * Earlier times are stand-ins for no time, such as 1899-12-30, 1970-01-01 and 1980-01-01, or have a year of two digits.
 */
const earliest = '1990-01-01T00:00:00Z';

/** What was expected instead of a time in a snapshot published at `publishedAt`; null if the time is plausible. */
export function expectedTime(time: string, publishedAt: string | null): string | null {
  if (compareInstants(time, earliest) < 0) return 'a time from 1990 on';
  const isLate = publishedAt !== null && epochSeconds(time) > epochSeconds(publishedAt) + 86_400;
  return isLate ? `a time at most a day after the publication at ${publishedAt}` : null;
}

/** A time as UTC text. Refuses a wall-clock time that its zone skips, or repeats without a choice in the recipe. */
export function dateTime(text: string, { zone, format, whenRepeated }: TimeStyle): Converted {
  if (format === null) return rfc3339(text);
  if (saysOffset(format)) {
    const read = DateTime.fromFormat(text, format, { ...english, setZone: true });
    if (!read.isValid) return { expected: likeThis(format) };
    // Luxon reads a text that names its zone by the rules of the host, which may differ from ours.
    const isNamed = read.zone instanceof IANAZone && isZone(read.zone.name);
    return isNamed
      ? inZone(read.setZone('utc', { keepLocalTime: true }), read.zone.name, whenRepeated)
      : { value: utcText(read) };
  }
  const wall = DateTime.fromFormat(text, format, { ...english, zone: 'utc' });
  if (!wall.isValid) return { expected: likeThis(format) };
  return saysTime(format) ? inZone(wall, zone ?? 'UTC', whenRepeated) : dayInZone(wall, zone ?? 'UTC');
}

/** A date in a workbook, `2024-03-01` or `2024-03-01T14:05:00`, as wall-clock time in a zone. */
export function workbookDateTime(text: string, { zone, whenRepeated }: TimeStyle): Converted {
  if (zone === null) return { expected: 'a zone in the recipe, because a date of a workbook has none' };
  const wall = DateTime.fromISO(text, { zone: 'utc' });
  // Luxon reads a time without a date as a time today.
  if (!wall.isValid || !/^\d{4}-\d{2}-\d{2}/.test(text)) return { expected: 'a date' };
  return text.includes('T') ? inZone(wall, zone, whenRepeated) : dayInZone(wall, zone);
}

const zones = new Map<string, RuledZone>();

function ruledZone(name: string): RuledZone {
  const zone = zones.get(name) ?? new RuledZone(name);
  zones.set(name, zone);
  return zone;
}

/** The first instant of a day. Where clocks change at midnight, 00:00 may not exist or come twice. */
function dayInZone(midnight: DateTime, name: string): Converted {
  const zone = ruledZone(name);
  const wall = midnight.toMillis();
  const minute = 60_000;
  const offsets = [wall - 1440 * minute, wall + 1440 * minute].map((instant) => zone.offset(instant));
  const instants = offsets.map((offset) => wall - offset * minute).sort((a, b) => a - b);
  const first = instants.find((instant) => instant + zone.offset(instant) * minute >= wall) ?? wall;
  return { value: utcText(DateTime.fromMillis(first)) };
}

function inZone(wall: DateTime, zone: string, whenRepeated: TimeStyle['whenRepeated']): Converted {
  const local = wall.setZone(ruledZone(zone), { keepLocalTime: true });
  const isShown = local.hour === wall.hour && local.minute === wall.minute && local.ordinal === wall.ordinal;
  if (!isShown) return { expected: `a time that the clocks of ${zone} show` };
  const both = local.getPossibleOffsets().sort((a, b) => a.toMillis() - b.toMillis());
  if (both.length > 1 && whenRepeated === null) {
    return { expected: `a time that the clocks of ${zone} show once; "when_repeated" says which one counts` };
  }
  const chosen = whenRepeated === 'later' ? both.at(-1) : both.at(0);
  return { value: utcText(chosen ?? local) };
}

function rfc3339(text: string): Converted {
  const value = canonicalInstant(text);
  return value === null ? { expected: 'a date-time like 2024-01-02T22:26:37Z, or a format and a zone' } : { value };
}

function utcText(time: DateTime): string {
  return canonicalInstant(time.toUTC().toISO({ suppressMilliseconds: true }) ?? '') ?? '';
}

function likeThis(format: string): string {
  const example = DateTime.fromISO('2024-03-09T14:05:00Z', { zone: 'utc' });
  return `a date-time like ${example.setLocale('en-US').toFormat(format)}`;
}
