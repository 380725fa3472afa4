import type { Candidates, Plan } from '../../../shim/comparison/plan-search.ts';

/** The best plan of one to `maxStops` stores, found by trying all of them; null if none covers anything. */
export function bestByTrial(candidates: Candidates, maxStops: number): Plan | null {
  const { coverage, distances, idRanks } = candidates;
  let best = null as { readonly plan: Plan; readonly key: readonly number[] } | null;
  const offer = (plan: number[], covered: number) => {
    const size = covered.toString(2).replaceAll('0', '').length;
    if (covered === 0 || (best !== null && size < -(best.key[0] as number))) return;
    const metres = plan.map((store) => distances[store] as number);
    const total = metres.reduce((sum, distance) => sum + distance, 0);
    const key = [-size, plan.length, Math.max(...metres), total, ...plan.map((store) => idRanks[store] as number)];
    if (best === null || isBefore(key, best.key)) best = { plan, key };
  };
  const extend = (plan: number[], covered: number) => {
    for (let store = (plan[plan.length - 1] ?? -1) + 1; store < coverage.length; store += 1) {
      const longer = [...plan, store];
      offer(longer, covered | (coverage[store] as number));
      if (longer.length < maxStops) extend(longer, covered | (coverage[store] as number));
    }
  };
  extend([], 0);
  return best?.plan ?? null;
}

/** A key is as long as its plan, and keys of different plans differ before the shorter one ends. */
function isBefore(a: readonly number[], b: readonly number[]): boolean {
  const index = a.findIndex((value, position) => value !== b[position]);
  return index >= 0 && (a[index] as number) < (b[index] as number);
}
