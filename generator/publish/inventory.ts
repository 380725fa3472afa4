import { compareInstants, earlierOf, epochSeconds, laterOf } from '../../contract/instant.ts';
import type { ChangeOf } from '../../contract/schemas/change.ts';
import { type OpenStore, openStores } from '../database/entity-writers.ts';
import {
  type AskedProduct,
  type CurrentRow,
  type InventoryWriter,
  inventoryWriter,
  type PositiveEligibility,
} from '../database/inventory-writer.ts';
import type { InventoryLine } from '../snapshot/format.ts';
import type { CheckedInventory } from './checked-snapshot.ts';
import { type EventTimes, type NextPublication, recordEvent, rowCounter } from './next-publication.ts';

export class InventoryChange {
  /** Attempts in the previous inventory, and in this one. */
  attemptsBefore = 0;
  attempts = 0;
  /** Failed attempts, and attempts no newer than the previous one for the same product. */
  failed = 0;
  repeated = 0;
  /** Retrievals with an earlier source update than the previous success for the same product. */
  turnedBack = 0;
  /** The first two retrievals whose own times are in the wrong order. */
  readonly misordered: string[] = [];
  lastAttempt: string | null = null;
  /** The positive rows that were lost, and all that the retrieved products had before. */
  lost = 0;
  retrievedPositive = 0;
  /** Positive rows of the retrieved products before and now, by the code of the covered store. */
  readonly storeRows = new Map<string, { before: number; now: number }>();
  /** The number of positive rows, and for each other column how many quantities equal its value, with two examples. */
  positive = 0;
  readonly copied = new Map<string, { count: number; readonly examples: string[] }>();
  /** `of`: a product and its store. */
  largest = { quantity: 0, of: '' };
  /**
   * Rows in stores that an earlier retrieval of the product covered too: their sums before and now, how many come from
   * a source with a new or unknown time of update, and how many of these moved.
   */
  readonly sums = { before: 0, now: 0 };
  compared = 0;
  moved = 0;
  /** Keys of covered stores: now, and in the last publication with a successful retrieval. */
  covered: ReadonlySet<number> | null = null;
  coveredBefore: ReadonlySet<number> = new Set();
  /** Counts the positive rows that all products had before. */
  readonly positiveBefore: () => number;

  constructor(inventory: InventoryWriter) {
    this.positiveBefore = () => inventory.positiveRowCount() + this.lost;
  }

  addAttempt(line: InventoryLine, asked: AskedProduct): void {
    const { attempted_at, status, source_updated_at } = line;
    this.attempts += 1;
    if (status === 'failed') this.failed += 1;
    const misordered = this.misordered.length < 2 ? wrongOrder(line) : null;
    if (misordered !== null) this.misordered.push(misordered);
    if (asked.attempted_at !== null && compareInstants(attempted_at, asked.attempted_at) <= 0) this.repeated += 1;
    const before = asked.source_updated_at;
    if (before && source_updated_at && compareInstants(source_updated_at, before) < 0) this.turnedBack += 1;
    this.lastAttempt = laterOf(this.lastAttempt, attempted_at);
  }

  addPairs(
    sku: string,
    { price_minor, size_ml, source_updated_at: sourceBefore }: AskedProduct,
    sourceNow: string | null,
    pairs: readonly PairMove[],
  ): void {
    const isSameSource = sourceNow !== null && sourceNow === sourceBefore;
    const dollars = price_minor === null ? null : Math.round(price_minor / 100);
    const columns = Object.entries({ sku: Number(sku), size_ml, price_minor, dollars });
    for (const { code, was, now, wasCovered } of pairs) {
      this.addQuantity(`${sku} in ${code}`, now);
      if (wasCovered) this.addMove(was, now, isSameSource);
      const rows = this.storeRows.get(code) ?? { before: 0, now: 0 };
      this.storeRows.set(code, rows);
      if (was > 0) rows.before += 1;
      if (now === 0) continue;
      rows.now += 1;
      this.positive += 1;
      if (Number(code) === now) this.#addCopied('code', `${sku} in ${code}: ${now}`);
      for (const [column, value] of columns) if (value === now) this.#addCopied(column, `${sku} in ${code}: ${now}`);
    }
  }

  addQuantity(of: string, quantity: number): void {
    if (quantity > this.largest.quantity) this.largest = { quantity, of };
  }

  /** Adds a row that was reported before or is reported now. `isSameSource`: the source was not updated since. */
  addMove(was: number, now: number, isSameSource: boolean): void {
    this.sums.before += was;
    this.sums.now += now;
    if (isSameSource) return;
    this.compared += 1;
    if (was !== now) this.moved += 1;
  }

  #addCopied(column: string, example: string): void {
    const copied = this.copied.get(column) ?? { count: 0, examples: [] };
    this.copied.set(column, copied);
    copied.count += 1;
    if (copied.examples.length < 2) copied.examples.push(example);
  }
}

/**
 * What is wrong with the order of a retrieval's times; null if nothing is. The attempt may be up to an hour after the
 * retrieval, and the update of the source up to a day.
 */
function wrongOrder({ sku, attempted_at, retrieved_at, source_updated_at }: InventoryLine): string | null {
  if (retrieved_at === null) return null;
  const after = (time: string) => epochSeconds(time) - epochSeconds(retrieved_at);
  if (after(attempted_at) > 3_600) return `${sku}: ${attempted_at} after ${retrieved_at}`;
  if (source_updated_at === null || after(source_updated_at) <= 86_400) return null;
  return `${sku}: ${source_updated_at} after ${retrieved_at}`;
}

/** How the quantity of a pair changed; 0 means no row. `wasCovered`: the previous success covered the store too. */
type PairMove = { readonly code: string; readonly was: number; readonly now: number; readonly wasCovered: boolean };

type Scope = ReturnType<typeof coveredScope>;

type Round = {
  readonly inventory: InventoryWriter;
  readonly change: InventoryChange;
  readonly scope: Scope;
  readonly stores: ReadonlyMap<number, OpenStore>;
  readonly eligibility: PositiveEligibility;
};

/** Puts the snapshot's inventory in force. Then classifies rows again whose products or stores changed. */
export async function applyInventory(
  next: NextPublication,
  checked: CheckedInventory | null,
): Promise<InventoryChange> {
  const inventory = inventoryWriter(next.connection, next.sequence);
  const change = new InventoryChange(inventory);
  if (checked !== null) {
    const stores = new Map(openStores(next.connection).map((store) => [store.store, store]));
    const scope = coveredScope(checked.scope, inventory, [...stores.values()]);
    change.attemptsBefore = inventory.lastAttemptCount();
    change.covered = scope.covered;
    change.coveredBefore = scope.storesOf(inventory.lastScope());
    const round = { inventory, change, scope, stores, eligibility: inventory.positiveEligibility() };
    const count = rowCounter(next, 'inventory');
    for await (const lines of checked.lines) {
      for (const line of lines) {
        count();
        const product = inventory.askedProduct(line.sku);
        if (!product) throw new Error(`inventory of ${line.sku} outside the catalog passed its check`);
        change.addAttempt(line, product);
        const { before, now } = applyRetrieval(next, round, product, line);
        change.lost += before - now;
        change.retrievedPositive += before;
      }
    }
  }
  inventory.finish();
  return change;
}

/**
 * The stores that a round of retrievals covered, by code and as a stored scope. Stores the scope with the first
 * success, so that every stored scope belongs to a retrieval. `covered`: keys of the stores.
 */
function coveredScope(codes: readonly string[], inventory: InventoryWriter, stores: readonly OpenStore[]) {
  const known = new Map(stores.map((store) => [store.inventory_store_code, store]));
  const byCode = new Map(codes.map((code) => [code, found(known, code)]));
  const covered = new Set([...byCode.values()].map(({ store }) => store));
  let key: number | null = null;
  const storesByScope = new Map<number | null, ReadonlySet<number>>([[null, new Set()]]);
  return {
    byCode,
    covered,
    /** Empty for a null scope. */
    storesOf: (scope: number | null): ReadonlySet<number> => {
      const stores = storesByScope.get(scope) ?? new Set(inventory.scopeStores(scope ?? 0));
      storesByScope.set(scope, stores);
      return stores;
    },
    get key(): number {
      key ??= inventory.scopeOf([...covered]);
      return key;
    },
  };
}

type Counts = { readonly before: number; readonly now: number };

/** Returns how many positive rows the product had and has; zero for a failed retrieval. */
function applyRetrieval(next: NextPublication, round: Round, asked: AskedProduct, line: InventoryLine): Counts {
  const { inventory, scope } = round;
  const { product, last_success, first_retrieved_at, last_positive_at } = asked;
  const { sku, attempted_at, status, retrieved_at, source_updated_at, rows, quantity } = line;
  const retrieval = { product, publication: next.sequence, attempted_at, status, retrieved_at, source_updated_at };
  if (status === 'failed' || retrieved_at === null) {
    inventory.insertRetrieval({
      ...retrieval,
      scope: null,
      last_success,
      reported_quantity: null,
      reported_positive_store_count: null,
      first_retrieved_at,
      last_positive_at,
    });
    return { before: 0, now: 0 };
  }
  if (last_success !== null && asked.scope !== null && asked.scope !== scope.key) {
    keepOlderObservations(next, inventory, product, { publication: last_success, scope: asked.scope }, scope);
  }
  const times = { retrieved_at, source_updated_at };
  const before = last_success === null ? [] : inventory.current(product);
  const sums =
    quantity === undefined
      ? recordRowChanges(next, round, asked, times, before, line)
      : { reported_quantity: quantity ?? 0, reported_positive_store_count: 0 };
  if (quantity && asked.reported_quantity) next.quantities.add(sku, asked.reported_quantity, quantity);
  if (typeof quantity === 'number') {
    round.change.addQuantity(sku, quantity);
    const isSameSource = source_updated_at !== null && source_updated_at === asked.source_updated_at;
    if (asked.reported_quantity !== null) round.change.addMove(asked.reported_quantity, quantity, isSameSource);
  }
  if (!Number.isSafeInteger(sums.reported_quantity)) {
    next.faults.refuse('inventory.ndjson', {
      field: null,
      expected: `quantities of ${sku} that add up to at most ${Number.MAX_SAFE_INTEGER} over all stores`,
      got: 'more, with the quantities of stores outside the scope',
    });
  }
  inventory.insertRetrieval({
    ...retrieval,
    ...sums,
    scope: scope.key,
    last_success: next.sequence,
    first_retrieved_at: earlierOf(first_retrieved_at, retrieved_at),
    last_positive_at:
      (quantity ?? 0) > 0 || rows.some(([, quantity]) => quantity > 0)
        ? laterOf(last_positive_at, retrieved_at)
        : last_positive_at,
  });
  recordSumChange(next, asked, times, sums);
  // Stock of the whole state counts as one row.
  if (quantity !== undefined)
    return { before: Number(Number(asked.reported_quantity) > 0), now: Number(Number(quantity) > 0) };
  return { before: before.filter(({ quantity }) => quantity > 0).length, now: sums.reported_positive_store_count };
}

type Sums = ChangeOf<'aggregate_inventory_changed'>['current'];

/** A pair that this retrieval does not cover keeps its earlier observation. A newly covered pair no longer needs it. */
function keepOlderObservations(
  next: NextPublication,
  inventory: InventoryWriter,
  product: number,
  before: { readonly publication: number; readonly scope: number },
  { covered }: Scope,
): void {
  for (const store of inventory.olderStores(product)) {
    if (covered.has(store)) inventory.older.close(next.sequence, { product, store });
  }
  for (const store of inventory.scopeStores(before.scope)) {
    if (covered.has(store)) continue;
    inventory.older.put(next.sequence, { product, store, observed_publication: before.publication });
  }
}

/**
 * Writes the rows of a successful retrieval and records the changes in the stores that it covered. `before`: the
 * product's rows. Returns the sums over all rows afterwards, including those of uncovered stores.
 */
function recordRowChanges(
  next: NextPublication,
  round: Round,
  asked: AskedProduct,
  times: EventTimes,
  before: readonly CurrentRow[],
  { sku, rows, source_updated_at }: InventoryLine,
): Sums {
  const { change, scope, stores } = round;
  const coveredBefore = scope.storesOf(asked.last_success === null ? null : asked.scope);
  const pairs: PairMove[] = [];
  const remaining = new Map(before.map((row) => [row.store, row]));
  let [reported_quantity, reported_positive_store_count] = [0, 0];
  const add = (quantity: number) => {
    reported_quantity += quantity;
    if (quantity > 0) reported_positive_store_count += 1;
  };
  for (const [code, quantity] of rows) {
    const store = found(scope.byCode, code);
    add(quantity);
    const row = remaining.get(store.store);
    pairs.push({ code, was: row?.quantity ?? 0, now: quantity, wasCovered: coveredBefore.has(store.store) });
    recordRowChange(next, round, asked, times, { store, row, now: quantity });
    remaining.delete(store.store);
  }
  for (const row of remaining.values()) {
    if (!scope.covered.has(row.store)) {
      add(row.quantity);
      continue;
    }
    const store = found(stores, row.store);
    const wasCovered = coveredBefore.has(row.store);
    pairs.push({ code: store.inventory_store_code ?? '', was: row.quantity, now: 0, wasCovered });
    recordRowChange(next, round, asked, times, { store, row, now: undefined });
  }
  change.addPairs(sku, asked, source_updated_at, pairs);
  for (const { code, was, now } of pairs) if (was > 0 && now > 0) next.quantities.add(`${sku} in ${code}`, was, now);
  return { reported_quantity, reported_positive_store_count };
}

/** The open row of a product in a store, and the quantity reported now. Each may be undefined. */
type RowChange = { readonly store: OpenStore; readonly row: CurrentRow | undefined; readonly now: number | undefined };

/** Replaces a row by what its store now reports about a product, if it differs, and records the change. */
function recordRowChange(
  next: NextPublication,
  { inventory, eligibility }: Round,
  { product, id: productId, version, lifecycle, last_success }: AskedProduct,
  times: EventTimes,
  { store, row, now }: RowChange,
): void {
  const was = row?.quantity;
  if (was === now) return;
  const isBaseline = row === undefined && (last_success === null || !inventory.hadRow(product, store.store));
  if (row !== undefined) inventory.closeRow(product, row);
  if (now !== undefined) {
    const purchase_eligibility = now > 0 ? (eligibility(lifecycle).get(store.store) ?? null) : null;
    inventory.insertRow({
      product,
      store: store.store,
      first_publication: next.sequence,
      quantity: now,
      purchase_eligibility,
    });
  }
  const subject = { product, productId, version, store };
  const current = rowState(now);
  if (isBaseline) recordEvent(next, 'store_inventory_first_observed', subject, times, { current });
  else {
    const difference = was === undefined || now === undefined ? null : now - was;
    recordEvent(next, 'store_inventory_changed', subject, times, { previous: rowState(was), current, difference });
  }
}

/** What a row reports, for an event. An undefined quantity means that there is no row. */
function rowState(quantity: number | undefined): ChangeOf<'store_inventory_changed'>['current'] {
  if (quantity === undefined) return { state: 'row_absent', reported_quantity: null };
  return { state: quantity > 0 ? 'reported_positive' : 'reported_zero', reported_quantity: quantity };
}

/** The value of a key that an earlier check has found in the map. */
function found<Key, Value>(map: ReadonlyMap<Key, Value>, key: Key): Value {
  const value = map.get(key);
  if (value === undefined) throw new Error(`store ${key} is missing although it was checked`);
  return value;
}

/** Records a change of the sums. The first success has no sums to compare with. */
function recordSumChange(next: NextPublication, asked: AskedProduct, times: EventTimes, current: Sums): void {
  const { reported_quantity, reported_positive_store_count } = asked;
  if (reported_quantity === null || reported_positive_store_count === null) return;
  const previous = { reported_quantity, reported_positive_store_count };
  const difference = current.reported_quantity - reported_quantity;
  if (difference === 0 && current.reported_positive_store_count === reported_positive_store_count) return;
  const { product, id: productId, version } = asked;
  recordEvent(next, 'aggregate_inventory_changed', { product, productId, version }, times, {
    previous,
    current,
    difference,
  });
}
