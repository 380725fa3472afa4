import type { ChangeOf } from '../contract/documents/change.ts';
import type { InventoryWriter, LastSuccess } from '../database/inventory-writer.ts';
import type { OpenStore } from '../database/store-writer.ts';
import { type Draft, recordEvent, type Subject } from './draft.ts';
import type { CatalogTimes } from './product-changes.ts';

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
  const previous = {
    reported_quantity: before.reported_quantity,
    reported_positive_store_count: before.reported_positive_store_count,
  };
  if (
    previous.reported_quantity === current.reported_quantity &&
    previous.reported_positive_store_count === current.reported_positive_store_count
  ) {
    return;
  }
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
