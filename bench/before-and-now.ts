import { type Figure, figuresOf } from './figure.ts';
import type { Taken } from './measure.ts';

/**
 * The same work done alternately by another tree of the project and by this one. Rows of the other tree come first, so
 * that the ratio says how many times as long it took. Nothing if there is no other tree.
 */
export function beforeAndNow(benchmark: string, before: readonly Taken[], now: readonly Taken[]): Figure[] {
  if (before.length === 0) return [];
  return figuresOf(`${benchmark}, before and now`, [
    { program: 'before', runs: before },
    { program: 'now', runs: now },
  ]);
}
