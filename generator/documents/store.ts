import { formatPath } from '../../contract/paths.ts';
import type { Profile } from '../../contract/profile.ts';
import { type PurchaseEligibility, purchaseEligibility } from '../../contract/schemas/primitives.ts';
import type { ComparisonStores, StoreDetail, StoreStock, StoreSummary } from '../../contract/schemas/store.ts';
import { isInScope } from '../../contract/store-pairs.ts';
import { isWarningAbout } from '../../contract/warnings.ts';
import type { Publication } from '../database/publications.ts';
import type { StandingPositiveRow, StoreRow } from '../database/state-reader.ts';
import { type Catalog, sortByName } from './catalog.ts';
import { checkedProductCounts } from './checked-counts.ts';
import { answer, changing, type Document, warningList } from './document.ts';
import type { Product } from './product.ts';
import type { State } from './state.ts';

/** `inScope`: whether availability summaries count the store (contract.md 2). */
export type Store = { readonly key: number; readonly inScope: boolean; readonly detail: StoreDetail };

/** `observed`: the publication with the last directory that has the store. */
export function storeFrom(row: StoreRow, observed: Publication, { inventory, country }: Profile): Store {
  const detail = storeDetail(row, observed, country);
  return { key: row.store, inScope: inventory === 'stores' && isInScope(detail), detail };
}

const verifiedPhone = /^\+[1-9][0-9]{1,14}$/;

function storeDetail(row: StoreRow, observed: Publication, country: string): StoreDetail {
  const { id, inventory_store_code, directory_id, name, line1, line2, city, region, postal_code, phone } = row;
  const { latitude, longitude, access_type, regular_hours } = row;
  const location = latitude === null || longitude === null ? null : { latitude, longitude };
  return {
    id,
    source_ids: { inventory_store_code, directory_id },
    name,
    address: { line1, line2, city, region, postal_code, country },
    phone,
    contact_links: {
      telephone_uri: phone !== null && verifiedPhone.test(phone) ? `tel:${phone}` : null,
      geo_uri: location && `geo:${location.latitude},${location.longitude}`,
    },
    location,
    // A list of stores has no origin to measure distances from.
    distance_m: null,
    access_type,
    operational_status: { state: row.operational_state, note: row.operational_note, source: row.operational_source },
    services: JSON.parse(row.services),
    regular_hours_available: regular_hours !== null,
    directory_presence:
      row.presence_state === null ? null : { state: row.presence_state, last_seen_at: row.presence_last_seen_at },
    details_times: {
      source_updated_at: observed.directory_source_updated_at,
      retrieved_at: observed.directory_retrieved_at,
      published_at: observed.published_at,
    },
    regular_hours,
  };
}

/** `/stores/{id}`, `/stores/by-code/{code}` and `/stores/{id}/availability` of every store. */
export function* storeDocuments(state: State, catalog: Catalog): Generator<Document> {
  const directory = directoryWarnings(state);
  const stock = readStock(state, catalog);
  const checked = checkedProductCounts(state, catalog.listed);
  for (const store of state.stores) {
    const { id, source_ids, name } = store.detail;
    const code = source_ids.inventory_store_code;
    const byCode = code === null ? [] : [formatPath('store_by_code', { code })];
    yield answer(formatPath('store', { store_id: id }), store.detail, directory, byCode);
    const columns = stock.get(store.key);
    const products = columns ? stockedProducts(state, catalog, store.key, columns) : [];
    const checked_product_count = checked.get(store.key) ?? 0;
    const data: StoreStock = { store: { id, source_ids, name }, checked_product_count, products };
    yield answer(formatPath('store_availability', { store_id: id }), data, state.publication.warnings);
  }
}

export function storeRows({ stores }: State): StoreSummary[] {
  return sortByName(stores.map(storeSummary));
}

export function directoryWarnings(state: State) {
  return state.generalWarnings.filter((code) => isWarningAbout(code, 'all'));
}

export function storeSummary({ detail: { regular_hours: _, ...summary } }: Store): StoreSummary {
  return summary;
}

/**
 * For each row the product's rank in `/products`, the quantity, and the place of the eligibility in the enum. These are
 * columns of numbers, because a large agency has millions of rows.
 */
type StockColumns = { readonly ranks: number[]; readonly quantities: number[]; readonly eligibilities: number[] };

/** The stock of the stores by store key, without zero rows and unlisted products. */
function readStock(state: State, { listed }: Catalog): ReadonlyMap<number, StockColumns> {
  const ranks = new Map(listed.map((product, rank) => [product.key, rank]));
  const stock = new Map<number, StockColumns>();
  for (const { store, product, quantity, purchase_eligibility } of state.reader.positiveRows()) {
    const rank = ranks.get(product);
    if (rank === undefined) continue;
    const columns = stock.get(store) ?? { ranks: [], quantities: [], eligibilities: [] };
    stock.set(store, columns);
    columns.ranks.push(rank);
    columns.quantities.push(quantity);
    columns.eligibilities.push(purchaseEligibility.options.indexOf(purchase_eligibility as PurchaseEligibility));
  }
  return stock;
}

/** The products that a store stocks, in the order of `/products`. */
function stockedProducts(
  state: State,
  { listed }: Catalog,
  store: number,
  { ranks, quantities, eligibilities }: StockColumns,
): StoreStock['products'] {
  const inOrder = [...ranks.keys()].sort((a, b) => (ranks[a] as number) - (ranks[b] as number));
  return inOrder.map((row) =>
    stockedProduct(state, listed[ranks[row] as number] as Product, {
      store,
      quantity: quantities[row] as number,
      purchase_eligibility: purchaseEligibility.options[eligibilities[row] as number] as PurchaseEligibility,
    }),
  );
}

function stockedProduct(
  state: State,
  { key, id, sku, name, brand, inventory_retrieved_at }: Product,
  { store, quantity, purchase_eligibility }: Omit<StandingPositiveRow, 'product'>,
): StoreStock['products'][number] {
  const retrieved_at = state.older.get(key)?.get(store) ?? inventory_retrieved_at;
  if (retrieved_at === null) throw new Error(`product ${sku} has rows but was never retrieved`);
  return {
    product_id: id,
    agency_sku: sku,
    name,
    brand,
    reported_quantity: quantity,
    purchase_eligibility: purchase_eligibility as PurchaseEligibility,
    retrieved_at,
    meets_retrieval_policy: state.meetsPolicy(retrieved_at),
  };
}

/** `/availability/stores.json`, by id. Each product's availability has the same stores in the same order. */
export function comparisonStoresDocument(state: State): Document {
  const { inventory } = state.profile;
  const value: ComparisonStores = {
    warnings: warningList(state.generalWarnings),
    ...(inventory === 'stores' ? {} : { inventory }),
    stores: state.storesInScope.map(storeSummary),
  };
  return changing(formatPath('comparison_stores'), value);
}
