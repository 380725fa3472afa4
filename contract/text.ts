/** The value of a JSON text. Returns null for any other text, which the caller's schema then refuses. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/**
 * The beginning of a value's JSON text: all of it if that is not much longer than `length`, otherwise at least `length`
 * characters. Never walks or copies more, however large the value is.
 */
export function jsonStart(value: unknown, length: number): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, Math.max(0, length + 1)));
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isArray = Array.isArray(value);
  let text = isArray ? '[' : '{';
  for (const [key, member] of isArray ? value.entries() : Object.entries(value)) {
    if (text.length > length) return text;
    if (text.length > 1) text += ',';
    if (typeof key === 'string') text += `${JSON.stringify(key.slice(0, length + 1))}:`;
    text += jsonStart(member, length - text.length);
  }
  return text.length > length ? text : text + (isArray ? ']' : '}');
}

/** Levels of nested arrays and objects. Documents have a dozen. */
export const jsonLevels = 64;

const [quote, backslash, openBracket, openBrace, closeBracket, closeBrace] = [...'"\\[{]}'].map((character) =>
  character.charCodeAt(0),
);

/** Whether JSON has at most {@link jsonLevels} levels. Undefined for bytes that are not JSON. */
export function isShallow(bytes: Uint8Array): boolean {
  let levels = 0;
  let isText = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (isText) {
      if (byte === backslash) index += 1;
      else if (byte === quote) isText = false;
    } else if (byte === quote) isText = true;
    else if (byte === openBracket || byte === openBrace) {
      levels += 1;
      if (levels > jsonLevels) return false;
    } else if (byte === closeBracket || byte === closeBrace) levels -= 1;
  }
  return true;
}

export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The form that searches compare: without accents and apostrophes, in lower case. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}'’‘ʼ`´]/gu, '')
    .toLowerCase();
}

/** The words of a text, folded, in their order. */
export function wordsOf(text: string): string[] {
  return fold(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** The distinct words of texts, folded, in the order of their first appearance. */
export function foldedWords(texts: readonly string[]): string[] {
  return [...new Set(texts.flatMap(wordsOf))];
}

/** Ends a text of more than `most` UTF-16 units with an ellipsis. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  // The cut must not leave half of a surrogate pair.
  return `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** One line for people. Characters from elsewhere must not control a terminal or imitate output. */
export function printable(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}
