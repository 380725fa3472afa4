import type { ProductAvailability, ProductDetail } from '../contract/documents/product.ts';
import type { StoreDetail } from '../contract/documents/store.ts';
import {
  exportRecordMaker,
  type InventoryRecord,
  type ObservedPair,
  type ProductRecord,
  type StoreRecord,
} from '../contract/formats/export.ts';

export const productRecordOf = exportRecordMaker('products') as unknown as (detail: ProductDetail) => ProductRecord;
export const storeRecordOf = exportRecordMaker('stores') as unknown as (detail: StoreDetail) => StoreRecord;
const pairRecordOf = exportRecordMaker('inventory') as unknown as (pair: ObservedPair) => InventoryRecord;

/** The records of an inventory export that say the same as a product's availability, by store. Null for a pair never checked. */
export function inventoryRecordsOf({ product, stores }: ProductAvailability): Map<string, InventoryRecord | null> {
  const named = { id: product.id, sku: product.source_ids.agency_sku };
  return new Map(
    stores.map(({ state, retrieved_at, ...row }) => {
      if (state === 'unchecked' || retrieved_at === null) return [row.store_id, null];
      return [row.store_id, pairRecordOf({ ...row, product: named, state, retrieved_at })];
    }),
  );
}
