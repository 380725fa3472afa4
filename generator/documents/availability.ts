import { compareInstants, earlierOf, laterOf } from '../../contract/instant.ts';
import { formatPath } from '../../contract/paths.ts';
import type { AvailabilitySummary } from '../../contract/schemas/primitives.ts';
import type { ProductAvailability, StorePair } from '../../contract/schemas/product.ts';
import type { InventoryRow } from '../database/state-reader.ts';
import { answer, type Document } from './document.ts';
import { type Product, productIdentity, productWarnings } from './product.ts';
import type { State } from './state.ts';
import type { Store } from './store.ts';

/** What is known about a product in a store. `row` is undefined if no row was reported. */
type Observation = {
  readonly state: StorePair['state'];
  readonly row: InventoryRow | undefined;
  readonly retrieved_at: string | null;
};

/**
 * `at`: what is known in a store, in scope or not. `retrieved_at`: the product's last success. `summary` counts the
 * stores in scope.
 */
export type Availability = {
  readonly retrieved_at: string | null;
  readonly at: (store: Store) => Observation;
  readonly summary: AvailabilitySummary;
};

export function readAvailability(state: State, product: Product): Availability {
  const { key, inventory_retrieved_at, scope } = product;
  const rows = new Map<number, InventoryRow>();
  for (const row of inventory_retrieved_at === null ? [] : state.reader.inventory(key)) rows.set(row.store, row);
  const covered = scope === null ? undefined : state.scopes.get(scope);
  const older = state.older.get(key);
  const at = (store: Store): Observation => {
    const retrieved_at = older?.get(store.key) ?? (covered?.has(store.key) ? inventory_retrieved_at : null);
    if (retrieved_at === null) return { state: 'unchecked', row: undefined, retrieved_at };
    const row = rows.get(store.key);
    return { state: reportedState(row), row, retrieved_at };
  };
  return { retrieved_at: inventory_retrieved_at, at, summary: summarize(state, product, at) };
}

function reportedState(row: InventoryRow | undefined): Observation['state'] {
  if (row === undefined) return 'row_absent';
  return row.quantity > 0 ? 'reported_positive' : 'reported_zero';
}

/** The state of a product in a store, in scope or not. Only positive rows have an eligibility. */
export function pairAt(state: State, availability: Availability, store: Store): StorePair {
  const { id, source_ids, name } = store.detail;
  const { state: reported, row, retrieved_at } = availability.at(store);
  const isLatest = retrieved_at === availability.retrieved_at;
  return {
    store_id: id,
    inventory_store_code: source_ids.inventory_store_code,
    name,
    state: reported,
    reported_quantity: row?.quantity ?? null,
    purchase_eligibility: row?.purchase_eligibility ?? null,
    retrieved_at,
    meets_retrieval_policy: isLatest ? availability.summary.meets_retrieval_policy : state.meetsPolicy(retrieved_at),
  };
}

/** Pairs of any age count. */
function summarize(state: State, product: Product, at: Availability['at']): AvailabilitySummary {
  const { attempted_at, attempt_status, inventory_retrieved_at, reported_quantity } = product;
  const counts = { reported_positive: 0, reported_zero: 0, row_absent: 0, unchecked: 0 };
  let eligible = 0;
  const isStatewide = state.profile.inventory === 'statewide';
  let oldest = isStatewide ? inventory_retrieved_at : null;
  let newest = oldest;
  for (const store of state.storesInScope) {
    const { state: reported, row, retrieved_at } = at(store);
    counts[reported] += 1;
    if (row?.purchase_eligibility === 'eligible') eligible += 1;
    if (retrieved_at === null || (retrieved_at === oldest && retrieved_at === newest)) continue;
    oldest = earlierOf(oldest, retrieved_at);
    newest = laterOf(newest, retrieved_at);
  }
  return {
    scope_store_count: state.storesInScope.length,
    reported_positive_store_count: counts.reported_positive,
    eligible_positive_store_count: eligible,
    reported_zero_store_count: counts.reported_zero,
    row_absent_store_count: counts.row_absent,
    unchecked_store_count: counts.unchecked,
    retrieved_at_min: oldest,
    retrieved_at_max: newest,
    retrieval_policy_id: state.publication.policy_id,
    meets_retrieval_policy: state.meetsPolicy(inventory_retrieved_at),
    upstream_age_known: false,
    last_refresh_attempt:
      attempted_at === null || attempt_status === null ? null : { attempted_at, status: attempt_status },
    ...(isStatewide ? { reported_quantity } : {}),
  };
}

/** `/products/{id}/availability`. Most stores have no row, so it lists the others, and says what these are. */
export function availabilityDocument(state: State, product: Product, availability: Availability): Document {
  const { at, summary, retrieved_at: latest } = availability;
  const stores: ProductAvailability['stores'] = [];
  const others: Record<'row_absent' | 'unchecked', string[]> = { row_absent: [], unchecked: [] };
  const earlier = new Map<string, string[]>();
  for (const store of state.storesInScope) {
    const { state: reported, retrieved_at } = at(store);
    const { id } = store.detail;
    if (reported !== 'row_absent' && reported !== 'unchecked') {
      stores.push(pairAt(state, availability, store) as ProductAvailability['stores'][number]);
      continue;
    }
    others[reported].push(id);
    if (retrieved_at === null || retrieved_at === latest) continue;
    const ids = earlier.get(retrieved_at);
    if (ids) ids.push(id);
    else earlier.set(retrieved_at, [id]);
  }
  const { row_absent, unchecked } = others;
  const [usual, exceptions] =
    row_absent.length > unchecked.length ? (['row_absent', unchecked] as const) : (['unchecked', row_absent] as const);
  const data: ProductAvailability = {
    product: productIdentity(product),
    summary,
    retrieved_at: latest,
    stores,
    other_stores_state: row_absent.length + unchecked.length === 0 ? null : usual,
    exception_store_ids: exceptions,
    earlier_row_absent: [...earlier.keys()].sort(compareInstants).map((retrieved_at) => ({
      retrieved_at,
      meets_retrieval_policy: state.meetsPolicy(retrieved_at),
      store_ids: earlier.get(retrieved_at) ?? [],
    })),
  };
  return answer(
    formatPath('product_availability', { product_id: product.id }),
    data,
    productWarnings(state, product, summary),
  );
}
