import type { StorePair } from '../../contract/schemas/product.ts';
import type { StoreSummary } from '../../contract/schemas/store.ts';
import { pairLook } from '../map/looks.tsx';
import { distanceTo, type Place } from '../stores/gazetteer.ts';
import { purchaseLimit } from '../stores/purchase.ts';

/** What is known about a product in a store, where the store is, and who may buy there. */
export type StoreRow = StorePair & {
  readonly location: StoreSummary['location'];
  readonly city: string | null;
  /** Why not everyone may buy it there; null if everyone may. */
  readonly limit: string | null;
  /** Metres from the reader's place. */
  readonly distance: number | null;
};

/**
 * The stores of a product: first those where everyone may buy it, then others that report it, then the rest. Within
 * each group the nearest store comes first or, without a place, the largest quantity.
 */
export function storeRows(
  pairs: readonly StorePair[],
  directory: readonly StoreSummary[],
  here: Place | null,
): StoreRow[] {
  const known = new Map(directory.map((store) => [store.id, store]));
  return pairs
    .map((row): StoreRow => {
      const store = known.get(row.store_id);
      const location = store?.location ?? null;
      return {
        ...{ ...row, location, city: store?.address.city ?? null, distance: distanceTo(here, { location }) },
        limit: purchaseLimit(row.purchase_eligibility, store),
      };
    })
    .sort(
      (a, b) =>
        rowRank(a) - rowRank(b) ||
        (here && (a.distance ?? Infinity) - (b.distance ?? Infinity)) ||
        (b.reported_quantity ?? 0) - (a.reported_quantity ?? 0),
    );
}

function rowRank(row: StoreRow): number {
  const look = pairLook(row);
  return look === 'reported' ? 0 : look === 'limited' ? 1 : 2;
}

/** Whether everyone may buy the product in this store. */
export function isForEveryone(row: StoreRow): boolean {
  return pairLook(row) === 'reported';
}
