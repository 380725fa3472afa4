import type { ProductFact } from './product-facts.ts';

/** Addresses contain an agency's codes unchanged; no two codes differ only in case. */
export const agencyCode = '[0-9A-Z-]{1,32}';

export type CodeFormat = { readonly pattern: string; readonly example: string };

/**
 * The agency's facts, the same in all publications of a site. `currency`: ISO 4217. `country`: ISO 3166-1, of every
 * store. `language`: BCP 47, of names and texts. `time_zone`: IANA, the agency's; null if not stated. `statement`:
 * whether somebody independent or the agency publishes the service. `inventory`: reported for each store, for the whole
 * state in one number, or not at all.
 */
export type Profile = {
  readonly currency: string;
  readonly country: string;
  readonly language: string;
  readonly time_zone: string | null;
  readonly statement: 'independent' | 'agency';
  readonly sku: CodeFormat;
  readonly store_code: CodeFormat;
  readonly inventory: 'stores' | 'statewide' | 'none';
  readonly product_facts: ProductFact[];
};

/** The profile of a site that states none. */
export const usualProfile: Profile = {
  currency: 'USD',
  country: 'US',
  language: 'en',
  time_zone: null,
  statement: 'independent',
  sku: { pattern: '^[0-9]{6}$', example: '001234' },
  store_code: { pattern: '^[0-9]{4}$', example: '0012' },
  inventory: 'stores',
  product_facts: [],
};

export function isUsual(given: Profile): boolean {
  return given === usualProfile || JSON.stringify(given) === JSON.stringify(usualProfile);
}

export type CodeKind = 'sku' | 'store_code';

/** What a message names after "expected": `six digits`, or an example of the agency's codes. */
export function expectedCode(kind: CodeKind, given: Profile, isList = false): string {
  const { pattern, example } = given[kind];
  const usual = { sku: 'six digits', store_code: 'four digits' }[kind];
  if (pattern === usualProfile[kind].pattern) return isList ? `SKUs of ${usual}` : usual;
  const what = { sku: 'SKU', store_code: 'store code' }[kind];
  return isList ? `${what}s like ${example}` : `a ${what} like ${example}`;
}

const anyCode = new RegExp(`^${agencyCode}$`);
const compiled = new Map<string, RegExp>();

export function isCode(kind: CodeKind, given: Profile, text: string): boolean {
  const { pattern } = given[kind];
  const expression = compiled.get(pattern) ?? new RegExp(pattern);
  compiled.set(pattern, expression);
  return anyCode.test(text) && expression.test(text);
}

/** How many digits every code has; null if codes differ in length or have other characters. */
export function fixedDigits(kind: CodeKind, given: Profile): number | null {
  const digits = /^\^\[0-9\]\{(\d+)\}\$$/.exec(given[kind].pattern)?.[1];
  return digits === undefined ? null : Number(digits);
}

/**
 * The currencies whose minor unit does not have 2 digits (ISO 4217), by the number of digits. They are listed here
 * because runtimes differ in this.
 */
const unusualDigits: Readonly<Record<string, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};
const minorDigitsOf = new Map(
  Object.entries(unusualDigits).flatMap(([digits, codes]) => codes.split(' ').map((code) => [code, Number(digits)])),
);

/** The number of digits of a currency's minor unit, ISO 4217: 2 for USD, 0 for JPY. */
export function minorDigits(currency: string): number {
  return minorDigitsOf.get(currency) ?? 2;
}

/**
 * The price as text, which is the same in every locale: `$26.99` for US dollars, and like `26.99 EUR` for other
 * currencies. It has no thousands separators.
 */
export function displayPrice(amountMinor: number, currency: string): string {
  const amount = majorAmount(amountMinor, currency);
  return currency === usualProfile.currency ? `$${amount}` : `${amount} ${currency}`;
}

/** The amount in the major unit, with all digits of the minor unit: `26.90`. */
export function majorAmount(amountMinor: number, currency: string): string {
  const digits = minorDigits(currency);
  const text = String(amountMinor).padStart(digits + 1, '0');
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

export const minorUnit = ({ currency }: Profile) =>
  currency === usualProfile.currency ? 'US cents' : `minor unit of ${currency}`;
export const majorUnit = ({ currency }: Profile) => (currency === usualProfile.currency ? 'US dollars' : currency);

/** Returns `usual` if the site has the usual codes, otherwise `other`. */
export function codeMeaning(kind: CodeKind, usual: string, other: string): (profile: Profile) => string {
  return (given) => (given[kind].pattern === usualProfile[kind].pattern ? usual : other);
}
