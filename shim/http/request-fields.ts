/**
 * The validators of a representation. `etag` is strong and includes its quotes. `modified` is in whole seconds since
 * 1970; null if the time of the last change is unknown, or if conditions compare only the entity tag.
 */
export type Validators = { readonly etag: string; readonly modified: number | null };

/** Anything with the header fields of a request, such as `Headers`. */
export type Fields = { get(name: string): string | null };

/**
 * How the conditions of a GET or HEAD turn out, RFC 9110 13.2.2: 412, 304, or null if the whole body is wanted. A field
 * of entity tags overrides the field with the corresponding date, even if the tags are malformed.
 *
 * If-Modified-Since must be the Last-Modified itself. That is when the data were published, and the host may have
 * served older bytes for a while after it, so a later date, such as that of a download, does not show that the client
 * has them.
 */
export function conditionalStatus(fields: Fields, { etag, modified }: Validators): 412 | 304 | null {
  /** The date in a field. Null without the field, if it is malformed, or if dates are ignored. */
  const dateIn = (name: string) => (modified === null ? null : parseHttpDate(fields.get(name)));
  const ifMatch = fields.get('if-match');
  const unmodifiedSince = dateIn('if-unmodified-since');
  const isMatching =
    ifMatch === null ? unmodifiedSince === null || Number(modified) <= unmodifiedSince : names(ifMatch, etag, true);
  if (!isMatching) return 412;
  const ifNoneMatch = fields.get('if-none-match');
  const isKnown =
    ifNoneMatch === null
      ? modified !== null && dateIn('if-modified-since') === modified
      : names(ifNoneMatch, etag, false);
  return isKnown ? 304 : null;
}

/**
 * The headers of an answer that is sent whole, without a Last-Modified that says nothing new. curl compares it with the
 * date that it sent, whatever the status, and would drop the answer in favor of its older copy.
 */
export function withoutKnownDate<Headers extends Readonly<Record<string, string>>>(
  fields: Fields,
  headers: Headers,
): Omit<Headers, 'Last-Modified'> {
  const since = parseHttpDate(fields.get('if-modified-since'));
  const modified = since === null ? null : parseHttpDate(headers['Last-Modified'] ?? null);
  if (since === null || modified === null || since < modified) return headers;
  const { 'Last-Modified': _, ...others } = headers;
  return others;
}

/**
 * Whether a Range header applies, RFC 9110 13.1.5: if there is no If-Range, or if If-Range is the strong ETag. Files
 * with ranges support conditions on entity tags only, contract.md 5, so a date gets the whole file.
 */
export function rangeApplies(fields: Fields, etag: string): boolean {
  const ifRange = fields.get('if-range');
  return ifRange === null || ifRange === etag;
}

/**
 * Whether a field names an entity tag, by strong comparison for If-Match, RFC 9110 13.1.1, or by weak comparison for
 * If-None-Match, 13.1.2. A malformed field names no tag. Empty list elements are allowed, RFC 9110 5.6.1.2.
 */
function names(field: string, etag: string, strongly: boolean): boolean {
  if (field === etag || field.trim() === '*') return true;
  // A tag can contain commas, so the list cannot be split at them. Every step consumes a character or ends the loop.
  const element = /[ \t]*(?:(W\/)?("[\x21\x23-\x7e\x80-\xff]*")[ \t]*)?(,|$)/y;
  let isNamed = false;
  for (;;) {
    const match = element.exec(field);
    if (!match) return false;
    const [, weak, tag, end] = match;
    if (tag === etag && !(strongly && weak)) isNamed = true;
    if (end === '') return isNamed;
  }
}

/** A UTC date-time in whole seconds since 1970. */
export function toSeconds(instant: string): number {
  return Math.floor(Date.parse(instant) / 1000);
}

/** Both ends are inclusive, as in Content-Range. */
export type ByteRange = { readonly start: number; readonly end: number };

/**
 * The range of `size` bytes that a Range header requests, RFC 9110 14.1.2 and 14.2. Null means the whole: the header is
 * malformed, uses another unit, or requests several ranges.
 */
export function parseByteRange(field: string, size: number): ByteRange | 'unsatisfiable' | null {
  const match = /^bytes=[ \t]*(?:(\d+)-(\d*)|-(\d+))[ \t]*$/i.exec(field);
  if (!match) return null;
  const [, first, last, suffix] = match;
  const start = suffix === undefined ? Number(first) : Math.max(0, size - Number(suffix));
  const end = last ? Number(last) : Number.POSITIVE_INFINITY;
  // The last bytes of an empty file are sent as the whole file, because Content-Range cannot express an empty range.
  if (end < start || (size === 0 && Number(suffix) > 0)) return null;
  return start < size ? { start, end: Math.min(end, size - 1) } : 'unsatisfiable';
}

/** The codings in an Accept-Encoding header with their weights. Malformed elements are ignored. */
function parseWeights(field: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const element of field.toLowerCase().split(',')) {
    const match = /^([!#$%&'*+\-.^_`|~0-9a-z]+)(?:[ \t]*;[ \t]*q=([01](?:\.\d{0,3})?))?$/.exec(element.trim());
    if (!match) continue;
    const [, name = '', weight = '1'] = match;
    weights.set(name === 'x-gzip' ? 'gzip' : name, Math.min(1, Number(weight)));
  }
  return weights;
}

/**
 * The coding to send, RFC 9110 12.5.3: the one with the greatest weight, and the first among equals. Identity is
 * acceptable even if it is not mentioned, but a coding of equal weight is preferred. Null means identity: the client
 * sent no field, or accepts none of the codings.
 */
export function chooseCoding<Coding extends string>(field: string | null, codings: readonly Coding[]): Coding | null {
  if (field === null || codings.length === 0) return null;
  const weights = parseWeights(field);
  const weightFor = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0;
  const greatest = Math.max(Number.MIN_VALUE, weightFor('identity'), ...codings.map(weightFor));
  return codings.find((coding) => weightFor(coding) === greatest) ?? null;
}

const month = '(?<month>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const day = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const longDay = '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day';
const time = '(?<minutes>\\d{2}:\\d{2}):(?<seconds>[0-5]\\d|60)';

/** IMF-fixdate, RFC 850 date and asctime date, in that order. */
const forms = [
  new RegExp(`^${day}, (?<date>\\d{2}) ${month} (?<year>\\d{4}) ${time} GMT$`),
  new RegExp(`^${longDay}, (?<date>\\d{2})-${month}-(?<year>\\d{2}) ${time} GMT$`),
  new RegExp(`^${day} ${month} (?<date>[ \\d]\\d) ${time} (?<year>\\d{4})$`),
];

/**
 * An HTTP-date in seconds since 1970, or null if there is none or it is malformed. Accepts the three forms that a
 * recipient must accept, RFC 9110 5.6.7, and nothing else that Date.parse would.
 */
export function parseHttpDate(field: string | null): number | null {
  if (field === null) return null;
  const groups = forms.map((form) => form.exec(field)?.groups).find((found) => found !== undefined);
  if (groups === undefined) return null;
  const { date = '', month, year = '', minutes, seconds } = groups;
  const text = `${date.replace(' ', '0')} ${month} ${year.length === 2 ? fullYear(Number(year)) : year} ${minutes}:00 GMT`;
  const began = new Date(text);
  // 30 February does not exist. A leap second does, but Date cannot express it.
  if (Number.isNaN(began.getTime()) || !began.toUTCString().endsWith(text)) return null;
  return began.getTime() / 1000 + Number(seconds);
}

/** A two-digit year that appears to be more than 50 years ahead means the most recent such year in the past. */
function fullYear(twoDigits: number): number {
  const thisYear = new Date().getUTCFullYear();
  const year = thisYear - (thisYear % 100) + twoDigits;
  return year > thisYear + 50 ? year - 100 : year;
}
