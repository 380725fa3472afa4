import { earlierOf, laterOf } from '../contract/instant.ts';
import { InventoryWriter, type ListedProduct } from '../database/inventory-writer.ts';
import { type OpenStore, StoreWriter } from '../database/store-writer.ts';
import { checkedRows } from './checked-rows.ts';
import type { Draft } from './draft.ts';
import { recordRowChanges, recordSumChange } from './inventory-changes.ts';
import type { Fault } from './problem.ts';
import { type InventoryLine, inventoryLine } from './snapshot-format.ts';
import { readScope } from './snapshot-rows.ts';

/** Positive rows that stood before, and that stand now. */
export type InventoryChange = { readonly positiveBefore: number; readonly positiveNow: number };

/** The stores a round of retrievals covered, by code and as a stored scope. */
type Scope = { readonly key: number; readonly byCode: ReadonlyMap<string, OpenStore> };

const scopeFile = 'inventory_scope.json';

/** Applies every retrieval of the snapshot and classifies what stands then. */
export async function applyInventory(draft: Draft): Promise<InventoryChange> {
  const inventory = new InventoryWriter(draft.connection);
  const positiveBefore = inventory.positiveRowCount();
  if (draft.snapshot.parts.inventory !== null) {
    const stores = new Map(new StoreWriter(draft.connection).all().map((store) => [store.store, store]));
    const scope = await scopeOf(draft, inventory, [...stores.values()]);
    const rows = checkedRows(draft.snapshot, 'inventory', inventoryLine, draft.faults, {
      unique: ({ sku }) => [['sku', sku]],
      faultsOf: (line) => faultsOf(line, inventory, scope),
    });
    for await (const line of rows) {
      const product = inventory.listedProduct(line.sku);
      if (product) applyRetrieval(draft, inventory, scope, stores, product, line);
    }
  }
  const positiveNow = inventory.positiveRowCount();
  inventory.classify(draft.sequence);
  return { positiveBefore, positiveNow };
}

async function scopeOf({ snapshot, faults }: Draft, inventory: InventoryWriter, stores: OpenStore[]): Promise<Scope> {
  const known = new Map(stores.map((store) => [store.inventory_store_code, store]));
  const byCode = new Map<string, OpenStore>();
  const path = snapshot.parts.inventory_scope;
  const codes = path === null ? [] : await readScope(path, faults.rejecting(scopeFile));
  for (const [index, code] of codes.entries()) {
    const store = known.get(code);
    if (store) {
      byCode.set(code, store);
      faults.accept(scopeFile);
    } else {
      const field = `inventory_store_codes[${index}]`;
      const fault = { field, expected: 'the inventory_store_code of a known store', got: JSON.stringify(code) };
      faults.reject(scopeFile, null, JSON.stringify(code), [fault]);
    }
  }
  return { key: inventory.scopeOf([...byCode.values()].map(({ store }) => store)), byCode };
}

function faultsOf({ sku, rows }: InventoryLine, inventory: InventoryWriter, { byCode }: Scope): Fault[] {
  const faults: Fault[] = [];
  if (!inventory.listedProduct(sku)) {
    faults.push({ field: 'sku', expected: 'a product of the catalog in force', got: JSON.stringify(sku) });
  }
  for (const [index, [code]] of rows.entries()) {
    if (byCode.has(code)) continue;
    const expected = 'a store of inventory_scope.json';
    faults.push({ field: `rows[${index}][0]`, expected, got: JSON.stringify(code) });
  }
  return faults;
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

  const standing = inventory.standing(product);
  const sums = {
    reported_quantity: standing.reduce((sum, { quantity }) => sum + quantity, 0),
    reported_positive_store_count: standing.filter(({ quantity }) => quantity > 0).length,
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

/** A pair that this retrieval does not cover keeps its earlier observation; one that it covers again does not. */
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
