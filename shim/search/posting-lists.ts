import SearchableMap from 'minisearch/SearchableMap';
import type { Work } from '../scheduling/work.ts';

/** The entries in which each word occurs, and the score of the word there. Words are identified by numbers. */
export type PostingLists = {
  /** All words, sorted by code unit, and the number of each. */
  readonly sorted: readonly string[];
  readonly numbers: Int32Array;
  /** By number of a word: where its postings begin. The last element is the end of all postings. */
  readonly starts: Int32Array;
  /** By number of a word: how many characters it has. */
  readonly lengths: Uint16Array;
  /** By posting: the entry, and the score of the word in it. */
  readonly entries: Int32Array;
  readonly scores: Float64Array;
};

/** The number of a word; -1 if no entry has it. */
export function numberOf({ sorted, numbers }: PostingLists, word: string): number {
  const place = firstNotBefore(sorted, word);
  return sorted[place] === word ? (numbers[place] as number) : -1;
}

/** Numbers of the words that begin with `prefix`: from the first number up to the second, which is excluded. */
export function numbersBeginning(
  { sorted, numbers }: PostingLists,
  prefix: string,
): readonly [from: number, to: number] {
  const start = firstNotBefore(sorted, prefix);
  let end = start;
  let first = Number.POSITIVE_INFINITY;
  for (; sorted[end]?.startsWith(prefix); end += 1) first = Math.min(first, numbers[end] as number);
  return end === start ? [0, 0] : [first, first + end - start];
}

function firstNotBefore(sorted: readonly string[], word: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as string) < word) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Parameters of BM25+, with minisearch's values: saturation of repeated words, weight of an entry's length, floor of a
 * match.
 */
const [k, b, d] = [1.2, 0.7, 0.5];

/** Words or postings that are handled at a time, and the units of work that this takes. */
const pieceSize = 500;
const pieceUnits = 1000;

/**
 * Builds {@link PostingLists} from the words of entries. Words are numbered in the order of minisearch's prefix tree,
 * so words with the same beginning are adjacent. Scores are summed in the order of the numbers.
 */
export class PostingListsBuilder {
  readonly #tree = new SearchableMap<number>();
  /** Words numbered in the order in which they came, and how many entries have each. */
  readonly #idOf = new Map<string, number>();
  readonly #entryCounts: number[] = [];
  /** Three numbers for each posting: the entry, the word's id, and how often the word occurs in the entry. */
  readonly #postings: number[] = [];
  readonly #lengths: number[] = [];
  #averageLength = 0;

  /** Adds the words of the next entry, separated by single blanks. */
  add(terms: string): void {
    const entry = this.#lengths.length;
    const counts = new Map<string, number>();
    for (const word of terms.split(' ')) counts.set(word, (counts.get(word) ?? 0) + 1);
    this.#averageLength = (this.#averageLength * entry + counts.size) / (entry + 1);
    this.#lengths.push(counts.size);
    for (const [word, count] of counts) if (word !== '') this.#postings.push(entry, this.#idFor(word), count);
  }

  #idFor(word: string): number {
    let id = this.#idOf.get(word);
    if (id === undefined) {
      id = this.#entryCounts.length;
      this.#idOf.set(word, id);
      this.#tree.set(word, id);
      this.#entryCounts.push(0);
    }
    this.#entryCounts[id] = (this.#entryCounts[id] as number) + 1;
    return id;
  }

  /** Builds the lists in pieces, so that other requests can run in between. */
  async build(work: Work): Promise<PostingLists> {
    const count = this.#entryCounts.length;
    const numberOfId = new Int32Array(count);
    const starts = new Int32Array(count + 1);
    const lengths = new Uint16Array(count);
    let number = 0;
    for (const [word, id] of this.#tree) {
      if (number % pieceSize === 0) await work.pace(pieceUnits);
      numberOfId[id] = number;
      lengths[number] = word.length;
      starts[number + 1] = (starts[number] as number) + (this.#entryCounts[id] as number);
      number += 1;
    }
    const { sorted, ids } = await this.#sortedWords(work);
    const numbers = ids.map((id) => numberOfId[id] as number);
    return { sorted, numbers, starts, lengths, ...(await this.#scored(numberOfId, starts, work)) };
  }

  /**
   * Sorts by the first two characters, and then within each group: sorting all words in one piece would block too long.
   */
  async #sortedWords(work: Work): Promise<{ readonly sorted: string[]; readonly ids: Int32Array }> {
    const groups = new Map<string, string[]>();
    let count = 0;
    for (const word of this.#idOf.keys()) {
      if (count % pieceSize === 0) await work.pace(pieceUnits);
      count += 1;
      const beginning = word.slice(0, 2);
      const group = groups.get(beginning);
      if (group) group.push(word);
      else groups.set(beginning, [word]);
    }
    const sorted: string[] = [];
    const ids = new Int32Array(count);
    for (const beginning of [...groups.keys()].sort()) {
      const group = groups.get(beginning) as string[];
      await work.pace(Math.ceil((group.length / pieceSize) * pieceUnits));
      for (const word of group.sort()) {
        ids[sorted.length] = this.#idOf.get(word) as number;
        sorted.push(word);
      }
    }
    return { sorted, ids };
  }

  async #scored(numberOfId: Int32Array, starts: Int32Array, work: Work) {
    const postings = this.#postings;
    const entries = new Int32Array(postings.length / 3);
    const scores = new Float64Array(entries.length);
    const next = starts.slice();
    for (let at = 0; at < postings.length; at += 3) {
      if (at % (3 * pieceSize) === 0) await work.pace(pieceUnits);
      const [entry, id, times] = [postings[at] as number, postings[at + 1] as number, postings[at + 2] as number];
      const number = numberOfId[id] as number;
      const place = next[number] as number;
      next[number] = place + 1;
      entries[place] = entry;
      scores[place] = this.#score(times, this.#entryCounts[id] as number, this.#lengths[entry] as number);
    }
    return { entries, scores };
  }

  /** BM25+: the score is higher the rarer the word is and the fewer other words the entry has. */
  #score(times: number, entryCount: number, length: number): number {
    const rarity = Math.log(1 + (this.#lengths.length - entryCount + 0.5) / (entryCount + 0.5));
    return rarity * (d + (times * (k + 1)) / (times + k * (1 - b + (b * length) / this.#averageLength)));
  }
}
