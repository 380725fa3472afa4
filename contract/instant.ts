const dateTime =
  /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2}:\d{2})(?:\.(\d{1,100}))?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

/** Nearly all instants match this pattern of days that every month has, and need no further checks. */
const ordinary = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;

/** The earliest and the latest bound of a query, because canonical instants have four-digit years. */
const first = '0000-01-01T00:00:00Z';
const last = '9999-12-31T23:59:59.999999999Z';

/**
 * An RFC 3339 date-time as UTC text: `2024-01-02T22:26:37Z`. It has a fraction, without trailing zeros, if the source
 * gave one. Null for anything else, for dates that do not exist, for leap seconds (no clock here can count them), for
 * more than 100 digits of a fraction, and for instants that UTC puts outside the years 0000 to 9999.
 */
export function canonicalInstant(text: string): string | null {
  if (ordinary.test(text)) return text;
  const utc = toUtc(text);
  return utc === null || isOutside(utc) ? null : utc;
}

/**
 * Like {@link canonicalInstant}, but for a bound of a query: a date-time outside the years 0000 to 9999 becomes the
 * first or the last instant of those years.
 */
export function canonicalBound(text: string): string | null {
  const utc = toUtc(text);
  if (utc === null || !isOutside(utc)) return utc;
  return utc.startsWith('-') ? first : last;
}

/** A date-time as UTC text; null for other text. A year outside 0000 to 9999 has a sign and six digits. */
function toUtc(text: string): string | null {
  const match = dateTime.exec(text);
  if (match === null) return null;
  const [, date, time, fraction = '', sign, hours, minutes] = match;
  const local = `${date}T${time}`;
  const milliseconds = Date.parse(`${local}Z`);
  // Date turns 30 February into a day in March, and 24:00 into the next day; then its own text differs.
  if (Number.isNaN(milliseconds) || secondText(milliseconds) !== local) return null;
  const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * (sign === '-' ? -60_000 : 60_000);
  const utc = offset === 0 ? local : secondText(milliseconds - offset);
  return `${utc}${fractionText(fraction)}Z`;
}

function isOutside(utc: string): boolean {
  return /^[+-]/.test(utc);
}

/**
 * Without the final Z, text order is time order: whole seconds have a fixed width, and within a second the shorter
 * fraction is earlier (`05` < `05.1` < `05.123`).
 */
export function compareInstants(a: string, b: string): number {
  if (a.length === b.length) return a === b ? 0 : a < b ? -1 : 1;
  const left = a.slice(0, -1);
  const right = b.slice(0, -1);
  return left < right ? -1 : 1;
}

/** The earlier of two instants. Ignores null. */
export function earlierOf<A extends string | null, B extends string | null>(a: A, b: B): string | (A & B) {
  if (a === null || b === null) return (a ?? b) as A & B;
  return compareInstants(b, a) < 0 ? b : a;
}

/** The later of two instants. Ignores null. */
export function laterOf<A extends string | null, B extends string | null>(a: A, b: B): string | (A & B) {
  if (a === null || b === null) return (a ?? b) as A & B;
  return compareInstants(b, a) > 0 ? b : a;
}

export type InstantSpan = { readonly min: string | null; readonly max: string | null };

/** The oldest and the newest instant. Ignores null. */
export function instantSpan(instants: Iterable<string | null>): InstantSpan {
  let min: string | null = null;
  let max: string | null = null;
  for (const instant of instants) {
    // Most events in a list have the same time as the event before.
    if (instant === min || instant === max) continue;
    min = earlierOf(min, instant);
    max = laterOf(max, instant);
  }
  return { min, max };
}

/** Seconds since 1970. The fraction is as exact as a number allows. */
export function epochSeconds(canonical: string): number {
  return Date.parse(`${canonical.slice(0, 19)}Z`) / 1000 + Number(`0${canonical.slice(19, -1)}`);
}

/** The month of a canonical instant: `2024-01`. */
export function monthOf(canonical: string): string {
  return canonical.slice(0, 'YYYY-MM'.length);
}

/** Milliseconds since 1970 as `2024-01-02T22:26:37`, in UTC. */
export function secondText(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, -'.000Z'.length);
}

function fractionText(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end -= 1;
  return end === 0 ? '' : `.${digits.slice(0, end)}`;
}
