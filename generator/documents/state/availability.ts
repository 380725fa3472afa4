import { earlierOf, laterOf } from '../../../contract/instant.ts';
import type { AvailabilitySummary, PairState, PurchaseEligibility, WarningCode } from '../../../contract/primitives.ts';
import type { InventoryRow } from '../../database/state-reader.ts';
import type { Product } from './product.ts';
import type { State, Store } from './state.ts';

/**
 * What is known of a product in a store. `quantity` is null unless the state is positive or zero, `eligibility` unless
 * it is positive.
 */
export type Pair = {
  readonly store: Store;
  readonly state: PairState;
  readonly quantity: number | null;
  readonly eligibility: PurchaseEligibility | null;
  readonly retrievedAt: string | null;
  readonly meetsPolicy: boolean;
};

/** A product in every store: pairs of all stores, and the summary over those in scope. */
export type Availability = { readonly pairs: readonly Pair[]; readonly summary: AvailabilitySummary };

/** Reads what is known of a product in every store of a state. */
export function availabilityOf(state: State, product: Product): Availability {
  const { key, success } = product;
  const rows = new Map<number, InventoryRow>();
  for (const row of success ? state.reader.inventory(key) : []) rows.set(row.store, row);
  const covered = success && state.scopes.get(success.scope);
  const meetsPolicy = state.meetsPolicy(success?.retrievedAt ?? null);
  const older = state.older.get(key);
  const pairs = state.stores.map((store): Pair => {
    const olderTime = older?.get(store.key);
    if (olderTime !== undefined) return pairOf(store, rows.get(store.key), olderTime, state.meetsPolicy(olderTime));
    if (success && covered?.has(store.key)) return pairOf(store, rows.get(store.key), success.retrievedAt, meetsPolicy);
    return { store, state: 'unchecked', quantity: null, eligibility: null, retrievedAt: null, meetsPolicy: false };
  });
  return { pairs, summary: summaryOf(state, product, pairs) };
}

/** What a pair was retrieved with. A pair without a row is `row_absent`. */
function pairOf(store: Store, row: InventoryRow | undefined, retrievedAt: string, meetsPolicy: boolean): Pair {
  if (!row) return { store, state: 'row_absent', quantity: null, eligibility: null, retrievedAt, meetsPolicy };
  const { quantity, purchase_eligibility: eligibility } = row;
  const state = quantity > 0 ? 'reported_positive' : 'reported_zero';
  return { store, state, quantity, eligibility, retrievedAt, meetsPolicy };
}

/** Counts the pairs of the stores in scope, whatever their age. */
function summaryOf(state: State, { attempt, success, row }: Product, pairs: readonly Pair[]): AvailabilitySummary {
  const counts = { reported_positive: 0, reported_zero: 0, row_absent: 0, unchecked: 0 };
  let scope = 0;
  let eligible = 0;
  const isStatewide = state.profile.inventory === 'statewide';
  let oldest = isStatewide ? (success?.retrievedAt ?? null) : null;
  let newest = oldest;
  for (const pair of pairs) {
    if (!pair.store.inScope) continue;
    scope += 1;
    counts[pair.state] += 1;
    if (pair.eligibility === 'eligible') eligible += 1;
    if (pair.retrievedAt === null) continue;
    oldest = earlierOf(oldest, pair.retrievedAt);
    newest = laterOf(newest, pair.retrievedAt);
  }
  return {
    scope_store_count: scope,
    reported_positive_store_count: counts.reported_positive,
    eligible_positive_store_count: eligible,
    reported_zero_store_count: counts.reported_zero,
    row_absent_store_count: counts.row_absent,
    unchecked_store_count: counts.unchecked,
    retrieved_at_min: oldest,
    retrieved_at_max: newest,
    retrieval_policy_id: state.publication.policy_id,
    meets_retrieval_policy: state.meetsPolicy(success?.retrievedAt ?? null),
    upstream_age_known: false,
    last_refresh_attempt: attempt && { attempted_at: attempt.attempted_at, status: attempt.status },
    ...(isStatewide ? { reported_quantity: row.reported_quantity } : {}),
  };
}

/** The warnings that concern one product's inventory. */
export function inventoryWarnings({ success }: Product, summary: AvailabilitySummary): WarningCode[] {
  const codes: WarningCode[] = [];
  if (summary.unchecked_store_count > 0 || summary.reported_quantity === null) codes.push('INVENTORY_COVERAGE_PARTIAL');
  if (success !== null && !summary.meets_retrieval_policy) codes.push('SOURCE_REFRESH_DELAYED');
  if (summary.last_refresh_attempt?.status === 'failed') codes.push('UPSTREAM_PRODUCT_UNAVAILABLE');
  return codes;
}
