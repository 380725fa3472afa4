import type { ComparisonStores, StoreStock, StoreSummary } from '../../contract/documents/store.ts';
import { pathOf } from '../../contract/paths.ts';
import { isWarningOf, type PurchaseEligibility } from '../../contract/primitives.ts';
import type { StandingPositiveRow } from '../database/state-reader.ts';
import { answer, changing, type Document, warningList } from './document.ts';
import { type Catalog, sortByName } from './state/catalog.ts';
import type { Product } from './state/product.ts';
import type { State, Store } from './state/state.ts';

/** `/stores/{id}`, `/stores/by-code/{code}` and `/stores/{id}/availability` of every store. */
export function* storeDocuments(state: State, catalog: Catalog): Generator<Document> {
  const directory = directoryWarnings(state);
  const stock = stockByStore(state, catalog);
  for (const store of state.stores) {
    const { id, source_ids, name } = store.detail;
    const code = source_ids.inventory_store_code;
    const byCode = code === null ? [] : [pathOf('store_by_code', { code })];
    yield answer(pathOf('store', { store_id: id }), store.detail, directory, byCode);
    const data: StoreStock = { store: { id, source_ids, name }, products: stock.get(store.key) ?? [] };
    yield answer(pathOf('store_availability', { store_id: id }), data, state.publication.warnings);
  }
}

/** The rows of `/stores`, by name. */
export function storeRows({ stores }: State): StoreSummary[] {
  return sortByName(stores.map(storeSummary));
}

/** The publication's warnings that concern the store directory. */
export function directoryWarnings(state: State) {
  return state.generalWarnings.filter((code) => isWarningOf(code, 'all'));
}

/** A store as lists print it. */
export function storeSummary({ detail: { regular_hours: _, ...summary } }: Store): StoreSummary {
  return summary;
}

/** Listed products reported positive in each store, in the order of `/products`. */
function stockByStore(state: State, { listed }: Catalog): ReadonlyMap<number, StoreStock['products']> {
  const ranks = new Map(listed.map((product, index) => [product.key, index]));
  const rankOf = ({ product }: StandingPositiveRow) => ranks.get(product) ?? 0;
  // Sorted a store at a time: a large agency has millions of rows.
  const rows = Iterator.from(state.reader.positiveRows()).filter(({ product }) => ranks.has(product));
  const stores = Map.groupBy(rows, ({ store }) => store);
  const stockOf = (ofStore: StandingPositiveRow[]) =>
    ofStore
      .sort((a, b) => rankOf(a) - rankOf(b))
      .map((row) => stockedProduct(state, listed[rankOf(row)] as Product, row));
  return new Map([...stores].map(([store, ofStore]) => [store, stockOf(ofStore)]));
}

function stockedProduct(
  state: State,
  product: Product,
  { store, quantity, purchase_eligibility }: StandingPositiveRow,
): StoreStock['products'][number] {
  const retrievedAt = state.older.get(product.key)?.get(store) ?? product.success?.retrievedAt;
  if (retrievedAt === undefined) throw new Error(`product ${product.sku} has rows but was never retrieved`);
  return {
    product_id: product.id,
    agency_sku: product.sku,
    name: product.name,
    brand: product.brand,
    reported_quantity: quantity,
    purchase_eligibility: purchase_eligibility as PurchaseEligibility,
    retrieved_at: retrievedAt,
    meets_retrieval_policy: state.meetsPolicy(retrievedAt),
  };
}

/**
 * `/availability/stores.json`: the stores in scope, by id. The availability of each product has the same stores in this order.
 */
export function comparisonStoresDocument(state: State): Document {
  const { inventory } = state.profile;
  const value: ComparisonStores = {
    warnings: warningList(state.generalWarnings),
    ...(inventory === 'stores' ? {} : { inventory }),
    stores: state.stores.filter(({ inScope }) => inScope).map(storeSummary),
  };
  return changing(pathOf('comparison_stores'), value);
}
