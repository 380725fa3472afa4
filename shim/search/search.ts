import {
  type SearchHit,
  type SearchIndex,
  type SearchKind,
  type SearchResult,
  searchIndex,
  searchKind,
} from '../../generator/contract/documents/search.ts';
import { foldedWords, wordsOf } from '../../generator/contract/folding.ts';
import { pathOf } from '../../generator/contract/paths.ts';
import { Work } from '../scheduling/work.ts';
import type { PublicationFiles } from '../site/publication-files.ts';
import { checked, type Reading } from '../site/verified-objects.ts';
import { jsonElements } from './json-elements.ts';
import { type PostingLists, PostingListsBuilder } from './posting-lists.ts';
import { BestEntries, WordMatches } from './word-matches.ts';

/** `kinds`: null means all of them. `limit`: the maximum number of hits. */
type SearchQuery = {
  readonly q: string;
  readonly kinds: readonly SearchKind[] | null;
  readonly limit: number;
};

export const defaultSearchLimit = 20;

/**
 * The whole answer of `/search`, contract.md 3: entries that have every word of the query, the last one as a prefix.
 * Products with an exact SKU come first, then brands, families and stores whose whole name is the query's words, then
 * entries that have all of them as whole words, then the rest. Each group is in order of score, and then of the index.
 * A query without a letter or a digit finds nothing. Rejects with an UnreadableError when the index cannot be read.
 */
export async function search(view: PublicationFiles, query: SearchQuery, work = new Work()): Promise<SearchResult> {
  return JSON.parse(await searchText(view, query, work));
}

/** The answer of {@link search} as JSON. */
export async function searchText(view: PublicationFiles, query: SearchQuery, work: Work): Promise<string> {
  const index = view.known?.(pathOf('search_index'), searchIndexReading) ?? (await prepareSearch(view, work));
  const { json, units } = index.search(query);
  const turn = work.spend(units);
  if (turn) await turn;
  return json;
}

/**
 * The search index of a publication, prepared for queries. It is made once for all clients, so nobody is charged for
 * it.
 */
export function prepareSearch(view: PublicationFiles, work = new Work()) {
  return view.require(pathOf('search_index'), searchIndexReading, work.free);
}

/** Ranks of matches. A higher rank comes first, whatever the scores are. */
const ranks = { exactSku: 3, wholeName: 2, wholeWords: 1, prefix: 0 } as const;

/** The full names of an entry, as {@link wordSetOf} prints them; null for a product. */
type WholeNames = readonly string[] | null;

/** The search index, prepared for queries. */
class PreparedIndex {
  /** The index's warnings as JSON. */
  readonly #warnings: string;
  readonly #entries: PreparedEntries;
  readonly #matches: WordMatches;

  constructor(warnings: SearchIndex['warnings'], entries: PreparedEntries, lists: PostingLists) {
    this.#warnings = JSON.stringify(warnings);
    this.#entries = entries;
    this.#matches = new WordMatches(lists, entries.hits.length);
  }

  /**
   * The best entries that have every word, by rank, then score, then position in the index. `json`: the whole answer.
   * `units`: the units of work that the search took.
   */
  search({ q, kinds: wanted, limit }: SearchQuery): { readonly json: string; readonly units: number } {
    const { hits, kinds } = this.#entries;
    const written = wordsOf(q);
    const last = written.at(-1);
    const others = [...new Set(written.slice(0, -1))];
    // If the last word also occurs earlier in the query, it must match as a whole word, and then it matches as a prefix
    // too.
    const lastIsPrefix = last !== undefined && !others.includes(last);
    const words = lastIsPrefix ? [...others, last] : others;
    const matches = this.#matches;
    matches.find(words, lastIsPrefix);
    const isWanted = searchKind.options.map((kind) => wanted === null || wanted.includes(kind));
    const rankOf = this.#ranking(words);
    const best = new BestEntries(limit);
    let total = 0;
    for (const entry of matches.found) {
      if (!isWanted[kinds[entry] as number]) continue;
      total += 1;
      best.offer(entry, rankOf(entry), matches.scoreOf(entry));
    }
    const data = best.entries.map((entry) => hits[entry]).join();
    return { json: `{"data":[${data}],"meta":{"total":${total},"warnings":${this.#warnings}}}`, units: matches.units };
  }

  #ranking(words: readonly string[]): (entry: number) => number {
    const wordSet = wordSetOf(words);
    const { skus, wholeNames } = this.#entries;
    const asked = words.filter((word) => /^\d{6}$/.test(word)).map(Number);
    return (entry) => {
      if (asked.length > 0 && asked.includes(skus[entry] as number)) return ranks.exactSku;
      if (wholeNames[entry]?.includes(wordSet)) return ranks.wholeName;
      return this.#matches.hasLastWord(entry) ? ranks.wholeWords : ranks.prefix;
    };
  }
}

/** What an answer needs of each entry. The arrays have equal length. */
type PreparedEntries = {
  /** As JSON. */
  readonly hits: readonly string[];
  readonly wholeNames: readonly WholeNames[];
  /** The SKU of a product as a number; -1 for all else. */
  readonly skus: Int32Array;
  /** The kind's place in the enum. */
  readonly kinds: Uint8Array;
};

/**
 * Makes a {@link PreparedIndex} of `/search/index.json`, piece by piece. Two are kept: of the served publication and of
 * the one before it. Publications whose search documents have the same bytes share one.
 */
const searchIndexReading: Reading<PreparedIndex> = { name: 'search words', slots: 2, of: prepare };

/** Units of work to read and index the entries that are parsed at a time. */
const pieceUnits = 1000;

async function prepare(bytes: Uint8Array, work: Work): Promise<PreparedIndex> {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  const hits: string[] = [];
  const wholeNames: WholeNames[] = [];
  const skus: number[] = [];
  const kinds: number[] = [];
  const lists = new PostingListsBuilder();
  const pieces = jsonElements(text, 'entries');
  for (;;) {
    await work.pace(pieceUnits);
    const piece = pieces.next();
    if (piece.done) {
      const { warnings } = checked(searchIndex, piece.value);
      const entries = { hits, wholeNames, skus: Int32Array.from(skus), kinds: Uint8Array.from(kinds) };
      return new PreparedIndex(warnings, entries, await lists.build(work));
    }
    for (const { hit, terms } of checked(searchIndex.shape.entries, piece.value)) {
      hits.push(JSON.stringify(hit));
      wholeNames.push(wholeNamesOf(hit));
      skus.push(hit.kind === 'product' ? Number(hit.agency_sku) : -1);
      kinds.push(searchKind.options.indexOf(hit.kind));
      lists.add(terms);
    }
  }
}

/** Words as a text that does not depend on their order. */
function wordSetOf(words: readonly string[]): string {
  return [...words].sort().join(' ');
}

/** The full names of an entry; for a family its name, both alone and together with its brand's. */
function wholeNamesOf({ kind, name, brand }: SearchHit): WholeNames {
  if (kind === 'product') return null;
  const names = [[name], ...(brand === null ? [] : [[brand, name]])];
  return [...new Set(names.map((texts) => wordSetOf(foldedWords(texts))))];
}
