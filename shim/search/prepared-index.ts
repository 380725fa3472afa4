import {
  type SearchHit,
  type SearchIndex,
  type SearchKind,
  searchIndex,
  searchKind,
} from '../../generator/contract/documents/search.ts';
import { foldedWords } from '../../generator/contract/folding.ts';
import type { Work } from '../scheduling/work.ts';
import { jsonElements } from '../site/route-shard.ts';
import { checked, type Reading } from '../site/verified-objects.ts';
import type { PostingLists } from './posting-lists.ts';
import { PostingListsBuilder } from './posting-lists.ts';
import { BestEntries, WordMatches } from './word-matches.ts';

/** What comes before what, whatever the scores are. */
const ranks = { exactSku: 3, wholeName: 2, wholeWords: 1, prefix: 0 } as const;

export type WordQuery = {
  /** Folded, each once. */
  readonly words: readonly string[];
  /** The last word may be the beginning of one. */
  readonly lastIsPrefix: boolean;
  /** Null: all of them. */
  readonly kinds: readonly SearchKind[] | null;
  /** Hits at most. */
  readonly limit: number;
};

/** `units`: what finding them took. */
export type Found = { readonly hits: readonly SearchHit[]; readonly total: number; readonly units: number };

/** The names that are the whole of an entry, as {@link wordSetOf} prints them; none of a product. */
type WholeNames = readonly string[] | null;

/** The search index as queries need it. */
export class PreparedIndex {
  readonly warnings: SearchIndex['warnings'];
  readonly #hits: readonly SearchHit[];
  readonly #wholeNames: readonly WholeNames[];
  /** By entry: its kind's place in the enum. */
  readonly #kinds: Uint8Array;
  readonly #matches: WordMatches;

  constructor(warnings: SearchIndex['warnings'], entries: PreparedEntries, lists: PostingLists) {
    this.warnings = warnings;
    this.#hits = entries.hits;
    this.#wholeNames = entries.wholeNames;
    this.#kinds = Uint8Array.from(entries.hits, ({ kind }) => searchKind.options.indexOf(kind));
    this.#matches = new WordMatches(lists, entries.hits.length);
  }

  /** The best of the entries that have every word, best first: by rank, then score, then place in the index. */
  search({ words, lastIsPrefix, kinds, limit }: WordQuery): Found {
    const matches = this.#matches;
    matches.find(words, lastIsPrefix);
    const isWanted = searchKind.options.map((kind) => kinds === null || kinds.includes(kind));
    const rankOf = this.#ranking(words);
    const best = new BestEntries(limit);
    let total = 0;
    for (const entry of matches.found) {
      if (!isWanted[this.#kinds[entry] as number]) continue;
      total += 1;
      best.offer(entry, rankOf(entry), matches.scoreOf(entry));
    }
    return { hits: best.entries.map((entry) => this.#hits[entry] as SearchHit), total, units: matches.units };
  }

  #ranking(words: readonly string[]): (entry: number) => number {
    const wordSet = wordSetOf(words);
    const skus = words.filter((word) => /^\d{6}$/.test(word));
    return (entry) => {
      if (skus.length > 0) {
        const hit = this.#hits[entry] as SearchHit;
        if (hit.kind === 'product' && skus.includes(hit.agency_sku)) return ranks.exactSku;
      }
      if (this.#wholeNames[entry]?.includes(wordSet)) return ranks.wholeName;
      return this.#matches.hasLastWord(entry) ? ranks.wholeWords : ranks.prefix;
    };
  }
}

type PreparedEntries = { readonly hits: readonly SearchHit[]; readonly wholeNames: readonly WholeNames[] };

/**
 * Makes a {@link PreparedIndex} of `/search/index.json`, piece by piece. Two are kept: of the publication that is served,
 * and of the one before it. Where the documents of two publications are the same bytes, so is the index.
 */
export const searchIndexReading: Reading<PreparedIndex> = { name: 'search words', slots: 2, of: prepare };

/** Units that it takes to read and index the entries that are parsed at a time. */
const pieceUnits = 1000;

async function prepare(bytes: Uint8Array, work: Work): Promise<PreparedIndex> {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  const hits: SearchHit[] = [];
  const wholeNames: WholeNames[] = [];
  const lists = new PostingListsBuilder();
  const pieces = jsonElements(text, 'entries');
  for (;;) {
    await work.pace(pieceUnits);
    const piece = pieces.next();
    if (piece.done) {
      const { warnings } = checked(searchIndex, piece.value);
      return new PreparedIndex(warnings, { hits, wholeNames }, await lists.build(work));
    }
    for (const { hit, terms } of checked(searchIndex.shape.entries, piece.value)) {
      hits.push(hit);
      wholeNames.push(wholeNamesOf(hit));
      lists.add(terms);
    }
  }
}

/** Words without their order: the same text for the same set. */
function wordSetOf(words: readonly string[]): string {
  return [...words].sort().join(' ');
}

/** A family is known by its name alone and together with its brand's. */
function wholeNamesOf({ kind, name, brand }: SearchHit): WholeNames {
  if (kind === 'product') return null;
  const names = [[name], ...(brand === null ? [] : [[brand, name]])];
  return [...new Set(names.map((texts) => wordSetOf(foldedWords(texts))))];
}
