import type { About } from '../contract/documents/metadata.ts';
import type { FieldChange } from './record-differences.ts';

/** A member of `about` that only one side states, or that the sides state differently. */
export type AboutDifference = FieldChange & {
  readonly change: 'added' | 'removed' | 'changed';
  readonly member: keyof About;
};

/** Compares what the operators of both sides state of the data, member by member. */
export function aboutDifferences(before: About | null, after: About | null): AboutDifference[] {
  const members = Object.keys(before ?? after ?? {}) as (keyof About)[];
  return members.flatMap((member): AboutDifference[] => {
    const [a, b] = [before?.[member] ?? null, after?.[member] ?? null];
    if (JSON.stringify(a) === JSON.stringify(b)) return [];
    return [{ change: a === null ? 'added' : b === null ? 'removed' : 'changed', member, a, b }];
  });
}
