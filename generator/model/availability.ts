import type { WarningCode } from '../contract/documents/envelope.ts';
import type { AvailabilitySummary, PairState, PurchaseEligibility } from '../contract/documents/observation.ts';
import { earlierOf, laterOf } from '../contract/instant.ts';
import type { InventoryRow, RowCounts } from '../database/state-reader.ts';
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

/** What is needed of a product to read its inventory. */
type Inventoried = Pick<Product, 'key'> & {
  readonly success: Pick<NonNullable<Product['success']>, 'retrievedAt' | 'scope'> | null;
};

/** What is needed of a product to summarize its inventory. */
export type Summarized = Inventoried & { readonly attempt: AvailabilitySummary['last_refresh_attempt'] };

/**
 * Called for each store. `row` is undefined if none was reported. `retrievedAt` is null if the pair was never
 * retrieved.
 */
export type PairVisitor = (
  store: Store,
  row: InventoryRow | undefined,
  retrievedAt: string | null,
  index: number,
) => void;

/** Reads what is known of products in stores, at one publication. */
export class AvailabilityReader {
  readonly #state: State;
  readonly #unchecked: readonly Pair[];
  readonly #uncheckedCounts: PairCounts;
  readonly #scopeSize: number;
  readonly #observed = new Map<number, ReadonlySet<number>>();
  readonly #covered = new Map<number, readonly boolean[]>();
  #rowCounts: ReadonlyMap<number, RowCounts> | null = null;

  constructor(state: State) {
    this.#state = state;
    this.#unchecked = state.stores.map((store) => unchecked(store));
    this.#scopeSize = state.stores.filter(({ inScope }) => inScope).length;
    this.#uncheckedCounts = new PairCounter(this.#scopeSize).counts;
  }

  of(product: Product): Availability {
    const counter = new PairCounter(this.#scopeSize);
    const pairs = this.pairsOf(product, counter);
    return { pairs, summary: this.#summarize(product, counter.counts) };
  }

  /** The pairs of a product, in the order of the state's stores. Adds observed pairs in scope to `counter`. */
  pairsOf(product: Inventoried, counter?: PairCounter): readonly Pair[] {
    if (product.success === null) return this.#unchecked;
    const state = this.#state;
    const meetsPolicy = state.meetsPolicy(product.success.retrievedAt);
    const pairs: Pair[] = [];
    this.visit(product, (store, row, retrievedAt, index) => {
      if (retrievedAt === null) {
        pairs.push(this.#unchecked[index] ?? unchecked(store));
        return;
      }
      if (store.inScope) counter?.add(row, retrievedAt);
      const isCurrent = retrievedAt === product.success?.retrievedAt;
      const { state: pairState, quantity, eligibility } = stateOf(row);
      pairs.push({
        store,
        state: pairState,
        quantity,
        eligibility,
        retrievedAt,
        meetsPolicy: isCurrent ? meetsPolicy : state.meetsPolicy(retrievedAt),
      });
    });
    return pairs;
  }

  /** Counts over the stores in scope, and the times of their retrievals. */
  summaryOf(product: Summarized): AvailabilitySummary {
    const { key, success } = product;
    if (success === null) return this.#summarize(product, this.#uncheckedCounts);
    const counter = new PairCounter(this.#scopeSize);
    if (!this.#state.older.has(key)) {
      const observed = this.#observedIn(success.scope);
      const rows = this.#state.reader.inventory(key).filter(({ store }) => observed.has(store));
      for (const row of rows) counter.add(row, success.retrievedAt);
      counter.addAbsent(observed.size - rows.length, success.retrievedAt);
      return this.#summarize(product, counter.counts);
    }
    this.visit(product, (store, row, retrievedAt) => {
      if (store.inScope && retrievedAt !== null) counter.add(row, retrievedAt);
    });
    return this.#summarize(product, counter.counts);
  }

  /**
   * The same as `summaryOf`, for whoever asks for most products: at the first call it counts the rows of all of them.
   * Every row of a product without older observations is of its last success.
   */
  countedSummaryOf(product: Summarized): AvailabilitySummary {
    const { key, success } = product;
    if (success === null || this.#state.older.has(key)) return this.summaryOf(product);
    this.#rowCounts ??= this.#state.reader.rowCounts(
      this.#state.stores.flatMap((store) => (store.inScope ? [store.key] : [])),
    );
    const observed = this.#observedIn(success.scope).size;
    const { positive, eligible, zero } = this.#rowCounts.get(key) ?? noRows;
    const retrievedAt = observed > 0 ? success.retrievedAt : null;
    return this.#summarize(product, {
      scope_store_count: this.#scopeSize,
      reported_positive_store_count: positive,
      eligible_positive_store_count: eligible,
      reported_zero_store_count: zero,
      row_absent_store_count: observed - positive - zero,
      unchecked_store_count: this.#scopeSize - observed,
      retrieved_at_min: retrievedAt,
      retrieved_at_max: retrievedAt,
    });
  }

  /** Keys of the stores that a retrieval of a scope covers and that summaries count. */
  #observedIn(scope: number): ReadonlySet<number> {
    const known = this.#observed.get(scope);
    if (known) return known;
    const { stores, scopes } = this.#state;
    const covered = scopes.get(scope);
    const keys = stores.flatMap(({ key, inScope }) => (inScope && covered?.has(key) ? [key] : []));
    const observed = new Set(keys);
    this.#observed.set(scope, observed);
    return observed;
  }

  /** Whether a retrieval of a scope covers each store, in the order of the state's stores. */
  #coveredBy(scope: number): readonly boolean[] {
    const known = this.#covered.get(scope);
    if (known) return known;
    const { stores, scopes } = this.#state;
    const keys = scopes.get(scope);
    const covered = stores.map(({ key }) => keys?.has(key) ?? false);
    this.#covered.set(scope, covered);
    return covered;
  }

  #summarize({ attempt, success }: Summarized, counts: PairCounts): AvailabilitySummary {
    return {
      // A spread takes five times as long.
      scope_store_count: counts.scope_store_count,
      reported_positive_store_count: counts.reported_positive_store_count,
      eligible_positive_store_count: counts.eligible_positive_store_count,
      reported_zero_store_count: counts.reported_zero_store_count,
      row_absent_store_count: counts.row_absent_store_count,
      unchecked_store_count: counts.unchecked_store_count,
      retrieved_at_min: counts.retrieved_at_min,
      retrieved_at_max: counts.retrieved_at_max,
      retrieval_policy_id: this.#state.publication.policy_id,
      meets_retrieval_policy: this.#state.meetsPolicy(success?.retrievedAt ?? null),
      upstream_age_known: false,
      last_refresh_attempt: attempt && { attempted_at: attempt.attempted_at, status: attempt.status },
    };
  }

  /** Calls `visitor` for every store, in the order of the state's stores. `rows`: those of the product. */
  visit({ key, success }: Inventoried, visitor: PairVisitor, rows?: readonly InventoryRow[]): void {
    const { stores, older, reader } = this.#state;
    const byStore = new Map<number, InventoryRow>();
    for (const row of rows ?? (success ? reader.inventory(key) : [])) byStore.set(row.store, row);
    const covered = success ? this.#coveredBy(success.scope) : [];
    const newest = success?.retrievedAt ?? null;
    const olderTimes = older.get(key);
    for (let index = 0; index < stores.length; index += 1) {
      const store = stores[index] as Store;
      const retrievedAt = olderTimes?.get(store.key) ?? (covered[index] ? newest : null);
      visitor(store, retrievedAt === null ? undefined : byStore.get(store.key), retrievedAt, index);
    }
  }
}

const noRows: RowCounts = { positive: 0, eligible: 0, zero: 0, quantity: 0 };

/** The state of an observed pair. A pair without a row is `row_absent`. */
export function stateOf(row: InventoryRow | undefined) {
  if (!row) return { state: 'row_absent', quantity: null, eligibility: null } as const;
  const state = row.quantity > 0 ? ('reported_positive' as const) : ('reported_zero' as const);
  return { state, quantity: row.quantity, eligibility: row.purchase_eligibility };
}

type PairCounts = Omit<
  AvailabilitySummary,
  'retrieval_policy_id' | 'meets_retrieval_policy' | 'upstream_age_known' | 'last_refresh_attempt'
>;

/** Counts the observed pairs of stores in scope, whatever their age. */
class PairCounter {
  readonly #counts = { reported_positive: 0, reported_zero: 0, row_absent: 0 };
  readonly #scope: number;
  #eligible = 0;
  #oldest: string | null = null;
  #newest: string | null = null;

  /** `scope`: the number of stores in scope. */
  constructor(scope: number) {
    this.#scope = scope;
  }

  add(row: InventoryRow | undefined, retrievedAt: string): void {
    const { state, eligibility } = stateOf(row);
    this.#counts[state] += 1;
    if (eligibility === 'eligible') this.#eligible += 1;
    this.#oldest = earlierOf(this.#oldest, retrievedAt);
    this.#newest = laterOf(this.#newest, retrievedAt);
  }

  /** Adds pairs without a row that were retrieved at the same time. */
  addAbsent(count: number, retrievedAt: string): void {
    if (count === 0) return;
    this.#counts.row_absent += count;
    this.#oldest = earlierOf(this.#oldest, retrievedAt);
    this.#newest = laterOf(this.#newest, retrievedAt);
  }

  get counts(): PairCounts {
    const { reported_positive, reported_zero, row_absent } = this.#counts;
    return {
      scope_store_count: this.#scope,
      reported_positive_store_count: reported_positive,
      eligible_positive_store_count: this.#eligible,
      reported_zero_store_count: reported_zero,
      row_absent_store_count: row_absent,
      unchecked_store_count: this.#scope - reported_positive - reported_zero - row_absent,
      retrieved_at_min: this.#oldest,
      retrieved_at_max: this.#newest,
    };
  }
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
