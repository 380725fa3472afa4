/** In which entries words stand, and what each of them is worth there. Words are known by their numbers. */
export class PostingLists {
  /** All words, sorted by code unit, and the number of each. */
  readonly #sorted: readonly string[];
  readonly #numbers: Int32Array;
  /** By number of a word: where its postings begin; and at the end, where they all end. */
  readonly #starts: Int32Array;
  readonly #lengths: Uint16Array;
  /** By posting: the entry, and the score of the word in it. */
  readonly entries: Int32Array;
  readonly scores: Float64Array;

  constructor(lists: {
    readonly sorted: readonly string[];
    readonly numbers: Int32Array;
    readonly starts: Int32Array;
    readonly lengths: Uint16Array;
    readonly entries: Int32Array;
    readonly scores: Float64Array;
  }) {
    this.#sorted = lists.sorted;
    this.#numbers = lists.numbers;
    this.#starts = lists.starts;
    this.#lengths = lists.lengths;
    this.entries = lists.entries;
    this.scores = lists.scores;
  }

  /** The number of a word; -1 for one that stands nowhere. */
  numberOf(word: string): number {
    const place = this.#firstNotBefore(word);
    return this.#sorted[place] === word ? (this.#numbers[place] as number) : -1;
  }

  /** Numbers of the words that begin like this: from the first one up to the second, without it. */
  numbersBeginning(prefix: string): readonly [from: number, to: number] {
    const start = this.#firstNotBefore(prefix);
    let end = start;
    let first = Number.POSITIVE_INFINITY;
    for (; this.#sorted[end]?.startsWith(prefix); end += 1) first = Math.min(first, this.#numbers[end] as number);
    return end === start ? [0, 0] : [first, first + end - start];
  }

  startOf(number: number): number {
    return this.#starts[number] as number;
  }

  endOf(number: number): number {
    return this.#starts[number + 1] as number;
  }

  lengthOf(number: number): number {
    return this.#lengths[number] as number;
  }

  #firstNotBefore(word: string): number {
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#sorted[middle] as string) < word) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
