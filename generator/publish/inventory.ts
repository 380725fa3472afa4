import { earlierOf, laterOf } from '../contract/instant.ts';
import { InventoryWriter, type ListedProduct } from '../database/inventory-writer.ts';
import { type OpenStore, StoreWriter } from '../database/store-writer.ts';
import type { Draft } from './draft.ts';
import { recordRowChanges, recordSumChange } from './inventory-changes.ts';
import type { CheckedInventory } from './snapshot/checked-snapshot.ts';
import type { InventoryLine } from './snapshot/format.ts';

/** Numbers of current positive rows, before this publication and now. */
export type InventoryChange = { readonly positiveBefore: number; readonly positiveNow: number };

/** The stores a round of retrievals covered, by code and as a stored scope. */
type Scope = { readonly key: number; readonly byCode: ReadonlyMap<string, OpenStore> };

/** Applies every retrieval of the snapshot, then classifies all current rows. */
export async function applyInventory(draft: Draft, checked: CheckedInventory | null): Promise<InventoryChange> {
  const inventory = new InventoryWriter(draft.connection);
  const positiveBefore = inventory.positiveRowCount();
  if (checked !== null) {
    const stores = new Map(new StoreWriter(draft.connection).all().map((store) => [store.store, store]));
    const scope = scopeOf(checked.scope, inventory, [...stores.values()]);
    for await (const line of checked.lines) {
      const product = inventory.listedProduct(line.sku);
      if (!product) throw new Error(`inventory of ${line.sku} outside the catalog passed its check`);
      applyRetrieval(draft, inventory, scope, stores, product, line);
    }
  }
  const positiveNow = inventory.positiveRowCount();
  inventory.classify(draft.sequence);
  return { positiveBefore, positiveNow };
}

function scopeOf(codes: readonly string[], inventory: InventoryWriter, stores: readonly OpenStore[]): Scope {
  const known = new Map(stores.map((store) => [store.inventory_store_code, store]));
  const byCode = new Map<string, OpenStore>();
  for (const code of codes) {
    const store = known.get(code);
    if (!store) throw new Error(`scope with unknown store ${code} passed its check`);
    byCode.set(code, store);
  }
  return { key: inventory.scopeOf([...byCode.values()].map(({ store }) => store)), byCode };
}

function applyRetrieval(
  draft: Draft,
  inventory: InventoryWriter,
  scope: Scope,
  stores: ReadonlyMap<number, OpenStore>,
  { product, id, version }: ListedProduct,
  line: InventoryLine,
): void {
  const { last_success, first_retrieved_at, last_positive_at } = inventory.lastAttempt(product);
  const attempt = {
    product,
    publication: draft.sequence,
    attempted_at: line.attempted_at,
    status: line.status,
    retrieved_at: line.retrieved_at,
    source_updated_at: line.source_updated_at,
  };
  const { retrieved_at } = line;
  if (line.status === 'failed' || retrieved_at === null) {
    const nothing = { scope: null, reported_quantity: null, reported_positive_store_count: null };
    inventory.insertRetrieval({ ...attempt, ...nothing, last_success, first_retrieved_at, last_positive_at });
    return;
  }
  const before = last_success === null ? undefined : inventory.success(product, last_success);
  if (before && before.scope !== scope.key) keepOlderObservations(draft, inventory, product, before, scope);

  const subject = { product, productId: id, version };
  const times = { retrieved_at, source_updated_at: line.source_updated_at };
  const reported = new Map(line.rows.map(([code, quantity]) => [byStore(scope, code), quantity]));
  recordRowChanges(draft, inventory, subject, times, { reported, covered: scope.byCode, stores });

  const current = inventory.current(product);
  const sums = {
    reported_quantity: current.reduce((sum, { quantity }) => sum + quantity, 0),
    reported_positive_store_count: current.filter(({ quantity }) => quantity > 0).length,
  };
  if (!Number.isSafeInteger(sums.reported_quantity)) {
    draft.faults.refuse('inventory.ndjson', {
      field: null,
      expected: `quantities of ${line.sku} that add up to at most ${Number.MAX_SAFE_INTEGER} over all stores`,
      got: 'more, with those that stand in stores outside the scope',
    });
  }
  inventory.insertRetrieval({
    ...attempt,
    scope: scope.key,
    last_success: draft.sequence,
    ...sums,
    first_retrieved_at: earlierOf(first_retrieved_at, retrieved_at),
    last_positive_at: line.rows.some(([, quantity]) => quantity > 0)
      ? laterOf(last_positive_at, retrieved_at)
      : last_positive_at,
  });
  if (before) recordSumChange(draft, subject, times, before, sums);
}

function byStore({ byCode }: Scope, code: string): number {
  const store = byCode.get(code);
  if (!store) throw new Error(`row of store ${code} outside the scope passed its check`);
  return store.store;
}

/**
 * A pair that this retrieval does not cover keeps its earlier observation. A pair that it covers again no longer needs
 * it.
 */
function keepOlderObservations(
  draft: Draft,
  inventory: InventoryWriter,
  product: number,
  before: { readonly publication: number; readonly scope: number },
  scope: Scope,
): void {
  const covered = new Set([...scope.byCode.values()].map(({ store }) => store));
  for (const store of inventory.olderStores(product)) {
    if (covered.has(store)) inventory.older.close(draft.sequence, { product, store });
  }
  for (const store of inventory.scopeStores(before.scope)) {
    if (covered.has(store)) continue;
    inventory.older.put(draft.sequence, { product, store, observed_publication: before.publication });
  }
}
