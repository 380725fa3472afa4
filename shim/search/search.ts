import type { SearchKind, SearchResult } from '../../generator/contract/documents/search.ts';
import { wordsOf } from '../../generator/contract/folding.ts';
import { pathOf } from '../../generator/contract/paths.ts';
import { Work } from '../scheduling/work.ts';
import type { PublicationView } from '../site/publication-view.ts';
import { searchIndexReading } from './prepared-index.ts';

/** `kinds` null: all of them. `limit`: hits at most. */
export type SearchQuery = {
  readonly q: string;
  readonly kinds: readonly SearchKind[] | null;
  readonly limit: number;
};

/**
 * The whole answer of `/search`, contract.md 3: entries that have every word of the query, the last one as a prefix.
 * An exact SKU comes first; then brands, families and stores of which the words are the whole name; then what has all of
 * them as whole words; then the rest; in each by score, and where that is equal in the order of the index.
 * A query without a letter or a digit finds nothing. Rejects with an UnreadableError when the index cannot be read.
 */
export async function search(
  view: PublicationView,
  { q, kinds, limit }: SearchQuery,
  work = new Work(),
): Promise<SearchResult> {
  const index = await prepareSearch(view, work);
  const written = wordsOf(q);
  const last = written.at(-1);
  const others = [...new Set(written.slice(0, -1))];
  // A last word that stands before, too, has to be there as a whole word, and so is there as a prefix.
  const lastIsPrefix = last !== undefined && !others.includes(last);
  const words = lastIsPrefix ? [...others, last] : others;
  const { hits, total, units } = index.search({ words, lastIsPrefix, kinds, limit });
  await work.spend(units);
  return { data: [...hits], meta: { total, warnings: index.warnings } };
}

/** The index of a publication, made ready for searches. It is made once for everybody, and charged to nobody. */
export function prepareSearch(view: PublicationView, work = new Work()) {
  return view.require(pathOf('search_index'), searchIndexReading, work.free);
}
