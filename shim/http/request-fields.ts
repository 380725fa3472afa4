/** `opaque` has no quotes. */
type EntityTag = { readonly weak: boolean; readonly opaque: string };

/**
 * The validators of a representation. `etag` is strong and has its quotes. `last_modified` is a UTC date-time to the
 * second; null where the time of the last change is unknown.
 */
export type Validators = { readonly etag: string; readonly last_modified: string | null };

/** Anything with the header fields of a request, such as `Headers`. */
export type Fields = { get(name: string): string | null };

/**
 * Whether a GET or HEAD is answered with 304, RFC 9110 13.2.2. If there is an If-None-Match, it alone decides, well
 * formed or not. Otherwise If-Modified-Since decides, unless the resource takes entity tags only, as exports do.
 */
export function isNotModified(fields: Fields, validators: Validators, entityTagsOnly = false): boolean {
  const ifNoneMatch = fields.get('if-none-match');
  // A malformed field names no tag, so the whole representation is sent.
  if (ifNoneMatch !== null) return names(ifNoneMatch, validators.etag, { strongly: false });
  const ifModifiedSince = entityTagsOnly ? null : fields.get('if-modified-since');
  return ifModifiedSince !== null && isUnmodifiedSince(ifModifiedSince, validators.last_modified);
}

/**
 * Whether a GET or HEAD is answered with 412, RFC 9110 13.2.2. If there is an If-Match, it decides by strong
 * comparison. Otherwise If-Unmodified-Since decides, unless the resource takes entity tags only. Both precede the
 * conditions of a 304.
 */
export function isPreconditionFailed(fields: Fields, validators: Validators, entityTagsOnly = false): boolean {
  const ifMatch = fields.get('if-match');
  if (ifMatch !== null) return !names(ifMatch, validators.etag, { strongly: true });
  const ifUnmodifiedSince = entityTagsOnly ? null : fields.get('if-unmodified-since');
  const since = ifUnmodifiedSince === null ? null : parseHttpDate(ifUnmodifiedSince);
  return since !== null && validators.last_modified !== null && secondsOf(validators.last_modified) > since;
}

/**
 * Whether a Range header applies, RFC 9110 13.1.5: if there is no If-Range, or if If-Range is the strong ETag or the
 * exact date of Last-Modified.
 */
export function rangeApplies(fields: Fields, { etag, last_modified }: Validators): boolean {
  const ifRange = fields.get('if-range');
  if (ifRange === null || ifRange === etag) return true;
  return last_modified !== null && parseHttpDate(ifRange) === secondsOf(last_modified);
}

/** The field's entity tags, or null when it is malformed. Empty list elements are allowed, RFC 9110 5.6.1.2. */
export function parseEntityTags(field: string): EntityTag[] | null {
  // A tag may hold commas, so the list cannot be split at them. Every step consumes a character or ends the loop.
  const element = /[ \t]*(?:(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*)?(,|$)/y;
  const tags: EntityTag[] = [];
  for (;;) {
    const match = element.exec(field);
    if (!match) return null;
    const [, weak, opaque, end] = match;
    if (opaque !== undefined) tags.push({ weak: weak !== undefined, opaque });
    if (end === '') return tags;
  }
}

/**
 * Whether a field names an entity tag: If-Match by strong comparison, RFC 9110 13.1.1, If-None-Match by weak, 13.1.2. A
 * malformed field names no tag.
 */
function names(field: string, etag: string, { strongly }: { readonly strongly: boolean }): boolean {
  if (field.trim() === '*') return true;
  return parseEntityTags(field)?.some(({ weak, opaque }) => !(strongly && weak) && `"${opaque}"` === etag) ?? false;
}

/** RFC 9110 13.1.3: a malformed date is ignored. */
function isUnmodifiedSince(field: string, lastModified: string | null): boolean {
  const since = parseHttpDate(field);
  return since !== null && lastModified !== null && secondsOf(lastModified) <= since;
}

function secondsOf(instant: string): number {
  return Math.floor(Date.parse(instant) / 1000);
}

/** Both ends are included, as in Content-Range. */
export type ByteRange = { readonly start: number; readonly end: number };

/**
 * The range of `size` bytes that a Range header requests, RFC 9110 14.1.2 and 14.2. Null means the whole: the header is
 * malformed, has another unit, or requests several ranges.
 */
export function parseByteRange(field: string, size: number): ByteRange | 'unsatisfiable' | null {
  const match = /^bytes=[ \t]*(?:(\d+)-(\d*)|-(\d+))[ \t]*$/i.exec(field);
  if (!match) return null;
  const [, first, last, suffix] = match;
  return suffix === undefined ? fromStart(Number(first), last, size) : fromEnd(Number(suffix), size);
}

function fromStart(start: number, last: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const end = last ? Number(last) : Number.POSITIVE_INFINITY;
  if (end < start) return null;
  return start < size ? { start, end: Math.min(end, size - 1) } : 'unsatisfiable';
}

/**
 * The last `length` bytes; the whole if there are fewer. An empty file is sent whole, as Content-Range cannot express
 * an empty range.
 */
function fromEnd(length: number, size: number): ByteRange | 'unsatisfiable' | null {
  if (length === 0) return 'unsatisfiable';
  return size === 0 ? null : { start: Math.max(0, size - length), end: size - 1 };
}

/** Codings of an Accept-Encoding header with their weights. Malformed elements are ignored. */
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
 * The coding to send, as an index into `codings`, RFC 9110 12.5.3: the one with the greatest weight, the first among
 * equals. Null for identity: the client sent no field, or accepts none of the codings.
 */
export function chooseCoding(field: string | null, codings: readonly string[]): number | null {
  if (field === null || codings.length === 0) return null;
  const weights = parseWeights(field);
  const others = weights.get('*') ?? 0;
  let chosen: number | null = null;
  // Identity is acceptable without being mentioned, but a coding of equal weight is preferred to it.
  let greatest = weights.get('identity') ?? others;
  for (const [index, coding] of codings.entries()) {
    const weight = weights.get(coding) ?? others;
    if (weight > greatest || (weight === greatest && weight > 0 && chosen === null)) {
      chosen = index;
      greatest = weight;
    }
  }
  return chosen;
}

const month = '(?<month>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const day = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const longDay = '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day';
const time = '(?<minutes>\\d{2}:\\d{2}):(?<seconds>[0-5]\\d|60)';

/** IMF-fixdate, RFC 850 date and asctime date, in this order. */
const forms = [
  new RegExp(`^${day}, (?<date>\\d{2}) ${month} (?<year>\\d{4}) ${time} GMT$`),
  new RegExp(`^${longDay}, (?<date>\\d{2})-${month}-(?<year>\\d{2}) ${time} GMT$`),
  new RegExp(`^${day} ${month} (?<date>[ \\d]\\d) ${time} (?<year>\\d{4})$`),
];

/**
 * An HTTP-date as seconds since 1970, or null when it is malformed. Accepts the three forms of RFC 9110 5.6.7 that a
 * recipient must accept, and nothing else that Date.parse would.
 */
export function parseHttpDate(field: string): number | null {
  const groups = forms.map((form) => form.exec(field)?.groups).find((found) => found !== undefined);
  if (groups === undefined) return null;
  const { date = '', month, year = '', minutes, seconds } = groups;
  const text = `${date.replace(' ', '0')} ${month} ${year.length === 2 ? fullYear(Number(year)) : year} ${minutes}:00 GMT`;
  const began = new Date(text);
  // 30 February is none. A leap second is one, and no Date has it.
  if (Number.isNaN(began.getTime()) || !began.toUTCString().endsWith(text)) return null;
  return began.getTime() / 1000 + Number(seconds);
}

/** A two-digit year that seems more than 50 years ahead is the last such year in the past. */
function fullYear(twoDigits: number): number {
  const thisYear = new Date().getUTCFullYear();
  const year = thisYear - (thisYear % 100) + twoDigits;
  return year > thisYear + 50 ? year - 100 : year;
}
