import type { DailyRow } from '../../contract/columns/history-tables.ts';

/** A row of a large table. */
export function makeRow(number: number): DailyRow {
  return {
    publication: number,
    publication_revision: 'revision',
    published_at: '2025-01-01T00:00:00Z',
    product_id: `product ${number}`,
    agency_sku: String(number).padStart(6, '0'),
    name: `name ${number}`,
    brand: null,
    catalog_presence: 'listed',
    price_amount_minor: number,
    status_code: '1',
    lifecycle: 'active',
    inventory_attempted: true,
    inventory_observed: true,
    inventory_retrieved_at: null,
    positive_store_count: null,
    reported_quantity: null,
  };
}
