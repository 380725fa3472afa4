import { type ChangeEvent, changeSemantics } from '../contract/documents/change.ts';
import type { EventProductRow, EventRow } from '../database/events.ts';
import type { Publication } from '../database/publications.ts';

/** An event as every list has it. `publicationAt`: the publication of a sequence. */
export function changeEventOf(row: EventRow, publicationAt: (sequence: number) => Publication): ChangeEvent {
  const { id, type, retrieved_at, source_updated_at } = row;
  return {
    id,
    type,
    product: eventProductOf(row),
    store: row.store_id === null ? null : storeOf(row),
    change: JSON.parse(row.change),
    semantics: changeSemantics[type],
    times: { source_updated_at, retrieved_at, published_at: publicationAt(row.publication).published_at },
    upstream_age_known: source_updated_at !== null,
  } as ChangeEvent;
}

/** A product as its events name it. */
export function eventProductOf({ product_id, sku, product_name, brand_name }: EventProductRow): ChangeEvent['product'] {
  return { id: product_id, source_ids: { agency_sku: sku }, name: product_name, brand: brand_name };
}

function storeOf({ store_id, inventory_store_code, store_name }: EventRow) {
  return { id: store_id, source_ids: { inventory_store_code }, name: store_name };
}
