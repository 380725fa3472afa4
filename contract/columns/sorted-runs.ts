/** Some consecutive publications or pieces of the change history, by the numbers of the first and the last. */
export type SortedRun = { readonly first: number; readonly last: number };

/** So many runs of one size are sorted again as one of the next size. */
const joined = 8;

/**
 * The runs of a table over time that has the publications (or pieces) from `first` to `last`. The rows of a run are
 * sorted by product, so a reader finds those of a product in one place of each run. A publication comes to the newest
 * run, which is short; each eighth publication makes a longer one of these, and so on, so that a row is sorted a few
 * times only. The runs follow from the two numbers alone. The oldest one can begin before `first`, by an eighth of its
 * size at most, because it would have to be written again each time that one expires.
 */
export function sortedRuns(first: number, last: number): SortedRun[] {
  const runs: SortedRun[] = [];
  let size = 1;
  while (size * joined <= last) size *= joined;
  for (let next = 1; size >= 1; size /= joined) {
    const end = last - (last % size);
    const step = Math.max(1, size / joined);
    if (end >= Math.max(next, first)) runs.push({ first: Math.max(next, first - ((first - 1) % step)), last: end });
    next = end + 1;
  }
  return runs;
}
