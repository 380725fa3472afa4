import type { SearchKind, SearchResult } from '../../generator/contract/documents/search.ts';
import { wordsOf } from '../../generator/contract/documents/search.ts';
import { pathOf } from '../../generator/contract/paths.ts';
import { Work } from '../scheduling/work.ts';
import type { PublicationView } from '../site/publication-view.ts';
import { searchIndexReading } from './prepared-index.ts';

/** `kinds`: null means all of them. `limit`: the maximum number of hits. */
export type SearchQuery = {
  readonly q: string;
  readonly kinds: readonly SearchKind[] | null;
  readonly limit: number;
};

/**
 * The whole answer of `/search`, contract.md 3: entries that have every word of the query, the last one as a prefix.
 * Products with an exact SKU come first, then brands, families and stores whose whole name is the query's words, then
 * entries that have all of them as whole words, then the rest. Each group is in order of score, and then of the index.
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
  // If the last word also occurs earlier in the query, it must match as a whole word, and then it matches as a prefix
  // too.
  const lastIsPrefix = last !== undefined && !others.includes(last);
  const words = lastIsPrefix ? [...others, last] : others;
  const { hits, total, units } = index.search({ words, lastIsPrefix, kinds, limit });
  await work.spend(units);
  return { data: [...hits], meta: { total, warnings: index.warnings } };
}

/**
 * The search index of a publication, prepared for queries. It is made once for all clients, so nobody is charged for
 * it.
 */
export function prepareSearch(view: PublicationView, work = new Work()) {
  return view.require(pathOf('search_index'), searchIndexReading, work.free);
}
