import { type Cell, cellKind, cellText, trimmed } from '../tables/table.ts';
import { code, integer, price, volume, withDecimalPoint } from '../values/conversions.ts';

/* Guesses what the values of a column are. A header tells only what its writer intended. */

/** Texts with a decimal point. Without `decimal` in the file's rule, the decimal sign is guessed from the values. */
export function decimalTexts(values: readonly Cell[], decimal: '.' | ',' | undefined): string[] {
  const texts = values.map((cell) => trimmed(cellText(cell)));
  const sign = decimal ?? guessDecimalSign([texts]);
  return texts.map((text, index) =>
    sign === ',' && cellKind(values[index]) !== 'number' ? withDecimalPoint(text) : text,
  );
}

/** Whether most texts pass. The others are faults for a person to see. */
function most(texts: readonly string[], is: (text: string) => boolean, share = 0.8): boolean {
  return texts.length > 0 && texts.filter(is).length >= share * texts.length;
}

const plainNumber = /^(?:\d{1,7}(?:\.\d{1,4})?|\.\d{1,4})$/;

/** How sizes are written: with units, in a unit that the values reveal, or in an unknown unit. */
export type SizeStyle = 'written' | 'ml' | 'l' | 'unclear';

/**
 * The style of sizes; null if the column has none. Numbers are milliliters if most are from 20 to 60,000 and half are
 * at least 100. Numbers below 60 with fractions are liters. Small whole numbers count bottles.
 */
export function guessSizeStyle(texts: readonly string[], counts: readonly number[] = []): SizeStyle | null {
  if (most(texts, isWrittenSize, 0.6)) return 'written';
  // Only a size is written like this. Packs and other words beside sizes cannot be read as sizes.
  const rowsOf = (is: (text: string) => boolean) =>
    texts.reduce((sum, text, index) => sum + (is(text) ? (counts[index] ?? 0) : 0), 0);
  if (rowsOf(isWrittenSize) > 0.2 * rowsOf(() => true)) return 'written';
  if (!most(texts, (text) => plainNumber.test(text))) return null;
  const numbers = texts
    .filter((text) => plainNumber.test(text))
    .map(Number)
    .sort((a, b) => a - b);
  const median = numbers[Math.floor(numbers.length / 2)] ?? 0;
  if (median >= 100 && numbers.filter((one) => one >= 20 && one <= 60_000).length >= 0.8 * numbers.length) return 'ml';
  const hasFractions = numbers.some((one) => !Number.isInteger(one));
  if (hasFractions && median < 20 && numbers.every((one) => one <= 60)) return 'l';
  return median < 20 && !hasFractions ? null : 'unclear';
}

export function isWrittenSize(text: string): boolean {
  return isOneSize(text) || isOneSize(packSize.exec(text)?.[1] ?? '');
}

function isOneSize(text: string): boolean {
  return /[a-z]/i.test(text) && 'value' in volume(text, 'ml');
}

/** A pack and the size of one: `6 x 0.5 l`. */
const packSize = /^\d{1,3} ?[x×*] ?(\S.*)$/i;

/** Whether all texts are sizes, and some of them are packs that state the size of one container. */
export function isPackColumn(texts: readonly string[]): boolean {
  return texts.every(isWrittenSize) && !texts.every(isOneSize);
}

export const packPattern = '^(\\d{1,3}) ?[xX×*]';

/** A pattern for the size within a text; null if every text is only a size. `isPacked`: texts may be packs. */
export function sizePattern(texts: readonly string[], isPacked: boolean): string | null {
  if (texts.every(isOneSize)) return null;
  const units = new Set(texts.filter(isWrittenSize).map((text) => /[a-z][a-z. ]*$/i.exec(text)?.[0] ?? ''));
  const escaped = [...units]
    .filter((unit) => unit !== '')
    .sort()
    .map((unit) => unit.replaceAll('.', '\\.'));
  if (escaped.length === 0) return null;
  // One liter may be written as the word alone.
  const digits = texts.some((text) => isOneSize(text) && !/\d/.test(text)) ? '[\\d., ]*' : '[\\d., ]+';
  const size = `${digits}(?:${escaped.join('|')})`;
  return isPacked ? `^(?:\\d{1,3} ?[xX×*] ?)?(${size})$` : `^${size}$`;
}

const usualSizes = new Set(
  [
    50, 60, 100, 180, 187, 200, 250, 275, 330, 350, 355, 375, 440, 473, 500, 568, 620, 650, 700, 720, 750, 1000, 1125,
  ].concat([1140, 1500, 1750, 2000, 2250, 3000, 4000, 5000, 18_900, 19_500, 20_000, 30_000, 50_000]),
);

export function areUsualSizes(texts: readonly string[]): boolean {
  const isUsual = (text: string) => usualSizes.has(Number(text)) || usualSizes.has(Math.round(Number(text) * 1000));
  return guessSizeStyle(texts) !== null && most(texts, (text) => plainNumber.test(text) && isUsual(text));
}

export function arePacks(texts: readonly string[]): boolean {
  return most(texts, (text) => /^\d{1,3}(?:\.0+)?$/.test(text) && Number(text) >= 1 && Number(text) <= 60, 0.7);
}

/**
 * Whether texts are numbers of bottles in packs, of which some are 1. Stock differs: it also runs out, and can be any
 * number.
 */
export function areUsualPacks(texts: readonly string[]): boolean {
  const isUsual = (text: string) => usualPacks.has(Number(text));
  const isNeverPack = (text: string) => ['0', '7', '11', '13'].includes(text);
  const isPossible = arePacks(texts) && texts.length > 1 && !texts.some(isNeverPack);
  return isPossible && texts.includes('1') && most(texts, isUsual, 0.8);
}

export function arePackSizes(texts: readonly string[]): boolean {
  const isUsual = (text: string) => usualPacks.has(Number(text));
  const ofCases = texts.filter((text) => [6, 12, 24].includes(Number(text)));
  return arePacks(texts) && texts.length <= 20 && texts.every(isUsual) && ofCases.length >= 2;
}

const oneContainer = /^(?:btls?|bot|bottles?|cans?|kegs?|ea|each|units?|single|pc|pcs)\.?$/i;
const container = '(?:cs|cases?|ctn|cartons?|pk|packs?|box|bx|tray)';
const severalContainers = new RegExp(
  `^${container}[ /-]?(?<after>\\d{1,3})?$|^(?<before>\\d{1,3})[ /-]?(?:${container}|ct|btls?|bottles?|cans?)$`,
  'i',
);

/** How many containers a unit of sale has: `BTL`, `CS6`, `12 PK`. Null for a pack or case of unknown size. */
export function containersIn(word: string): number | null {
  if (oneContainer.test(word)) return 1;
  const { after, before } = severalContainers.exec(word)?.groups ?? {};
  return after === undefined && before === undefined ? null : Number(after ?? before);
}

/** A pattern for a pack instead of a size: `6pk`. */
export const packWordPattern = '^(\\d{1,3})[ /-]?[pP](?:[kK]|[aA][cC][kK])[sS]?$';

/** Whether some sizes are numbers of packs, and no word hides another number. */
export function hasPackWords(texts: readonly string[]): boolean {
  const isPack = new RegExp(packWordPattern);
  return (
    texts.some((text) => isPack.test(text)) && texts.every((text) => isPack.test(text) || !severalContainers.test(text))
  );
}

export function areUnitsOfSale(texts: readonly string[]): boolean {
  const isUnit = (text: string) => oneContainer.test(text) || severalContainers.test(text);
  return (
    texts.length > 0 && texts.length <= 20 && texts.every(isUnit) && texts.some((text) => containersIn(text) !== 1)
  );
}

const usualPacks = new Set([
  1, 2, 3, 4, 5, 6, 8, 9, 10, 12, 15, 16, 18, 20, 24, 28, 30, 32, 36, 40, 48, 60, 72, 96, 100, 120,
]);

export function isWhole(text: string): boolean {
  return /^(?:\d+|\d{1,3}(?:,\d{3})+)$/.test(text);
}

export function areQuantities(texts: readonly string[]): boolean {
  return most(texts, (text) => 'value' in integer(text));
}

export function arePrices(texts: readonly string[]): boolean {
  return most(texts, (text) => 'value' in price(text.replace(/^[^\d]{0,4}|[^\d]{0,4}$/g, ''), 'USD'));
}

/**
 * Whether texts are amounts with two decimals, in the range of what a bottle costs. Only prices are written like this.
 */
export function areLikelyPrices(texts: readonly string[]): boolean {
  const bare = texts.map((text) => text.replace(/^[^\d-]{0,3}|[^\d]{0,3}$/g, '').replaceAll(',', ''));
  if (!most(bare, (text) => /^\d{1,6}\.\d{2}$/.test(text), 0.7)) return false;
  const amounts = bare.map(Number).sort((a, b) => a - b);
  const middle = amounts[Math.floor(amounts.length / 2)] ?? 0;
  return texts.length >= 3 && middle >= 1 && middle <= 2000;
}

/**
 * Whether texts are contents of alcohol, in percent or as fractions. No beverage has more than 96 %; proof is twice as
 * much.
 */
export function areAlcohols(texts: readonly string[]): boolean {
  if (!most(texts, (text) => /^\d{0,3}(?:\.\d+)?\s*(?:[%°].*)?$/.test(text))) return false;
  const numbers = texts.map((text) => Number(text.replace(/\s*[%°].*$/, ''))).filter((one) => one > 0);
  const highest = Math.max(...numbers);
  const middle = numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
  return (highest <= 96 && middle >= 1) || areFractions(texts);
}

export function areFractions(texts: readonly string[]): boolean {
  const numbers = texts.map(Number);
  return numbers.some((one) => one > 0) && numbers.every((one) => one >= 0 && one <= 0.96);
}

export function areYears(texts: readonly string[]): boolean {
  return most(texts, isYear, 0.5) && texts.every((text) => isYear(text) || !/\d/.test(text) || text === '0');
}

export function isYear(text: string): boolean {
  return /^(?:18|19|20)\d\d$/.test(text);
}

/** Whether this share of the values has the check digit of a Global Trade Item Number (GS1 General Specifications). */
export function areGtins(texts: readonly string[], share: number): boolean {
  return most(texts, isGtin, share);
}

function isGtin(text: string): boolean {
  if (!/^(?:\d{8}|\d{12,14})$/.test(text) || /^0+$/.test(text)) return false;
  const digits = [...text].reverse().map(Number);
  const sum = digits.reduce((total, digit, index) => total + digit * (index % 2 === 0 ? 1 : 3), 0);
  return sum % 10 === 0;
}

/**
 * Whether texts are codes that differ in every row and are not row numbers. `filled`: how many rows have a value.
 * `least`: fewer codes prove nothing.
 */
export function areUniqueCodes(texts: readonly string[], filled: number, least = 3): boolean {
  if (texts.length < least || texts.length < filled || !most(texts, isCodeLike, 0.95)) return false;
  const first = Number(texts[0]);
  const isCounted = first <= 1 && texts.every((text, index) => Number(text) === first + index);
  return !isCounted && !texts.some((text) => /\d\.\d/.test(text));
}

export function areNames(texts: readonly string[]): boolean {
  return texts.length >= 3 && most(texts, (text) => /\p{L}{2,}.*[\s-]/u.test(text) && text.length >= 6, 0.6);
}

export function areStreets(texts: readonly string[]): boolean {
  return most(texts, (text) => /^\d+\w? \p{L}|\p{L} \d+ ?\p{L}?$/u.test(text));
}

export function areWords(texts: readonly string[]): boolean {
  return most(texts, (text) => /^\p{L}[^\d@/]+$/u.test(text));
}

/** Whether texts are words that repeat, as categories do. `filled`: how many rows have a value. */
export function areGroups(texts: readonly string[], filled: number): boolean {
  const isWord = (text: string) => /^\p{L}.{2,39}$/u.test(text) && !/^https?:/.test(text);
  return texts.length >= 3 && texts.length <= 200 && filled >= 5 * texts.length && most(texts, isWord, 0.95);
}

export function areCodes(texts: readonly string[]): boolean {
  return most(texts, isCodeLike);
}

function isCodeLike(text: string): boolean {
  return /^[0-9A-Z-]{1,32}$/.test(bareCode(text)) && /\d/.test(text);
}

/** Removes what a spreadsheet or a program adds to a code. */
export function bareCode(text: string): string {
  const read = code(text, null, null);
  return 'value' in read ? String(read.value) : text;
}

/** The pattern of codes, an example, and whether shorter codes may have lost zeros. */
export function guessCodeFormat(texts: readonly string[]) {
  const codes = texts.filter(isCodeLike).map(bareCode);
  const lengths = codes.map(({ length }) => length);
  const [least, longest] = [Math.min(...lengths), Math.max(...lengths)];
  const isDigits = codes.every((one) => /^\d+$/.test(one));
  const repeat = least === longest ? `{${longest}}` : `{${isDigits ? 1 : least},${longest}}`;
  const shorter = lengths.filter((length) => length < longest).length;
  const mayLackZeros =
    isDigits &&
    shorter > 0 &&
    codes.length >= 10 &&
    shorter <= 0.2 * codes.length &&
    !codes.some((one) => one.startsWith('0'));
  return { pattern: `^[${isDigits ? '0-9' : '0-9A-Z-'}]${repeat}$`, example: codes[0] ?? '', mayLackZeros };
}

const symbols: Readonly<Record<string, string>> = {
  '€': 'EUR',
  '£': 'GBP',
  '¥': 'JPY',
  zł: 'PLN',
  '₺': 'TRY',
  '₹': 'INR',
};

/** The only currency in values and header. Null for none or several, or for a sign that several currencies share. */
export function currencyIn(header: string, texts: readonly string[]): string | null {
  const known = new Set(Intl.supportedValuesOf('currency'));
  const found = new Set<string>();
  for (const text of [header, ...texts]) {
    for (const [symbol, currency] of Object.entries(symbols)) if (text.includes(symbol)) found.add(currency);
    for (const word of text.match(/(?<![A-Z])[A-Z]{3}(?![A-Z])/g) ?? []) if (known.has(word)) found.add(word);
  }
  return found.size === 1 ? ([...found][0] ?? null) : null;
}

/**
 * The decimal sign of some columns. Undefined if their values do not reveal it, or do not need it: a point is clear
 * unless three digits follow.
 */
export function guessDecimalSign(columns: readonly (readonly string[])[]): ',' | '.' | undefined {
  const withComma = columns.filter((texts) =>
    most(texts, (text) => /^[^\d,-]{0,4}\d{1,3}(?:[ .\u00a0]?\d{3})*,\d{1,2}\D*$/.test(text), 0.6),
  );
  const withPoint = columns.filter((texts) => most(texts, (text) => /^[^\d,-]{0,4}\d+\.\d{1,2}$/.test(text), 0.6));
  if (withComma.length > 0) return withPoint.length === 0 ? ',' : undefined;
  const isUnclear = columns.some((texts) => texts.some((text) => /^\d{1,3}\.\d{3}$/.test(text)));
  return withPoint.length > 0 && isUnclear ? '.' : undefined;
}
