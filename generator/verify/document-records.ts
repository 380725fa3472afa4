import type { ProductAvailability, ProductDetail } from '../contract/documents/product.ts';
import type { StoreDetail } from '../contract/documents/store.ts';
import type { InventoryRecord, ProductRecord, StoreRecord } from '../contract/formats/export.ts';

/* Checks do not use the builder's own records, because they judge its work. */

/** The record of a product export that says the same as a product's document. */
export function productRecordOf(product: ProductDetail): ProductRecord {
  const { package_size: size, price, status, availability_summary: summary } = product;
  return {
    record_type: 'product',
    id: product.id,
    agency_sku: product.source_ids.agency_sku,
    name: product.name,
    brand: product.brand,
    brand_id: product.brand_id,
    family_id: product.family_id,
    category_ids: product.category_ids,
    former_skus: product.former_skus,
    package_milliliters: size.milliliters,
    package_container_count: size.container_count,
    package_unit_milliliters: size.unit_milliliters,
    package_total_milliliters: size.total_milliliters,
    package_display: size.display,
    package_interpretation: size.interpretation,
    package_basis: size.basis,
    package_normalization_state: size.normalization_state,
    price_amount_minor: price?.amount_minor ?? null,
    price_currency: price?.currency ?? null,
    price_display: price?.display ?? null,
    price_source: price?.source ?? null,
    price_source_updated_at: price?.times.source_updated_at ?? null,
    price_retrieved_at: price?.times.retrieved_at ?? null,
    price_published_at: price?.times.published_at ?? null,
    status_code: status.code,
    status_label: status.label,
    status_source_raw: status.source_raw,
    lifecycle: status.lifecycle,
    catalog_presence: product.catalog_presence,
    inventory_retrieved_at: product.inventory_retrieved_at,
    scope_store_count: summary.scope_store_count,
    reported_positive_store_count: summary.reported_positive_store_count,
    eligible_positive_store_count: summary.eligible_positive_store_count,
    reported_zero_store_count: summary.reported_zero_store_count,
    row_absent_store_count: summary.row_absent_store_count,
    unchecked_store_count: summary.unchecked_store_count,
    inventory_retrieved_at_min: summary.retrieved_at_min,
    inventory_retrieved_at_max: summary.retrieved_at_max,
    retrieval_policy_id: summary.retrieval_policy_id,
    meets_retrieval_policy: summary.meets_retrieval_policy,
    upstream_age_known: summary.upstream_age_known,
    last_refresh_attempted_at: summary.last_refresh_attempt?.attempted_at ?? null,
    last_refresh_status: summary.last_refresh_attempt?.status ?? null,
  };
}

/** The record of a store export that says the same as a store's document. */
export function storeRecordOf(store: StoreDetail): StoreRecord {
  const { source_ids, address, contact_links, location, operational_status, directory_presence, details_times } = store;
  return {
    record_type: 'store',
    id: store.id,
    inventory_store_code: source_ids.inventory_store_code,
    directory_id: source_ids.directory_id,
    name: store.name,
    address_line1: address.line1,
    address_line2: address.line2,
    city: address.city,
    region: address.region,
    postal_code: address.postal_code,
    country: address.country,
    phone: store.phone,
    telephone_uri: contact_links.telephone_uri,
    geo_uri: contact_links.geo_uri,
    latitude: location?.latitude ?? null,
    longitude: location?.longitude ?? null,
    access_type: store.access_type,
    operational_state: operational_status.state,
    operational_note: operational_status.note,
    operational_source: operational_status.source,
    services: store.services,
    regular_hours_available: store.regular_hours_available,
    regular_hours: store.regular_hours,
    directory_presence_state: directory_presence?.state ?? null,
    directory_last_seen_at: directory_presence?.last_seen_at ?? null,
    details_source_updated_at: details_times.source_updated_at,
    details_retrieved_at: details_times.retrieved_at,
    details_published_at: details_times.published_at,
  };
}

/** The records of an inventory export that say the same as a product's availability, by store. Null for a pair never checked. */
export function inventoryRecordsOf({ product, stores }: ProductAvailability): Map<string, InventoryRecord | null> {
  const { id: product_id, source_ids } = product;
  const { agency_sku } = source_ids;
  return new Map(
    stores.map(({ name: _, state, retrieved_at, ...row }) => {
      if (state === 'unchecked' || retrieved_at === null) return [row.store_id, null];
      return [row.store_id, { record_type: 'inventory', product_id, agency_sku, state, retrieved_at, ...row }];
    }),
  );
}
