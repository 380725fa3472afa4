/** Moves that are kept to look for a common factor. */
const sampleSize = 50_000;

/** `of`: what the number belongs to. `now`: null if it was lost. */
export type Example = { readonly of: string; readonly before: number; readonly now: number | null };

export type CommonFactor = { readonly factor: number; readonly moves: number; readonly agreeing: number };

/**
 * How numbers, such as prices, moved from one publication to the next. Counts are exact. The moves themselves are a
 * sample, evenly spread and the same every time, so that memory stays bounded.
 */
export class Moves {
  /** The first two moves of each kind. The kinds are explained at the counts below. */
  readonly examples = {
    changed: [] as Example[],
    lost: [] as Example[],
    far: [] as Example[],
    fivefold: [] as Example[],
    beyond: [] as Example[],
  };
  /** Numbers that were compared, including those that did not move. */
  compared = 0;
  /** Numbers that moved or were lost. The counts below are parts of this one. */
  changed = 0;
  lost = 0;
  /** Numbers that moved by more than a quarter of themselves, or were lost. */
  wide = 0;
  /** Numbers that moved by more than half of themselves, or were lost. */
  far = 0;
  /** Numbers that became at least five times, or at most a fifth, of what they were. Zero counts as a fifth. */
  fivefold = 0;
  /**
   * Those of the numbers above that also became five times the highest, or a fifth of the lowest, that was ever seen.
   */
  beyond = 0;
  /** The sums of the numbers that were not lost, before and now. */
  sumBefore = 0;
  sumNow = 0;
  #sample: (readonly [before: number, now: number])[] = [];
  #stride = 1;
  #positive = 0;

  /** `ever`: the lowest and the highest number seen; by default, the number before. */
  add(
    of: string,
    before: number,
    now: number | null,
    ever: readonly [low: number, high: number] = [before, before],
  ): void {
    this.compared += 1;
    if (now !== null) {
      this.sumBefore += before;
      this.sumNow += now;
    }
    if (before === now) return;
    this.changed += 1;
    const isFar = now === null || Math.abs(now - before) > before / 2;
    const isLost = now === null;
    const isFivefold = now !== null && before > 0 && (now >= before * 5 || before >= now * 5);
    const isBeyond = isFivefold && (now >= ever[1] * 5 || ever[0] >= now * 5);
    if (isLost) this.lost += 1;
    if (isBeyond) this.beyond += 1;
    if (now === null || Math.abs(now - before) > before / 4) this.wide += 1;
    if (isFar) this.far += 1;
    if (isFivefold) this.fivefold += 1;
    const kinds = { changed: true, lost: isLost, far: isFar, fivefold: isFivefold, beyond: isBeyond };
    for (const [kind, is] of Object.entries(kinds)) {
      const examples = this.examples[kind as keyof typeof kinds];
      if (is && examples.length < 2) examples.push({ of, before, now });
    }
    if (now === null || now === 0 || before === 0) return;
    this.#positive += 1;
    if (this.#positive % this.#stride !== 0) return;
    this.#sample.push([before, now]);
    if (this.#sample.length < sampleSize) return;
    this.#sample = this.#sample.filter((_, index) => index % 2 === 1);
    this.#stride *= 2;
  }

  /** The factor that most moves by more than a quarter share, within half a percent; null for no moves. */
  commonWideFactor(): CommonFactor | null {
    const factors = this.#sample.filter(([before, now]) => Math.abs(now - before) > before / 4);
    const sorted = Float64Array.from(factors, ([before, now]) => now / before).sort();
    let best = { factor: 0, moves: sorted.length, agreeing: 0 };
    let first = 0;
    for (const [last, highest] of sorted.entries()) {
      while ((sorted[first] ?? 0) * 1.005 < highest) first += 1;
      const agreeing = last - first + 1;
      if (agreeing > best.agreeing) best = { ...best, factor: sorted[Math.floor((first + last) / 2)] ?? 0, agreeing };
    }
    return best.agreeing === 0 ? null : best;
  }

  /**
   * The factor by which numbers moved, and how many moves agree with it, within 1 or half a percent, because numbers
   * are rounded. Only numbers of at least `least` before or after count; null if there are none.
   */
  commonFactor(least = 0): CommonFactor | null {
    const moves = this.#sample.filter(([before, now]) => Math.max(before, now) >= least);
    if (moves.length === 0) return null;
    // Rounding distorts the ratios of small numbers most, so only the larger half counts.
    const middle = median(moves.map(([before, now]) => Math.max(before, now)));
    const large = moves.filter(([before, now]) => Math.max(before, now) >= middle);
    const factor = median(large.map(([before, now]) => now / before));
    const agrees = ([before, now]: readonly [number, number]) =>
      Math.abs(now - before * factor) <= Math.max(1, 0.005 * before * factor);
    return { factor, moves: moves.length, agreeing: moves.filter(agrees).length };
  }
}

/** Takes the higher of two middle numbers. */
export function median(numbers: readonly number[]): number {
  const sorted = Float64Array.from(numbers).sort();
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
