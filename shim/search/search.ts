import { wordsOf } from '../../generator/contract/folding.ts';
import { pathOf } from '../../generator/contract/paths.ts';
import type { SearchKind, SearchResult } from '../../generator/contract/search.ts';
import type { PublicationView } from '../site/publication-view.ts';
import { type Match, searchIndexReading, wordSetOf } from './prepared-index.ts';

/** `kinds` null: all of them. `limit`: hits at most. */
export type SearchQuery = {
  readonly q: string;
  readonly kinds: readonly SearchKind[] | null;
  readonly limit: number;
};

/** What comes before what, whatever the scores are. */
const ranks = { exactSku: 3, wholeName: 2, wholeWords: 1, prefix: 0 } as const;

/**
 * The whole answer of `/search`, contract.md 3: entries that have every word of the query, the last one as a prefix.
 * An exact SKU comes first; then brands, families and stores of which the words are the whole name; then what has all of
 * them as whole words; then the rest; in each by score, and where that is equal in the order of the index.
 * A query without a letter or a digit finds nothing. Rejects with an UnreadableError when the index cannot be read.
 */
export async function search(view: PublicationView, { q, kinds, limit }: SearchQuery): Promise<SearchResult> {
  const index = await view.require(pathOf('search_index'), searchIndexReading);
  const written = wordsOf(q);
  const last = written.at(-1);
  const others = [...new Set(written.slice(0, -1))];
  // A last word that stands before, too, has to be there as a whole word, and so is there as a prefix.
  const isPrefix = last !== undefined && !others.includes(last);
  const words = isPrefix ? [...others, last] : others;
  const matches = index
    .matches(words, isPrefix)
    .filter(({ entry }) => kinds === null || kinds.includes(entry.hit.kind));
  return {
    data: inOrder(matches, words)
      .slice(0, limit)
      .map(({ entry }) => entry.hit),
    meta: { total: matches.length, warnings: index.warnings },
  };
}

type Ranked = Match & { readonly rank: number };

function inOrder(matches: readonly Match[], words: readonly string[]): Ranked[] {
  const wordSet = wordSetOf(words);
  const ranked = matches.map((match) => ({ ...match, rank: rankOf(match, words, wordSet) }));
  return ranked.sort((a, b) => b.rank - a.rank || b.score - a.score || a.position - b.position);
}

function rankOf({ entry, hasLastWord }: Match, words: readonly string[], wordSet: string): number {
  const { hit, wholeNames } = entry;
  if (hit.kind === 'product' && words.includes(hit.agency_sku)) return ranks.exactSku;
  if (wholeNames.includes(wordSet)) return ranks.wholeName;
  return hasLastWord ? ranks.wholeWords : ranks.prefix;
}
