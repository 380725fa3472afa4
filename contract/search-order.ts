import { foldedWords, wordsOf } from './text.ts';

/* The order of search results, in `/search` and in every search field (contract.md 3). */

/**
 * How well an entry matches a query. A higher rank always comes first: a product with exactly this code, then another
 * entry whose whole name matches, then a product whose whole name matches, then entries with all words whole, then
 * entries with beginnings of words. Fields that also search the categories and statuses of products put those last
 * (`about`).
 */
export const ranks = { none: 0, about: 1, beginnings: 2, wholeWords: 3, productName: 4, name: 5, code: 6 } as const;
export type Rank = (typeof ranks)[keyof typeof ranks];

/**
 * An entry as it is compared with a query. `text`: the words that find the entry, from {@link searchText}. `code`: a
 * product's code; null for anything else. `names`: the words of each full name, from {@link nameKey}; a product needs
 * none. `length`: how many different words its full name has.
 */
export type Searchable = {
  readonly text: string;
  readonly code: string | null;
  readonly names: readonly string[];
  readonly length: number;
};

/** Two digits after an apostrophe are a year. Years of spirits and wines go back to about 1950. */
const shortYear = /['’‘ʼ`´](\d{2})(?![\p{L}\p{N}])/gu;
const firstShortYear = 50;

/** The years that a text gives as two digits after an apostrophe. Other years are left out. */
export function yearsIn(text: string): string[] {
  return [...text.matchAll(shortYear)].map(([, year]) => `${Number(year) < firstShortYear ? '20' : '19'}${year}`);
}

/** The words that find texts, each once: `Vintage Port '07` is found by `vintage`, `port`, `07` and `2007`. */
export function searchWords(texts: readonly string[]): string[] {
  return [...new Set([...foldedWords(texts), ...texts.flatMap(yearsIn)])];
}

/** Words with spaces around them, as {@link Searchable} has them. */
export function searchText(words: readonly string[]): string {
  return ` ${words.join(' ')} `;
}

/** The words of a query, or of a name. `'07` becomes 2007. */
export function queryWords(query: string): string[] {
  return [...wordsOf(query.replace(shortYear, ' ')), ...yearsIn(query)];
}

/** Counts different words. Of entries of equal rank, one with fewer words comes first. */
export function nameLength(texts: readonly (string | null)[]): number {
  return new Set(texts.flatMap((text) => queryWords(text ?? ''))).size;
}

/** The words of a name as one text, whatever their order in the name. */
export function nameKey(texts: readonly string[]): string {
  return [...new Set(texts.flatMap(queryWords))].sort().join(' ');
}

/**
 * Returns a function that ranks an entry for a query. `unfinished`: tells whether a word may be the beginning of a
 * longer one.
 */
export function makeRanker(
  words: readonly string[],
  unfinished: (word: string) => boolean,
): (entry: Searchable) => Rank {
  const asked = [...new Set(words)].sort();
  const key = asked.join(' ');
  const looks = asked.map((word) => ({ part: unfinished(word) ? ` ${word}` : ` ${word} `, whole: ` ${word} ` }));
  return ({ text, code, names, length }) => {
    // Most entries lack the first word, so most loops end there.
    for (const { part } of looks) if (!text.includes(part)) return ranks.none;
    if (looks.length === 0) return ranks.none;
    if (!looks.every(({ whole }) => text.includes(whole))) return ranks.beginnings;
    if (code === null) return names.includes(key) ? ranks.name : ranks.wholeWords;
    if (wordsOf(code).every((word) => asked.includes(word))) return ranks.code;
    // All words of a product but its code are in its name.
    return asked.length === length ? ranks.productName : ranks.wholeWords;
  };
}

/** Fewer words come first, then more reporting stores. `stores`: null if that is not known. */
export function compareEqualRanks(
  a: { readonly length: number; readonly stores: number | null },
  b: { readonly length: number; readonly stores: number | null },
): number {
  return a.length - b.length || (b.stores ?? -1) - (a.stores ?? -1);
}
