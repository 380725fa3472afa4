/** Both ends count, as in Content-Range. */
export type ByteRange = { readonly start: number; readonly end: number };

/**
 * The one range that a Range header asks of `size` bytes, RFC 9110 14.1.2 and 14.2.
 * Null means the whole: the header is malformed, of another unit, or asks for several ranges.
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

/** The last bytes; more of them than there are is the whole, which for an empty file no Content-Range can say. */
function fromEnd(length: number, size: number): ByteRange | 'unsatisfiable' | null {
  if (length === 0) return 'unsatisfiable';
  return size === 0 ? null : { start: Math.max(0, size - length), end: size - 1 };
}
