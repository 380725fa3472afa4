/* Reads from number formats (ECMA-376 part 1, 18.8.31) the zeros and letters of a code, or a unit. */

/**
 * `code`: the parts of a format that shows whole numbers as codes: `0` for a digit, or text between digits. `unit`: the
 * text after the digits. Null for none.
 */
export type NumberFormat = { readonly code: readonly string[] | null; readonly unit: string | null };

/** Colours, locales and character-wide blanks, which show nothing. */
const unseen = /^(?:\[(?:black|blue|cyan|green|magenta|red|white|yellow|color ?\d+|\$-[^\]]*)\]|_.)$/is;

const bareSign = /^[-+()/: ]$/;

/** Reads a number format. Only its section for positive numbers counts. */
export function numberFormat(format: string): NumberFormat {
  const [section = ''] = /^(?:"[^"]*"|\\.|\[[^\]]*\]|[^;"\\])*/s.exec(format) ?? [];
  const parts = (section.match(/"[^"]*"|\\.|_.|\*.|\[[^\]]*\]|./gs) ?? []).filter((part) => !unseen.test(part));
  const shown = parts.map(shownPart);
  return { code: codeParts(shown), unit: unitOf(shown) };
}

/** What a part of a format shows: text, a place for a digit, or something else, such as a decimal point. */
type ShownPart = { readonly text: string } | 'digit' | 'other';

function shownPart(part: string): ShownPart {
  if (part === '0') return 'digit';
  if (part.startsWith('"') && part.length > 1) return { text: part.slice(1, -1) };
  if (part.startsWith('\\')) return { text: part.slice(1) };
  return bareSign.test(part) ? { text: part } : 'other';
}

/**
 * The parts of a format that has only zeros and text; null for any other. A single zero, alone or beside a word, shows
 * an amount.
 */
function codeParts(shown: readonly ShownPart[]): readonly string[] | null {
  const digits = shown.filter((part) => part === 'digit').length;
  const texts = shown.flatMap((part) => (typeof part === 'object' ? [part.text] : []));
  if (digits === 0 || shown.includes('other')) return null;
  if (digits === 1 && (texts.join('') === '' || /\s/.test(texts.join('')))) return null;
  return shown.map((part) => (typeof part === 'object' ? part.text : '0'));
}

function unitOf(shown: readonly ShownPart[]): string | null {
  const last = shown.findLastIndex((part) => typeof part !== 'object');
  const text = shown.slice(last + 1).flatMap((part) => (typeof part === 'object' ? [part.text] : []));
  return text.join('').trim() || null;
}

/** Shows a whole number by the format of a code: 123 as A0123 by `"A"0000`, 12345 as 12-345 by `00\-000`. */
export function inCodeFormat(number: string, parts: readonly string[]): string {
  const places = parts.filter((part) => part === '0').length;
  const digits = number.padStart(places, '0');
  // If there are more digits than places, the surplus digits come first.
  const surplus = digits.length - places;
  let next = 0;
  return parts
    .map((part) => {
      if (part !== '0') return part;
      const start = next;
      next = start === 0 ? surplus + 1 : start + 1;
      return digits.slice(start, next);
    })
    .join('');
}
