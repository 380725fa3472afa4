import { wordsOf } from '../../contract/text.ts';

/** How well a text matches a query. A higher rank always comes first. */
export const ranks = { none: 0, about: 1, beginnings: 2, wholeWords: 3, beginningOfCode: 4, wholeCode: 5 } as const;

/** Two digits after an apostrophe are a year. Years of spirits and wines go back to about 1950. */
const shortYear = /['’‘ʼ`´](\d{2})(?![\p{L}\p{N}])/gu;
const firstShortYear = 50;

/**
 * The words of a text with spaces around them, as {@link makeRanker} expects: `Vintage Port '07` as ` vintage port 07
 * 2007 `.
 */
export function searchText(text: string): string {
  return ` ${[...wordsOf(text), ...yearsIn(text)].join(' ')} `;
}

/** A text in ASCII, which needs no Unicode folding. */
const plainText = /^[ -~]*$/;

/** The same for many texts. Most are ASCII, and handling those in one pass takes a quarter of the time. */
export function searchTexts(texts: readonly string[]): string[] {
  const plain = texts.filter((text) => plainText.test(text));
  const lines = plain
    .join('\n')
    .toLowerCase()
    .replace(/['`]/g, '')
    .replace(/[^a-z0-9\n]+/g, ' ')
    .split('\n');
  let next = 0;
  return texts.map((text) => {
    if (text !== plain[next]) return searchText(text);
    const words = lines[next]?.trim();
    next += 1;
    return /['`]/.test(text) ? ` ${[words, ...yearsIn(text)].join(' ')} ` : ` ${words} `;
  });
}

/** The words of a query. `'07` becomes 2007. */
export function queryWords(query: string): string[] {
  return [...wordsOf(query.replace(shortYear, ' ')), ...yearsIn(query)];
}

/** Returns a function that ranks texts from {@link searchText}: all words whole, or as beginnings of words. */
export function makeRanker(words: readonly string[]): (text: string) => 0 | 2 | 3 {
  const looks = words.map((word) => ({ beginning: ` ${word}`, whole: ` ${word} ` }));
  return (text) => {
    // Most texts lack the first word.
    for (const { beginning } of looks) if (!text.includes(beginning)) return ranks.none;
    return looks.every(({ whole }) => text.includes(whole)) ? ranks.wholeWords : ranks.beginnings;
  };
}

/** The years that a text writes as two digits after an apostrophe. */
export function yearsIn(text: string): string[] {
  return [...text.matchAll(shortYear)].map(([, year]) => `${Number(year) < firstShortYear ? '20' : '19'}${year}`);
}
