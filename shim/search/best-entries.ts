type Ranked = { readonly entry: number; readonly rank: number; readonly score: number };

/** Keeps the best so many of the entries that are offered: by rank, then score, then place in the index. */
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

  /** Most of ten thousand matches are worse than all that are kept: one comparison each. */
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
