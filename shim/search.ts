import { formatPath } from '../contract/paths.ts';
import type { SearchHit, SearchIndex, SearchResult } from '../contract/schemas/search.ts';
import {
  compareEqualRanks,
  makeRanker,
  nameKey,
  nameLength,
  queryWords,
  ranks,
  type Searchable,
} from '../contract/search-order.ts';
import type { SearchKind } from '../contract/vocabulary.ts';
import type { PublicationFiles } from './site/publication-files.ts';
import type { Reading } from './site/reading.ts';

/** `kinds`: null means all. `limit`: the most hits. */
type SearchQuery = {
  readonly q: string;
  readonly kinds: readonly SearchKind[] | null;
  readonly limit: number;
};

export const defaultSearchLimit = 20;

/**
 * The whole answer of `/search`, contract.md 3: entries that have every word of the query, the last one as a prefix, in
 * the order of contract/search-order.ts. A query without a letter or a digit finds nothing. Rejects with an
 * UnreadableError if the index cannot be read.
 */
export async function search(files: PublicationFiles, { q, kinds, limit }: SearchQuery): Promise<SearchResult> {
  const { entries, warnings } = await prepareSearch(files);
  const words = queryWords(q);
  const last = words.at(-1);
  // If the last word also occurs earlier, entries must have it as a whole word, and then they also have it as a prefix.
  const isRepeated = last !== undefined && words.indexOf(last) < words.length - 1;
  const rankOf = makeRanker(words, (word) => word === last && !isRepeated);
  const found: SearchHit[][] = Object.values(ranks).map(() => []);
  for (const { hit, searchable } of entries) {
    if (kinds !== null && !kinds.includes(hit.kind)) continue;
    found[rankOf(searchable)]?.push(hit);
  }
  const matches = found.slice(1).reverse().flat();
  return { data: matches.slice(0, limit), meta: { total: matches.length, warnings } };
}

/** The search index of a publication, prepared for queries. */
export function prepareSearch(files: PublicationFiles): Promise<PreparedIndex> {
  return files.require(formatPath('search_index'), searchIndexReading);
}

type PreparedEntry = { readonly hit: SearchHit; readonly searchable: Searchable };

/** `entries`: in the order of results of equal rank. */
type PreparedIndex = Pick<SearchIndex, 'warnings'> & { readonly entries: readonly PreparedEntry[] };

/** Entries that are prepared at a time; other requests are answered in between. */
const entriesAtOnce = 1000;

/**
 * Prepares `/search/index.json`. Two are kept: for the served publication, and for the one before it. Publications
 * whose search index has the same bytes share one.
 */
const searchIndexReading: Reading<PreparedIndex> = {
  name: 'search words',
  keptApart: 2,
  memorySize: () => 1,
  async of(bytes, read) {
    const { entries, warnings } = read('search_index', bytes);
    const prepared: (PreparedEntry & { readonly length: number; readonly stores: number | null })[] = [];
    for (const { hit, terms, reported_positive_store_count: stores } of entries) {
      if (prepared.length % entriesAtOnce === 0) await new Promise((resolve) => setTimeout(resolve));
      const searchable = searchableFor(hit, terms);
      prepared.push({ hit, searchable, length: searchable.length, stores });
    }
    return { entries: prepared.sort(compareEqualRanks), warnings };
  },
};

/**
 * A hit, prepared for searching. `terms`: the words that find it. The brand's name followed by a family's name also
 * counts as the whole name of that family.
 */
function searchableFor(hit: SearchHit, terms: string): Searchable {
  const { name, brand } = hit;
  const names = brand === null ? [[name]] : [[name], [brand, name]];
  return {
    text: ` ${terms} `,
    code: hit.kind === 'product' ? hit.agency_sku : null,
    names: hit.kind === 'product' ? [] : names.map(nameKey),
    length: nameLength([brand, name]),
  };
}
