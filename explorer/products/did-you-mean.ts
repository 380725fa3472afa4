import { wordsOf } from '../../contract/text.ts';
import { lettersApart } from '../parts/letters-apart.ts';
import type { ProductIndex } from './product-index.ts';

/** How many letters may be wrong in a word of a length. */
const mostWrong = (length: number) => (length < 4 ? 1 : 2);

/**
 * The query as it may have been meant: each word that begins no word of a product is replaced by the most similar one.
 * Null if there is none.
 */
export function suggestQuery(text: string, index: ProductIndex): string | null {
  const counts = new Map<string, number>();
  for (const product of index.texts)
    for (const word of product.split(/[^\p{L}\p{N}]+/u)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const known = [...counts.keys()];
  const words = wordsOf(text).map((word) => (known.some((one) => one.startsWith(word)) ? word : nearest(word, counts)));
  return words.includes(null) || words.join(' ') === wordsOf(text).join(' ') ? null : words.join(' ');
}

/** The most similar word; among equals, the most frequent. */
function nearest(word: string, counts: ReadonlyMap<string, number>): string | null {
  let best: { readonly word: string; readonly wrong: number; readonly count: number } | null = null;
  for (const [candidate, count] of counts) {
    if (Math.abs(candidate.length - word.length) > mostWrong(word.length)) continue;
    const wrong = lettersApart(word, candidate);
    if (wrong > mostWrong(word.length)) continue;
    if (best === null || wrong < best.wrong || (wrong === best.wrong && count > best.count))
      best = { word: candidate, wrong, count };
  }
  return best?.word ?? null;
}
