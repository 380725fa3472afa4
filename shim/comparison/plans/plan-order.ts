import type { CoverageField } from './coverage-field.ts';

/** Positions of stores in a field, ascending: nearest first. */
export type FieldPlan = readonly number[];

export function farthestDistance({ distances }: CoverageField, plan: FieldPlan): number {
  return distances[plan[plan.length - 1] as number] as number;
}

/**
 * Below 0 when `a` is the better plan, of two with as many stores and the same farthest distance: by total distance,
 * then by the ids of the stores, nearest first, contract.md 9.
 */
export function comparePlans({ distances, idRanks }: CoverageField, a: FieldPlan, b: FieldPlan): number {
  let difference = 0;
  for (let stop = 0; stop < a.length; stop += 1) {
    difference += (distances[a[stop] as number] as number) - (distances[b[stop] as number] as number);
  }
  for (let stop = 0; difference === 0 && stop < a.length; stop += 1) {
    difference = (idRanks[a[stop] as number] as number) - (idRanks[b[stop] as number] as number);
  }
  return difference;
}
