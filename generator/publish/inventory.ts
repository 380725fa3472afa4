import type { ChangeOf } from '../contract/documents/change.ts';
import { compareInstants, earlierOf, laterOf } from '../contract/instant.ts';
import { type OpenStore, openStores } from '../database/entity-writers.ts';
import {
  type AskedProduct,
  type CurrentRow,
  type InventoryWriter,
  inventoryWriter,
  type PositiveEligibility,
} from '../database/inventory-writer.ts';
import type { CheckedInventory } from './checked-snapshot.ts';
import { type Draft, recordEvent } from './draft.ts';
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
type Scope = {
  readonly key: number;
  readonly byCode: ReadonlyMap<string, OpenStore>;
  /** Keys of the stores. */
  readonly covered: ReadonlySet<number>;
};

/** What retrievals are applied with: the writer, the covered stores, all stores by key, and how rows are classified. */
type Round = {
  readonly inventory: InventoryWriter;
  readonly scope: Scope;
  readonly stores: ReadonlyMap<number, OpenStore>;
  readonly eligibility: PositiveEligibility;
};

/** Applies every retrieval of the snapshot, then classifies the rows whose products or stores changed. */
export async function applyInventory(draft: Draft, checked: CheckedInventory | null): Promise<InventoryChange> {
  const inventory = inventoryWriter(draft.connection, draft.sequence);
  const positiveBefore = inventory.positiveRowCount();
  let lastAttempt: string | null = null;
  let attempts = 0;
  let newerAttempts = 0;
  let positiveNow = positiveBefore;
  if (checked !== null) {
    const stores = new Map(openStores(draft.connection).map((store) => [store.store, store]));
    const scope = scopeOf(checked.scope, inventory, [...stores.values()]);
    const round = { inventory, scope, stores, eligibility: inventory.positiveEligibility() };
    for await (const line of checked.lines) {
      const product = inventory.askedProduct(line.sku);
      if (!product) throw new Error(`inventory of ${line.sku} outside the catalog passed its check`);
      attempts += 1;
      const { attempted_at: previous } = product;
      if (previous === null || compareInstants(line.attempted_at, previous) > 0) newerAttempts += 1;
      positiveNow += applyRetrieval(draft, round, product, line);
      lastAttempt = laterOf(lastAttempt, line.attempted_at);
    }
  }
  inventory.finish();
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
  const covered = new Set([...byCode.values()].map(({ store }) => store));
  let key: number | null = null;
  return {
    byCode,
    covered,
    get key() {
      key ??= inventory.scopeOf([...covered]);
      return key;
    },
  };
}

/** Applies a retrieval, and returns how many positive rows more there are. */
function applyRetrieval(draft: Draft, round: Round, asked: AskedProduct, line: InventoryLine): number {
  const { inventory, scope } = round;
  const { product, last_success, first_retrieved_at, last_positive_at } = asked;
  const { sku, rows, ...about } = line;
  const attempt = { product, publication: draft.sequence, ...about };
  const { retrieved_at, source_updated_at } = line;
  if (line.status === 'failed' || retrieved_at === null) {
    const nothing = { scope: null, reported_quantity: null, reported_positive_store_count: null };
    inventory.insertRetrieval({ ...attempt, ...nothing, last_success, first_retrieved_at, last_positive_at });
    return 0;
  }
  if (last_success !== null && asked.scope !== null && asked.scope !== scope.key) {
    keepOlderObservations(draft, inventory, product, { publication: last_success, scope: asked.scope }, scope);
  }
  const times = { retrieved_at, source_updated_at };
  const before = last_success === null ? [] : inventory.current(product);
  const sums = recordRowChanges(draft, round, asked, times, before, rows);
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
  recordSumChange(draft, asked, times, sums);
  return sums.reported_positive_store_count - before.filter(([, quantity]) => quantity > 0).length;
}

type Sums = ChangeOf<'aggregate_inventory_changed'>['current'];

/**
 * A pair that this retrieval does not cover keeps its earlier observation. A pair that it covers again no longer needs
 * it.
 */
function keepOlderObservations(
  draft: Draft,
  inventory: InventoryWriter,
  product: number,
  before: { readonly publication: number; readonly scope: number },
  { covered }: Scope,
): void {
  for (const store of inventory.olderStores(product)) {
    if (covered.has(store)) inventory.older.close(draft.sequence, { product, store });
  }
  for (const store of inventory.scopeStores(before.scope)) {
    if (covered.has(store)) continue;
    inventory.older.put(draft.sequence, { product, store, observed_publication: before.publication });
  }
}

type StoreState = ChangeOf<'store_inventory_changed'>['current'];

const rowAbsent: StoreState = { state: 'row_absent', reported_quantity: null };

/**
 * Writes the rows of a successful retrieval and records what changed in the stores it covered. `before`: the product's
 * rows. Returns the sums over its rows afterwards: those of the retrieval, and those of stores that it did not cover.
 */
function recordRowChanges(
  draft: Draft,
  { inventory, scope, stores, eligibility }: Round,
  asked: AskedProduct,
  times: CatalogTimes,
  before: readonly CurrentRow[],
  rows: InventoryLine['rows'],
): Sums {
  const { product, id: productId, version } = asked;
  const classified = eligibility(asked.lifecycle);
  const change = (store: OpenStore, row: CurrentRow | undefined, now: number | undefined) => {
    const was = row?.[1];
    if (was && now) draft.quantities.add(was, now);
    if (was === now) return;
    const isBaseline = row === undefined && (asked.last_success === null || !inventory.hadRow(product, store.store));
    if (row !== undefined) inventory.closeRow(product, store.store, row[2]);
    if (now !== undefined) {
      inventory.insertRow(product, store.store, now, now > 0 ? (classified.get(store.store) ?? null) : null);
    }
    const subject = { product, productId, version, store };
    const [previous, current] = [stateOf(was), stateOf(now)];
    if (isBaseline) return recordEvent(draft, 'store_inventory_first_observed', subject, times, { current });
    const difference = differenceOf(previous.reported_quantity, current.reported_quantity);
    recordEvent(draft, 'store_inventory_changed', subject, times, { previous, current, difference });
  };

  const left = new Map(before.map((row) => [row[0], row]));
  let [reported_quantity, reported_positive_store_count] = [0, 0];
  const count = (quantity: number) => {
    reported_quantity += quantity;
    if (quantity > 0) reported_positive_store_count += 1;
  };
  for (const [code, quantity] of rows) {
    const store = storeOf(scope, code);
    count(quantity);
    change(store, left.get(store.store), quantity);
    left.delete(store.store);
  }
  for (const row of left.values()) {
    if (scope.covered.has(row[0])) change(known(stores, row[0]), row, undefined);
    else count(row[1]);
  }
  return { reported_quantity, reported_positive_store_count };
}

function storeOf({ byCode }: Scope, code: string): OpenStore {
  const store = byCode.get(code);
  if (!store) throw new Error(`row of store ${code} outside the scope passed its check`);
  return store;
}

function known(stores: ReadonlyMap<number, OpenStore>, store: number): OpenStore {
  const found = stores.get(store);
  if (!found) throw new Error(`no store ${store}`);
  return found;
}

/** Records a change of the sums over all stores. The first success has no sums before it. */
function recordSumChange(draft: Draft, asked: AskedProduct, times: CatalogTimes, current: Sums): void {
  const { reported_quantity, reported_positive_store_count } = asked;
  if (reported_quantity === null || reported_positive_store_count === null) return;
  const previous = { reported_quantity, reported_positive_store_count };
  const difference = current.reported_quantity - reported_quantity;
  if (difference === 0 && current.reported_positive_store_count === reported_positive_store_count) return;
  const { product, id: productId, version } = asked;
  recordEvent(draft, 'aggregate_inventory_changed', { product, productId, version }, times, {
    previous,
    current,
    difference,
  });
}

function stateOf(quantity: number | undefined): StoreState {
  if (quantity === undefined) return rowAbsent;
  return { state: quantity > 0 ? 'reported_positive' : 'reported_zero', reported_quantity: quantity };
}

function differenceOf(previous: number | null, current: number | null): number | null {
  return previous === null || current === null ? null : current - previous;
}
