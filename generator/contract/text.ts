/** Parses a text as JSON. Returns null for text that is not JSON, which the caller's schema then refuses. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** A container that is being written: what closes it, and what of it is still to come. */
type Open = { readonly close: string; readonly members: Iterator<readonly [prefix: string, value: unknown]> };

/**
 * The beginning of a value's JSON text: all of it where that is not much longer than `length`, else at least so many
 * characters. It neither walks nor copies more than that, however large or deep the value is.
 */
export function jsonStart(value: unknown, length: number): string {
  const written: string[] = [];
  const open: Open[] = [];
  let total = 0;
  const write = (text: string) => {
    written.push(text);
    total += text.length;
  };
  const begin = (inner: unknown) => {
    if (typeof inner === 'string') write(JSON.stringify(inner.slice(0, length - total + 1)));
    else if (typeof inner !== 'object' || inner === null) write(JSON.stringify(inner));
    else {
      const isArray = Array.isArray(inner);
      write(isArray ? '[' : '{');
      open.push({ close: isArray ? ']' : '}', members: isArray ? itemsOf(inner) : fieldsOf(inner, length) });
    }
  };
  begin(value);
  for (let last = open.at(-1); last !== undefined && total <= length; last = open.at(-1)) {
    const next = last.members.next();
    if (next.done) {
      write(last.close);
      open.pop();
    } else {
      const [prefix, member] = next.value;
      write(prefix);
      begin(member);
    }
  }
  return written.join('');
}

function* itemsOf(items: readonly unknown[]): Generator<readonly [string, unknown]> {
  for (const [index, item] of items.entries()) yield [index === 0 ? '' : ',', item];
}

function* fieldsOf(value: object, length: number): Generator<readonly [string, unknown]> {
  let separator = '';
  for (const [field, member] of Object.entries(value)) {
    yield [`${separator}${JSON.stringify(field.slice(0, length + 1))}:`, member];
    separator = ',';
  }
}

/** Levels of nested arrays and objects in JSON. Documents have a dozen. */
export const jsonLevels = 64;

const [quote, backslash, openBracket, openBrace, closeBracket, closeBrace] = [...'"\\[{]}'].map((character) =>
  character.charCodeAt(0),
);

/** Of what is no JSON it may say either. */
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

/** Whether a value of JSON is an object, neither a list nor null. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text in the form that searches compare: without accents and apostrophes, in lower case. */
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

/** A text of more than `most` UTF-16 units is cut and ends with an ellipsis. Other texts stay as they are. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  // The cut must not leave half of a surrogate pair.
  return `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…`;
}
