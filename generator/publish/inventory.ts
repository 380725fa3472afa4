import { isDeepStrictEqual } from 'node:util';
import type { ChangeOf } from '../contract/documents/change.ts';
import { compareInstants, earlierOf, laterOf } from '../contract/instant.ts';
import { type OpenStore, openStores } from '../database/entity-writers.ts';
import {
  type InventoryWriter,
  inventoryWriter,
  type LastSuccess,
  type ListedProduct,
} from '../database/inventory-writer.ts';
import type { CheckedInventory } from './checked-snapshot.ts';
import { type Draft, recordEvent, type Subject } from './draft.ts';
import type { CatalogTimes } from './product-changes.ts';
import type { InventoryLine } from './snapshot/format.ts';

/**
 * Numbers of current positive rows, before this publication and now. Attempts to retrieve any, how many of these are
 * newer than the one before for the same product, and the time of the last.
 */
export type InventoryChange = {
  readonly positiveBefore: number;
  readonly positiveNow: number;
  readonly attempts: number;
  readonly newerAttempts: number;
  readonly lastAttempt: string | null;
};

/**
 * The stores a round of retrievals covered, by code and as a stored scope. The scope is stored with the first retrieval
 * that succeeded, so that every stored scope is one of a retrieval.
 */
type Scope = { readonly key: number; readonly byCode: ReadonlyMap<string, OpenStore> };

/** Applies every retrieval of the snapshot, then classifies all current rows. */
export async function applyInventory(draft: Draft, checked: CheckedInventory | null): Promise<InventoryChange> {
  const inventory = inventoryWriter(draft.connection);
  const positiveBefore = inventory.positiveRowCount();
  let lastAttempt: string | null = null;
  let attempts = 0;
  let newerAttempts = 0;
  if (checked !== null) {
    const stores = new Map(openStores(draft.connection).map((store) => [store.store, store]));
    const scope = scopeOf(checked.scope, inventory, [...stores.values()]);
    for await (const line of checked.lines) {
      const product = inventory.listedProduct(line.sku);
      if (!product) throw new Error(`inventory of ${line.sku} outside the catalog passed its check`);
      attempts += 1;
      if (applyRetrieval(draft, inventory, scope, stores, product, line)) newerAttempts += 1;
      lastAttempt = laterOf(lastAttempt, line.attempted_at);
    }
  }
  const positiveNow = inventory.positiveRowCount();
  inventory.classify(draft.sequence);
  return { positiveBefore, positiveNow, attempts, newerAttempts, lastAttempt };
}

function scopeOf(codes: readonly string[], inventory: InventoryWriter, stores: readonly OpenStore[]): Scope {
  const known = new Map(stores.map((store) => [store.inventory_store_code, store]));
  const byCode = new Map<string, OpenStore>();
  for (const code of codes) {
    const store = known.get(code);
    if (!store) throw new Error(`scope with unknown store ${code} passed its check`);
    byCode.set(code, store);
  }
  let key: number | null = null;
  return {
    byCode,
    get key() {
      key ??= inventory.scopeOf([...byCode.values()].map(({ store }) => store));
      return key;
    },
  };
}

/** Applies a retrieval, and returns whether it is newer than the one before for the same product. */
function applyRetrieval(
  draft: Draft,
  inventory: InventoryWriter,
  scope: Scope,
  stores: ReadonlyMap<number, OpenStore>,
  { product, id, version }: ListedProduct,
  line: InventoryLine,
): boolean {
  const { attempted_at: previous, last_success, first_retrieved_at, last_positive_at } = inventory.lastAttempt(product);
  const isNewer = previous === null || compareInstants(line.attempted_at, previous) > 0;
  const { sku, rows, ...about } = line;
  const attempt = { product, publication: draft.sequence, ...about };
  const { status, retrieved_at, source_updated_at } = line;
  if (status === 'failed' || retrieved_at === null) {
    const nothing = { scope: null, reported_quantity: null, reported_positive_store_count: null };
    inventory.insertRetrieval({ ...attempt, ...nothing, last_success, first_retrieved_at, last_positive_at });
    return isNewer;
  }
  const before = last_success === null ? undefined : inventory.success(product, last_success);
  if (before && before.scope !== scope.key) keepOlderObservations(draft, inventory, product, before, scope);

  const subject = { product, productId: id, version };
  const times = { retrieved_at, source_updated_at };
  const reported = new Map(rows.map(([code, quantity]) => [byStore(scope, code), quantity]));
  recordRowChanges(draft, inventory, subject, times, { reported, covered: scope.byCode, stores });

  const current = inventory.current(product);
  const sums = {
    reported_quantity: current.reduce((sum, { quantity }) => sum + quantity, 0),
    reported_positive_store_count: current.filter(({ quantity }) => quantity > 0).length,
  };
  if (!Number.isSafeInteger(sums.reported_quantity)) {
    draft.faults.refuse('inventory.ndjson', {
      field: null,
      expected: `quantities of ${sku} that add up to at most ${Number.MAX_SAFE_INTEGER} over all stores`,
      got: 'more, with those that stand in stores outside the scope',
    });
  }
  inventory.insertRetrieval({
    ...attempt,
    scope: scope.key,
    last_success: draft.sequence,
    ...sums,
    first_retrieved_at: earlierOf(first_retrieved_at, retrieved_at),
    last_positive_at: rows.some(([, quantity]) => quantity > 0)
      ? laterOf(last_positive_at, retrieved_at)
      : last_positive_at,
  });
  if (before) recordSumChange(draft, subject, times, before, sums);
  return isNewer;
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

type Reported = {
  /** Quantity by store. */
  readonly reported: ReadonlyMap<number, number>;
  readonly covered: ReadonlyMap<string, OpenStore>;
  readonly stores: ReadonlyMap<number, OpenStore>;
};

type StoreState = ChangeOf<'store_inventory_changed'>['current'];

const rowAbsent: StoreState = { state: 'row_absent', reported_quantity: null };

/** Writes the rows of a successful retrieval and records what changed in the stores it covered. */
export function recordRowChanges(
  draft: Draft,
  inventory: InventoryWriter,
  subject: Subject,
  times: CatalogTimes,
  { reported, covered, stores }: Reported,
): void {
  const { product } = subject;
  const { sequence } = draft;
  const current = new Map(inventory.current(product).map(({ store, quantity }) => [store, quantity]));
  const changed = (store: number, previous: StoreState, current: StoreState) =>
    recordEvent(draft, 'store_inventory_changed', { ...subject, store: named(stores, store) }, times, {
      previous,
      current,
      difference: differenceOf(previous.reported_quantity, current.reported_quantity),
    });

  for (const { store } of covered.values()) {
    const before = current.get(store);
    const now = reported.get(store);
    if (before && now) draft.quantities.add(before, now);
    if (now === before) continue;
    if (now === undefined) {
      inventory.rows.close(sequence, { product, store });
      changed(store, stateOf(before), rowAbsent);
      continue;
    }
    const isBaseline = before === undefined && !inventory.hadRow(product, store);
    if (before !== undefined) inventory.rows.close(sequence, { product, store });
    inventory.rows.insert(sequence, { product, store, quantity: now, purchase_eligibility: null });
    if (isBaseline) {
      const subjectThere = { ...subject, store: named(stores, store) };
      recordEvent(draft, 'store_inventory_first_observed', subjectThere, times, { current: stateOf(now) });
    } else {
      changed(store, stateOf(before), stateOf(now));
    }
  }
}

/**
 * Records a change of the sums over all stores. It is not called for the first success, which has no sums before it.
 */
export function recordSumChange(
  draft: Draft,
  subject: Subject,
  times: CatalogTimes,
  before: LastSuccess,
  current: ChangeOf<'aggregate_inventory_changed'>['current'],
): void {
  const { reported_quantity, reported_positive_store_count } = before;
  const previous = { reported_quantity, reported_positive_store_count };
  if (isDeepStrictEqual(previous, current)) return;
  const difference = current.reported_quantity - previous.reported_quantity;
  recordEvent(draft, 'aggregate_inventory_changed', subject, times, { previous, current, difference });
}

function stateOf(quantity: number | undefined): StoreState {
  if (quantity === undefined) return rowAbsent;
  return { state: quantity > 0 ? 'reported_positive' : 'reported_zero', reported_quantity: quantity };
}

function differenceOf(previous: number | null, current: number | null): number | null {
  return previous === null || current === null ? null : current - previous;
}

function named(stores: ReadonlyMap<number, OpenStore>, store: number): { id: string; version: number } {
  const found = stores.get(store);
  if (!found) throw new Error(`no store ${store}`);
  return { id: found.id, version: found.version };
}
