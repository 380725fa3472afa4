import { numberOf, numbersBeginning, type PostingLists } from './posting-lists.ts';

/** The weight of a longer word that begins with the query's last word, and how the weight falls with its length. */
const [prefixWeight, lengthPenalty] = [0.375, 0.3];

/** Postings that are read in a unit of work. */
const postingsPerUnit = 100;

/**
 * Finds the entries that have all the words of a query. Results are in arrays that the next query overwrites, because a
 * query of one letter finds ten thousand entries, and an object for each would be expensive.
 */
export class WordMatches {
  readonly #lists: PostingLists;
  /**
   * By entry: how many of the words it has so far, and the sum of their scores. `whole` counts all words of the query,
   * `other` those before the last, and `last` the words that begin with the last.
   */
  readonly #wholeCounts: Uint16Array;
  readonly #wholeSums: Float64Array;
  readonly #otherCounts: Uint16Array;
  readonly #otherSums: Float64Array;
  readonly #lastSums: Float64Array;
  readonly #isFound: Uint8Array;
  readonly #found: Int32Array;
  #count = 0;
  #postings = 0;
  #wordCount = 0;

  constructor(lists: PostingLists, entryCount: number) {
    this.#lists = lists;
    this.#wholeCounts = new Uint16Array(entryCount);
    this.#wholeSums = new Float64Array(entryCount);
    this.#otherCounts = new Uint16Array(entryCount);
    this.#otherSums = new Float64Array(entryCount);
    this.#lastSums = new Float64Array(entryCount);
    this.#isFound = new Uint8Array(entryCount);
    this.#found = new Int32Array(entryCount);
  }

  /** The entries that the last query found, in no particular order. */
  get found(): Int32Array {
    return this.#found.subarray(0, this.#count);
  }

  /** Units of work that the last query took. */
  get units(): number {
    return Math.ceil(this.#postings / postingsPerUnit);
  }

  /** Whether an entry has the last word itself, and not only a longer word that begins with it. */
  hasLastWord(entry: number): boolean {
    return this.#wholeCounts[entry] === this.#wordCount;
  }

  /**
   * The score of an entry that was found. It is higher the rarer the words are and the fewer other words the entry has.
   * If the entry has the last word itself, longer words that begin with it do not count.
   */
  scoreOf(entry: number): number {
    if (this.hasLastWord(entry)) return (this.#wholeSums[entry] as number) * this.#wordCount;
    const last = this.#lastSums[entry] as number;
    const sum = this.#wordCount === 1 ? last : (this.#otherSums[entry] as number) + last;
    return sum * this.#wordCount;
  }

  /**
   * Finds the entries that have every word. `words` are folded and distinct. With `lastIsPrefix` the last one may be
   * the beginning of a word. Scores are summed in sorted order, so that the order of words does not change them.
   */
  find(words: readonly string[], lastIsPrefix: boolean): void {
    this.#count = 0;
    this.#postings = 0;
    this.#wordCount = words.length;
    this.#isFound.fill(0);
    const last = words.at(-1);
    if (last === undefined) return;
    const sorted = [...words].sort();
    this.#sumUp(sorted, this.#wholeCounts, this.#wholeSums);
    if (!lastIsPrefix) {
      this.#takeWhole(sorted);
      return;
    }
    const others = words.slice(0, -1).sort();
    this.#sumUp(others, this.#otherCounts, this.#otherSums);
    this.#sumUpPrefix(last, others.length);
  }

  /** Counts how many of the words each entry has, word by word. An entry that lacks a word is not counted further. */
  #sumUp(words: readonly string[], counts: Uint16Array, sums: Float64Array): void {
    const { entries, scores } = this.#lists;
    counts.fill(0);
    for (const [place, word] of words.entries()) {
      const number = numberOf(this.#lists, word);
      if (number < 0) return;
      const [start, end] = this.#postingsOf(number);
      for (let posting = start; posting < end; posting += 1) {
        const entry = entries[posting] as number;
        if (counts[entry] !== place) continue;
        counts[entry] = place + 1;
        const score = scores[posting] as number;
        sums[entry] = place === 0 ? score : (sums[entry] as number) + score;
      }
    }
  }

  /** Takes the entries that have all the words. Only entries with the last word need to be looked at. */
  #takeWhole(words: readonly string[]): void {
    const number = numberOf(this.#lists, words.at(-1) as string);
    if (number < 0) return;
    const [start, end] = this.#postingsOf(number);
    for (let posting = start; posting < end; posting += 1) {
      const entry = this.#lists.entries[posting] as number;
      if (this.hasLastWord(entry)) this.#take(entry);
    }
  }

  /** Adds the scores of the word itself, and then of all words that begin with it, in the order of their numbers. */
  #sumUpPrefix(prefix: string, otherCount: number): void {
    const exact = numberOf(this.#lists, prefix);
    if (exact >= 0) this.#addLast(exact, 1, otherCount);
    const [from, to] = numbersBeginning(this.#lists, prefix);
    for (let number = from; number < to; number += 1) {
      if (number === exact) continue;
      const length = this.#lists.lengths[number] as number;
      const weight = (prefixWeight * length) / (length + lengthPenalty * (length - prefix.length));
      this.#addLast(number, weight, otherCount);
    }
  }

  #addLast(number: number, weight: number, otherCount: number): void {
    const { entries, scores } = this.#lists;
    const [start, end] = this.#postingsOf(number);
    for (let posting = start; posting < end; posting += 1) {
      const entry = entries[posting] as number;
      if (this.#otherCounts[entry] !== otherCount) continue;
      const score = weight * (scores[posting] as number);
      if (this.#isFound[entry] === 1) this.#lastSums[entry] = (this.#lastSums[entry] as number) + score;
      else {
        this.#lastSums[entry] = score;
        this.#take(entry);
      }
    }
  }

  #take(entry: number): void {
    this.#isFound[entry] = 1;
    this.#found[this.#count] = entry;
    this.#count += 1;
  }

  /** Where the postings of a word begin and end. Adds them to the count of postings read. */
  #postingsOf(number: number): readonly [start: number, end: number] {
    const start = this.#lists.starts[number] as number;
    const end = this.#lists.starts[number + 1] as number;
    this.#postings += end - start;
    return [start, end];
  }
}

type Ranked = { readonly entry: number; readonly rank: number; readonly score: number };

/** Keeps the best `limit` of the entries that are offered: by rank, then score, then position in the index. */
export class BestEntries {
  readonly #limit: number;
  /** Best first. */
  readonly #kept: Ranked[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The entries kept, best first. */
  get entries(): number[] {
    return this.#kept.map(({ entry }) => entry);
  }

  /** Offers an entry. Most entries of a large result are worse than all that are kept, and cost one comparison. */
  offer(entry: number, rank: number, score: number): void {
    const kept = this.#kept;
    if (kept.length === this.#limit) {
      if (!isBetter(entry, rank, score, kept[kept.length - 1] as Ranked)) return;
      kept.pop();
    }
    let low = 0;
    let high = kept.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBetter(entry, rank, score, kept[middle] as Ranked)) high = middle;
      else low = middle + 1;
    }
    kept.splice(low, 0, { entry, rank, score });
  }
}

function isBetter(entry: number, rank: number, score: number, other: Ranked): boolean {
  if (rank !== other.rank) return rank > other.rank;
  return score === other.score ? entry < other.entry : score > other.score;
}
