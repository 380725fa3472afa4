import { earlierOf, laterOf } from '../../contract/instant.ts';
import { formatPath } from '../../contract/paths.ts';
import type { AvailabilitySummary } from '../../contract/schemas/primitives.ts';
import type { ProductAvailability, StoreAvailability } from '../../contract/schemas/product.ts';
import type { InventoryRow } from '../database/state-reader.ts';
import { answer, type Document } from './document.ts';
import { type Product, productIdentity, productWarnings } from './product.ts';
import type { State } from './state.ts';
import type { Store } from './store.ts';

/** `pairs` are in the order of the state's stores. `summary` counts the stores in scope. */
export type Availability = { readonly pairs: readonly StoreAvailability[]; readonly summary: AvailabilitySummary };

export function readAvailability(state: State, product: Product): Availability {
  const { key, inventory_retrieved_at: retrieved_at, scope } = product;
  const rows = new Map<number, InventoryRow>();
  for (const row of retrieved_at === null ? [] : state.reader.inventory(key)) rows.set(row.store, row);
  const covered = scope === null ? undefined : state.scopes.get(scope);
  const meetsPolicy = state.meetsPolicy(retrieved_at);
  const older = state.older.get(key);
  const pairs = state.stores.map((store) => {
    const olderTime = older?.get(store.key);
    if (olderTime !== undefined) return pair(store, rows.get(store.key), olderTime, state.meetsPolicy(olderTime));
    if (covered?.has(store.key)) return pair(store, rows.get(store.key), retrieved_at, meetsPolicy);
    return pair(store, undefined, null, false);
  });
  return { pairs, summary: summarize(state, product, pairs) };
}

/** A pair never retrieved is `unchecked`, one without a row `row_absent`. Only positive rows have an eligibility. */
function pair(
  { detail: { id, source_ids, name } }: Store,
  row: InventoryRow | undefined,
  retrieved_at: string | null,
  meets_retrieval_policy: boolean,
): StoreAvailability {
  return {
    store_id: id,
    inventory_store_code: source_ids.inventory_store_code,
    name,
    state: retrieved_at === null ? 'unchecked' : reportedState(row),
    reported_quantity: row?.quantity ?? null,
    purchase_eligibility: row?.purchase_eligibility ?? null,
    retrieved_at,
    meets_retrieval_policy,
  };
}

function reportedState(row: InventoryRow | undefined): StoreAvailability['state'] {
  if (row === undefined) return 'row_absent';
  return row.quantity > 0 ? 'reported_positive' : 'reported_zero';
}

/** Pairs of any age count. */
function summarize(state: State, product: Product, pairs: readonly StoreAvailability[]): AvailabilitySummary {
  const { attempted_at, attempt_status, inventory_retrieved_at, reported_quantity } = product;
  const counts = { reported_positive: 0, reported_zero: 0, row_absent: 0, unchecked: 0 };
  let eligible = 0;
  const isStatewide = state.profile.inventory === 'statewide';
  let oldest = isStatewide ? inventory_retrieved_at : null;
  let newest = oldest;
  const inScope = pairsInScope(state, pairs);
  for (const { state: reported, purchase_eligibility, retrieved_at } of inScope) {
    counts[reported] += 1;
    if (purchase_eligibility === 'eligible') eligible += 1;
    if (retrieved_at === null) continue;
    oldest = earlierOf(oldest, retrieved_at);
    newest = laterOf(newest, retrieved_at);
  }
  return {
    scope_store_count: inScope.length,
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

export function pairsInScope({ stores }: State, pairs: readonly StoreAvailability[]): StoreAvailability[] {
  return pairs.filter((_, index) => stores[index]?.inScope);
}

/** `/products/{id}/availability`: every store that the summary counts. */
export function availabilityDocument(state: State, product: Product, { pairs, summary }: Availability): Document {
  const data: ProductAvailability = {
    product: productIdentity(product),
    summary,
    stores: pairsInScope(state, pairs),
  };
  return answer(
    formatPath('product_availability', { product_id: product.id }),
    data,
    productWarnings(state, product, summary),
  );
}
