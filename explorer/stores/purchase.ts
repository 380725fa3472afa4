import type { PurchaseEligibility } from '../../contract/schemas/primitives.ts';
import type { StoreSummary } from '../../contract/schemas/store.ts';

type Store = Pick<StoreSummary, 'access_type' | 'operational_status' | 'directory_presence'>;

/**
 * Why not everyone may buy what a store reports, in words; null if everyone may, or if nothing is reported. `store`:
 * undefined while it is loading.
 */
export function purchaseLimit(eligibility: PurchaseEligibility | null, store: Store | undefined): string | null {
  if (eligibility === null || eligibility === 'eligible') return null;
  if (eligibility === 'restricted') return 'restricted';
  return (store && storeLimit(store)) ?? 'not sold to everyone';
}

/**
 * Why not everyone may buy in a store, in words; null if everyone may. The contract has the same rule for eligibility.
 */
export function storeLimit({ access_type, operational_status: { state }, directory_presence }: Store): string | null {
  if (access_type === 'licensee_only') return 'licensees only';
  if (access_type === 'unknown') return 'kind of store unknown';
  if (state === 'temporarily_closed' || state === 'permanently_closed') return 'store closed';
  return directory_presence?.state === 'reviewed_retired' ? 'store retired' : null;
}

/** How many rows have each limit, such as `2 licensees only, 1 restricted`; empty if none. */
export function limitCounts(limits: readonly (string | null)[]): string {
  const counts = new Map<string, number>();
  for (const limit of limits) if (limit !== null) counts.set(limit, (counts.get(limit) ?? 0) + 1);
  return [...counts].map(([limit, count]) => `${count} ${limit}`).join(', ');
}
