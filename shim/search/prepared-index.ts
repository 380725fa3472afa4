import MiniSearch from 'minisearch';
import { foldedWords } from '../../generator/contract/folding.ts';
import { type SearchHit, type SearchIndex, searchIndex } from '../../generator/contract/search.ts';
import { parseJson, type Reading } from '../site/verified-objects.ts';

type Entry = {
  readonly hit: SearchHit;
  /** The names that are the whole of it, as {@link wordSetOf} prints them; none for products. */
  readonly wholeNames: readonly string[];
};

/** An entry that a query found. */
export type Match = {
  readonly entry: Entry;
  /** Its place in the index. */
  readonly position: number;
  /** How well the words fit: the fewer others an entry has, and the rarer they are, the more. */
  readonly score: number;
  /** Whether the last word stands in the entry as it is, and not only at the beginning of another word. */
  readonly hasLastWord: boolean;
};

/** The search index as queries need it: an inverted index and a prefix tree over the folded words. */
export class PreparedIndex {
  readonly warnings: SearchIndex['warnings'];
  readonly #entries: readonly Entry[];
  readonly #words: MiniSearch<{ readonly id: number; readonly terms: string }>;

  constructor({ warnings, entries }: SearchIndex) {
    this.warnings = warnings;
    this.#entries = entries.map(({ hit }) => ({ hit, wholeNames: wholeNamesOf(hit) }));
    this.#words = new MiniSearch({
      fields: ['terms'],
      // What is indexed and what is asked for are folded words already, with single blanks between them.
      tokenize: (terms) => terms.split(' '),
      processTerm: (word) => word,
    });
    this.#words.addAll(entries.map(({ terms }, id) => ({ id, terms })));
  }

  /**
   * Every entry that has all the words, in no particular order. `words` are folded, and each stands once; the last one
   * may be the beginning of a word when `lastIsPrefix`.
   */
  matches(words: readonly string[], lastIsPrefix: boolean): Match[] {
    const last = words.at(-1);
    if (last === undefined) return [];
    const whole = new Map(this.#find([...words].sort(), false).map(({ id, score }) => [id, score]));
    if (!lastIsPrefix) {
      return [...whole].map(([id, score]) => ({
        entry: this.#entries[id] as Entry,
        position: id,
        score,
        hasLastWord: true,
      }));
    }
    return this.#find([...words.slice(0, -1).sort(), last], true).map(({ id, score }) => ({
      entry: this.#entries[id] as Entry,
      position: id,
      // Longer words that begin like the last one say nothing of an entry that has the word itself.
      score: whole.get(id) ?? score,
      hasLastWord: whole.has(id),
    }));
  }

  /** Scores are sums, and a sum of fractions depends on their order: callers sort, so that it is always the same. */
  #find(words: readonly string[], lastIsPrefix: boolean): { readonly id: number; readonly score: number }[] {
    const prefix = (_word: string, position: number) => lastIsPrefix && position === words.length - 1;
    return this.#words.search(words.join(' '), { combineWith: 'AND', prefix });
  }
}

/** Makes a {@link PreparedIndex} of `/search/index.json`. */
export const searchIndexReading: Reading<PreparedIndex> = {
  name: 'search words',
  of: (bytes) => new PreparedIndex(parseJson(searchIndex, bytes)),
};

/** Words without their order: the same text for the same set. */
export function wordSetOf(words: readonly string[]): string {
  return [...words].sort().join(' ');
}

/** A family is known by its name alone and together with its brand's. */
function wholeNamesOf({ kind, name, brand }: SearchHit): string[] {
  if (kind === 'product') return [];
  const names = [[name], ...(brand === null ? [] : [[brand, name]])];
  return [...new Set(names.map((texts) => wordSetOf(foldedWords(texts))))];
}
