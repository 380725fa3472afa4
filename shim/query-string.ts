/** A decoded name and value in a query. `text` is null if the percent-encoded bytes are not UTF-8. */
export type QueryPair = { readonly name: string; readonly text: string | null };

/** Parameters in which a plus means a space, as in forms. Elsewhere a plus is a plus, RFC 3986 2.2. */
const plusIsSpace = new Set(['q']);

/** The pairs of a query without its question mark, in order. Empty pairs are skipped. */
export function parseQueryString(query: string): QueryPair[] {
  return query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const equals = pair.indexOf('=');
      const rawName = equals < 0 ? pair : pair.slice(0, equals);
      const rawText = equals < 0 ? '' : pair.slice(equals + 1);
      const name = decode(rawName) ?? rawName;
      return { name, text: decode(plusIsSpace.has(name) ? rawText.replaceAll('+', ' ') : rawText) };
    });
}

/** Characters that are the same in a query, decoded or not. */
const isPlain = /^[\w.,:/?@~*'()!-]*$/;

/**
 * Decodes percent-encoding; null if the bytes are not UTF-8. Bytes that should have been percent-encoded appear in the
 * target as one character each, and are decoded too.
 */
function decode(text: string): string | null {
  if (isPlain.test(text)) return text;
  const escaped = text.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`);
  try {
    return decodeURIComponent(escaped);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

/**
 * Formats names and values as a query that {@link parseQueryString} reads. Characters that RFC 3986 allows in a query
 * are not escaped.
 */
export function formatQueryString(pairs: readonly (readonly [name: string, text: string])[]): string {
  return pairs.map(([name, text]) => `${name}=${encode(text)}`).join('&');
}

function encode(text: string): string {
  if (isPlain.test(text)) return text;
  return encodeURIComponent(text).replace(/%(?:2C|3A|40|2F|3F)/g, (escaped) => decodeURIComponent(escaped));
}
