import { inventoryRecordParts } from '../contract/formats/export.ts';
import type { InventoryRow } from '../database/state-reader.ts';
import { AvailabilityReader, type PairVisitor, stateOf } from '../model/availability.ts';
import type { RetrievedProduct } from '../model/product.ts';
import type { State } from '../model/state.ts';
import { RecordPart, type RecordSink } from './record-parts.ts';

/**
 * The data records of the inventory export as checked JSON, by product and store. `sink` gets the same records. Most pairs of
 * a product are the same but for the store, so that their parts are made once.
 */
export function* inventoryLines(state: State, path: string, sink: RecordSink | null): Generator<string> {
  const schemas = inventoryRecordParts;
  const products = new RecordPart(path, schemas.product, ({ id, sku }: RetrievedProduct) => ({
    record_type: 'inventory' as const,
    product_id: id,
    agency_sku: sku,
  }));
  const observations = new RecordPart(path, schemas.observation, observationOf, observationKey);
  const retrievals = new RecordPart(path, schemas.retrieval, (retrievedAt: string) => ({
    retrieved_at: retrievedAt,
    meets_retrieval_policy: state.meetsPolicy(retrievedAt),
  }));
  const stores = new RecordPart(path, schemas.store, ({ detail: { id, source_ids } }: State['stores'][number]) => ({
    store_id: id,
    inventory_store_code: source_ids.inventory_store_code,
  }));
  const places = state.stores.map((store) => stores.of(store));
  const availabilities = new AvailabilityReader(state);
  for (const product of state.retrievedProducts()) {
    const own = products.of(product);
    const newest = product.success.retrievedAt;
    const current = retrievals.of(newest);
    const lines: string[] = [];
    const visitor: PairVisitor = (_, row, retrievedAt, index) => {
      const place = places[index];
      if (retrievedAt === null || place === undefined) return;
      const observation = observations.of(row);
      const retrieval = retrievedAt === newest ? current : retrievals.of(retrievedAt);
      lines.push(`{${own.json},${place.json},${observation.json},${retrieval.json}}`);
      sink?.add(own.values, place.values, observation.values, retrieval.values);
    };
    availabilities.visit(product, visitor, product.rows);
    yield* lines;
  }
}

function observationOf(row: InventoryRow | undefined) {
  const { state, quantity, eligibility } = stateOf(row);
  return { state, reported_quantity: quantity, purchase_eligibility: eligibility };
}

/** Null for a pair without a row. */
function observationKey(row: InventoryRow | undefined): string | null {
  return row === undefined ? null : `${row.quantity} ${row.purchase_eligibility}`;
}
