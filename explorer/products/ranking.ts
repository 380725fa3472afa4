import { makeRanker, queryWords, searchText, searchWords, yearsIn } from '../../contract/search-order.ts';

/** A text in ASCII, which needs no Unicode folding. */
const plainText = /^[ -~]*$/;

/**
 * What {@link searchText} makes of each text's words. Most texts are ASCII, and handling those in one pass takes a
 * quarter of the time. Words that repeat in a text may repeat in the result.
 */
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
    if (text !== plain[next]) return searchText(searchWords([text]));
    const words = lines[next]?.trim();
    next += 1;
    return /['`]/.test(text) ? ` ${[words, ...yearsIn(text)].join(' ')} ` : ` ${words} `;
  });
}

/** Ranks what a reader looks for. Each of the reader's words may be unfinished. */
export function readersRanker(query: string) {
  return makeRanker(queryWords(query), () => true);
}
