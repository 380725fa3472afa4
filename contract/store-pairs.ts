import type { ProductAvailability, StorePair } from './schemas/product.ts';
import type { StoreSummary } from './schemas/store.ts';

/** Whether availability counts a store, if the agency reports the stock of stores (contract.md 2). */
export function isInScope({
  operational_status,
  directory_presence,
}: Pick<StoreSummary, 'operational_status' | 'directory_presence'>): boolean {
  return operational_status.state !== 'permanently_closed' && directory_presence?.state !== 'reviewed_retired';
}

type Scope = readonly Pick<StoreSummary, 'id' | 'source_ids' | 'name'>[];

type Availability = Omit<ProductAvailability, 'product' | 'summary'> & {
  readonly summary: Pick<ProductAvailability['summary'], 'scope_store_count' | 'meets_retrieval_policy'>;
};

/** The state of a product in each of these stores, which should be all in scope, in their order. */
export function storePairs(availability: Availability, scope: Scope): StorePair[] {
  const { retrieved_at, stores, other_stores_state, exception_store_ids, earlier_row_absent, summary } = availability;
  const rows = new Map(stores.map((row) => [row.store_id, row]));
  const exceptions = new Set(exception_store_ids);
  const earlier = new Map(earlier_row_absent.flatMap(({ store_ids, ...times }) => store_ids.map((id) => [id, times])));
  const absent = { retrieved_at, meets_retrieval_policy: summary.meets_retrieval_policy };
  const unchecked = { retrieved_at: null, meets_retrieval_policy: false };
  return scope.map(({ id, source_ids, name }): StorePair => {
    const row = rows.get(id);
    if (row) return row;
    const isAbsent = (other_stores_state === 'row_absent') !== exceptions.has(id);
    return {
      store_id: id,
      inventory_store_code: source_ids.inventory_store_code,
      name,
      state: isAbsent ? 'row_absent' : 'unchecked',
      reported_quantity: null,
      purchase_eligibility: null,
      ...(isAbsent ? (earlier.get(id) ?? absent) : unchecked),
    };
  });
}

/** What is wrong with an availability if these are the stores in scope; null if nothing is. */
export function scopeFault(availability: Availability, scope: Scope): string | null {
  const { stores, exception_store_ids, earlier_row_absent, summary } = availability;
  if (summary.scope_store_count !== scope.length)
    return `expected ${scope.length} stores, got ${summary.scope_store_count}`;
  const listed = [...stores.map(({ store_id }) => store_id), ...exception_store_ids];
  const unknown = new Set(listed);
  if (unknown.size < listed.length) return `expected ${listed.length} different stores, got ${unknown.size}`;
  for (const id of earlier_row_absent.flatMap(({ store_ids }) => store_ids)) unknown.add(id);
  for (const { id } of scope) unknown.delete(id);
  const [first] = unknown;
  return first === undefined ? null : `expected stores in scope, got ${first}`;
}
