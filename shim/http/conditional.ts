import { parseHttpDate } from './http-date.ts';

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
