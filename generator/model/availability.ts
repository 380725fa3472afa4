import { compareInstants } from '../contract/instant.ts';
import type { AvailabilitySummary, PairState, PurchaseEligibility } from '../contract/observation.ts';
import type { WarningCode } from '../contract/warning.ts';
import type { Product } from './product.ts';
import type { State } from './state.ts';
import type { Store } from './store.ts';

/** What is known of a product in a store. Quantity null unless positive or zero; eligibility null unless positive. */
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

/** Reads what is known of products in stores, at one publication. */
export class AvailabilityReader {
  readonly #state: State;
  readonly #unchecked: readonly Pair[];
  readonly #uncheckedCounts: PairCounts;

  constructor(state: State) {
    this.#state = state;
    this.#unchecked = state.stores.map((store) => unchecked(store));
    this.#uncheckedCounts = countPairs(this.#unchecked);
  }

  of(product: Product): Availability {
    const pairs = this.pairsOf(product);
    return { pairs, summary: this.#summarize(product, pairs) };
  }

  /** A product in every store, in the order of the state's stores. */
  pairsOf({ key, success }: Pick<Product, 'key' | 'success'>): readonly Pair[] {
    if (success === null) return this.#unchecked;
    const { stores, scopes, older, reader } = this.#state;
    const rows = new Map(reader.inventory(key).map((row) => [row.store, row]));
    const covered = scopes.get(success.scope);
    const olderTimes = older.get(key);
    const current = { retrievedAt: success.retrievedAt, meetsPolicy: this.#state.meetsPolicy(success.retrievedAt) };
    return stores.map((store, index) => {
      const olderTime = olderTimes?.get(store.key);
      const times = olderTime
        ? { retrievedAt: olderTime, meetsPolicy: this.#state.meetsPolicy(olderTime) }
        : covered?.has(store.key)
          ? current
          : null;
      if (times === null) return this.#unchecked[index] ?? unchecked(store);
      const row = rows.get(store.key);
      if (!row) return { store, state: 'row_absent', quantity: null, eligibility: null, ...times };
      return {
        store,
        state: row.quantity > 0 ? 'reported_positive' : 'reported_zero',
        quantity: row.quantity,
        eligibility: row.purchase_eligibility as PurchaseEligibility | null,
        ...times,
      };
    });
  }

  #summarize({ attempt, success }: Product, pairs: readonly Pair[]): AvailabilitySummary {
    return {
      ...(pairs === this.#unchecked ? this.#uncheckedCounts : countPairs(pairs)),
      retrieval_policy_id: this.#state.publication.policy_id,
      meets_retrieval_policy: this.#state.meetsPolicy(success?.retrievedAt ?? null),
      upstream_age_known: false,
      last_refresh_attempt: attempt && { attempted_at: attempt.attempted_at, status: attempt.status },
    };
  }
}

type PairCounts = Omit<
  AvailabilitySummary,
  'retrieval_policy_id' | 'meets_retrieval_policy' | 'upstream_age_known' | 'last_refresh_attempt'
>;

/** Counts the pairs of stores in scope; ages do not matter to the counts. */
function countPairs(pairs: readonly Pair[]): PairCounts {
  const counts = { reported_positive: 0, reported_zero: 0, row_absent: 0, unchecked: 0 };
  let eligible = 0;
  let oldest: string | null = null;
  let newest: string | null = null;
  let scope = 0;
  for (const { store, state, eligibility, retrievedAt } of pairs) {
    if (!store.inScope) continue;
    scope += 1;
    counts[state] += 1;
    if (eligibility === 'eligible') eligible += 1;
    if (retrievedAt === null) continue;
    if (oldest === null || compareInstants(retrievedAt, oldest) < 0) oldest = retrievedAt;
    if (newest === null || compareInstants(retrievedAt, newest) > 0) newest = retrievedAt;
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
  };
}

function unchecked(store: Store): Pair {
  return { store, state: 'unchecked', quantity: null, eligibility: null, retrievedAt: null, meetsPolicy: false };
}

/** The warnings that concern one product's inventory. */
export function inventoryWarnings({ success }: Product, summary: AvailabilitySummary): WarningCode[] {
  const codes: WarningCode[] = [];
  if (summary.unchecked_store_count > 0) codes.push('INVENTORY_COVERAGE_PARTIAL');
  if (success !== null && !summary.meets_retrieval_policy) codes.push('SOURCE_REFRESH_DELAYED');
  if (summary.last_refresh_attempt?.status === 'failed') codes.push('UPSTREAM_PRODUCT_UNAVAILABLE');
  return codes;
}
