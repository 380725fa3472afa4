/** Units of work that a point stands for: some ten milliseconds of a usual machine. */
const unitsPerPoint = 10_000;

/** The dearest question, in points. */
const mostPoints = 10;

/**
 * What a question counts, by the work that it took. One, unless it read a megabyte or more: a plain question reads a few
 * small files or a page or two, and a selection that reads a hundred pages counts as seven of them.
 */
export function pointsFor(units: number): number {
  return Math.min(mostPoints, 1 + Math.floor(units / unitsPerPoint));
}
