import { wordsOf } from '../../../generator/contract/text.ts';

/** How well a text has the words of a query. A higher rank comes first, whatever else is known. */
export const ranks = { none: 0, about: 1, beginnings: 2, wholeWords: 3, beginningOfCode: 4, wholeCode: 5 } as const;

/** Two digits after an apostrophe are a year. Years of spirits and wines go back to the middle of the last century. */
const shortYear = /['’‘ʼ`´](\d{2})(?![\p{L}\p{N}])/gu;
const firstShortYear = 50;

/** The words of a text between spaces, as {@link rankOf} looks for them: `Vintage Port '07` as ` vintage port 07 2007 `. */
export function searchText(text: string): string {
  return ` ${[...wordsOf(text), ...yearsIn(text)].join(' ')} `;
}

/** The words of a query. `'07` is 2007. */
export function queryWords(query: string): string[] {
  return [...wordsOf(query.replace(shortYear, ' ')), ...yearsIn(query)];
}

/** The rank of a text from {@link searchText}: whether it has all words whole, or as beginnings of words. */
export function rankOf(text: string, words: readonly string[]): 0 | 2 | 3 {
  let rank: 2 | 3 = ranks.wholeWords;
  for (const word of words) {
    if (text.includes(` ${word} `)) continue;
    if (!text.includes(` ${word}`)) return ranks.none;
    rank = ranks.beginnings;
  }
  return rank;
}

/** The years that a text has as two digits after an apostrophe. */
export function yearsIn(text: string): string[] {
  return [...text.matchAll(shortYear)].map(([, year]) => `${Number(year) < firstShortYear ? '20' : '19'}${year}`);
}
