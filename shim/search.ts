import SearchableMap from 'minisearch/SearchableMap';
import {
  type SearchHit,
  type SearchIndex,
  type SearchKind,
  type SearchResult,
  searchIndex,
} from '../contract/documents/catalog.ts';
import { formatPath } from '../contract/paths.ts';
import { foldedWords, wordsOf } from '../contract/text.ts';
import type { PublicationFiles } from './site/publication-files.ts';
import { parseKnown, type Reading } from './site/verified-objects.ts';

/** `kinds`: null means all. `limit`: the most hits. */
type SearchQuery = {
  readonly q: string;
  readonly kinds: readonly SearchKind[] | null;
  readonly limit: number;
};

export const defaultSearchLimit = 20;

/**
 * The whole answer of `/search`, contract.md 3: entries that have every word of the query, the last one as a prefix.
 * Products with an exact SKU come first, then brands, families and stores whose whole name is the query's words, then
 * entries that have all of them as whole words, then the rest. Each group is in order of score, then of the index. A
 * query without a letter or a digit finds nothing. Rejects with an UnreadableError if the index cannot be read.
 */
export async function search(files: PublicationFiles, { q, kinds, limit }: SearchQuery): Promise<SearchResult> {
  const { entries, warnings, words: index } = await prepareSearch(files);
  const written = wordsOf(q);
  const words = [...new Set(written)].sort();
  const last = written.at(-1);
  // If the last word also occurs earlier, entries must have it as a whole word, and then they also have it as a prefix.
  const prefix = last !== undefined && written.indexOf(last) === written.length - 1 ? last : null;
  // Words are looked up in sorted order, so that their order in the query does not affect scores.
  const whole = index.having(words);
  const found = prefix === null ? whole : index.having([...words.filter((word) => word !== prefix), prefix], prefix);
  const matches: Match[] = [];
  for (const [id, score] of found) {
    const entry = entries[id] as PreparedEntry;
    if (kinds !== null && !kinds.includes(entry.hit.kind)) continue;
    const wholeScore = whole.get(id);
    const rank = wholeScore === undefined ? ranks.prefix : rankFor(entry, words);
    matches.push({ id, entry, rank, score: (wholeScore ?? score) * words.length });
  }
  matches.sort((a, b) => b.rank - a.rank || b.score - a.score || a.id - b.id);
  return {
    data: matches.slice(0, limit).map(({ entry }) => entry.hit),
    meta: { total: matches.length, warnings },
  };
}

type Match = { readonly id: number; readonly entry: PreparedEntry; readonly rank: number; readonly score: number };

/** A match of a higher rank comes first, whatever its score. */
const ranks = { exactSku: 3, wholeName: 2, wholeWords: 1, prefix: 0 } as const;

/** The rank of an entry that has all words. `words`: sorted. */
function rankFor({ hit, names }: PreparedEntry, words: readonly string[]): number {
  if (hit.kind === 'product') return words.includes(hit.agency_sku) ? ranks.exactSku : ranks.wholeWords;
  return names.includes(words.join(' ')) ? ranks.wholeName : ranks.wholeWords;
}

/** The search index of a publication, prepared for queries. */
export function prepareSearch(files: PublicationFiles): Promise<PreparedIndex> {
  return files.require(formatPath('search_index'), searchIndexReading);
}

/** `names`: the sorted words of each full name; none for a product. */
type PreparedEntry = { readonly hit: SearchHit; readonly names: readonly string[] };

type PreparedIndex = Pick<SearchIndex, 'warnings'> & {
  readonly entries: readonly PreparedEntry[];
  readonly words: WordIndex;
};

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
  async of(bytes) {
    const { entries, warnings } = parseKnown(searchIndex, bytes);
    const prepared: PreparedEntry[] = [];
    const words = new WordIndex();
    for (const { hit, terms } of entries) {
      if (prepared.length % entriesAtOnce === 0) await new Promise((resolve) => setTimeout(resolve));
      prepared.push({ hit, names: fullNames(hit) });
      words.add(terms.split(' '));
    }
    return { entries: prepared, warnings, words };
  },
};

/** The full names of a family are its name, both alone and with its brand's. */
function fullNames({ kind, name, brand }: SearchHit): string[] {
  if (kind === 'product') return [];
  const names = [[name], ...(brand === null ? [] : [[brand, name]])];
  return names.map((texts) => foldedWords(texts).sort().join(' '));
}

/**
 * Parameters of BM25+: the saturation of repeated words, the weight of an entry's length, and the least that a match
 * counts.
 */
const [k, b, d] = [1.2, 0.7, 0.5];

/** The weight of a longer word that begins with the query's last word, and how it falls with the word's length. */
const [prefixWeight, lengthPenalty] = [0.375, 0.3];

/** A number for each entry. */
type Scores = Map<number, number>;

/**
 * Entries by their words, scored as minisearch does. Its own search makes an object for every match, which takes too
 * long.
 */
class WordIndex {
  /** For each word, how often each entry has it. */
  readonly #entriesWith = new SearchableMap<Scores>();
  /** For each entry, how many different words it has. */
  readonly #lengths: number[] = [];
  #averageLength = 0;

  /** Adds the words of the next entry. */
  add(words: readonly string[]): void {
    const entry = this.#lengths.length;
    for (const word of words) {
      const counts = this.#entriesWith.fetch(word, () => new Map());
      counts.set(entry, (counts.get(entry) ?? 0) + 1);
    }
    const length = new Set(words).size;
    this.#averageLength = (this.#averageLength * entry + length) / (entry + 1);
    this.#lengths.push(length);
  }

  /**
   * The scores of the entries that have every word: the higher, the rarer the words are and the fewer other words the
   * entry has. `prefix`: the one word that longer words can begin with.
   */
  having(words: readonly string[], prefix: string | null = null): Scores {
    let sums: Scores | null = null;
    for (const word of words) {
      const scores: Scores = new Map();
      this.#addScores(scores, sums, this.#entriesWith.get(word), 1);
      for (const [longer, counts] of word === prefix ? this.#entriesWith.atPrefix(word) : []) {
        const weight = (prefixWeight * longer.length) / (longer.length + lengthPenalty * (longer.length - word.length));
        if (longer !== word) this.#addScores(scores, sums, counts, weight);
      }
      if (sums !== null) for (const [entry, score] of scores) scores.set(entry, (sums.get(entry) as number) + score);
      sums = scores;
    }
    return sums ?? new Map();
  }

  /**
   * Adds a word's scores to the entries that have it. `among`: only these entries, unless null. `counts`: how often
   * each entry has the word.
   */
  #addScores(scores: Scores, among: Scores | null, counts: Scores | undefined, weight: number): void {
    if (counts === undefined) return;
    const rarity = Math.log(1 + (this.#lengths.length - counts.size + 0.5) / (counts.size + 0.5));
    for (const [entry, count] of counts) {
      if (among !== null && !among.has(entry)) continue;
      const length = this.#lengths[entry] as number;
      const score = rarity * (d + (count * (k + 1)) / (count + k * (1 - b + (b * length) / this.#averageLength)));
      scores.set(entry, (scores.get(entry) ?? 0) + weight * score);
    }
  }
}
