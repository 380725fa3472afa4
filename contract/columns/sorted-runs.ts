/** Consecutive publications or pieces of the change history, by the numbers of the first and the last. */
export type SortedRun = { readonly first: number; readonly last: number };

/** This many runs of one size are sorted again into one run of the next size. */
const joined = 8;

/**
 * The runs of a table over time with the publications (or pieces) from `first` to `last`. The rows of a run are sorted
 * by product, so a product's rows are in one place of each run. A publication joins the newest run, which is short;
 * every eighth publication joins such runs into a longer one, and longer runs are joined in the same way, so that each
 * row is sorted only a few times. The runs depend only on the two numbers. The oldest run can begin before `first`, by
 * an eighth of its size at most, because it would otherwise be written again for each expiry.
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
