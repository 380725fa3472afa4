import { type Figure, figuresOf } from './figure.ts';
import type { Taken } from './measure.ts';

/**
 * The same work of another tree of the project and of this one, by turns: rows of the other tree first, so that the
 * ratio says how many times as long it took. None when there is no other tree.
 */
export function beforeAndNow(benchmark: string, before: readonly Taken[], now: readonly Taken[]): Figure[] {
  if (before.length === 0) return [];
  return figuresOf(`${benchmark}, before and now`, [
    { program: 'before', runs: before },
    { program: 'now', runs: now },
  ]);
}
