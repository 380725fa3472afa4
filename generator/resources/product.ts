import type { WarningCode } from '../contract/documents/envelope.ts';
import type { AvailabilitySummary } from '../contract/documents/observation.ts';
import {
  type FamilyMember,
  type ProductAvailability,
  type ProductDetail,
  type ProductRow,
  storeAvailabilityParts,
} from '../contract/documents/product.ts';
import { pathOf } from '../contract/paths.ts';
import { type Availability, inventoryWarnings, type Pair } from '../model/availability.ts';
import type { Product } from '../model/product.ts';
import type { State, Store } from '../model/state.ts';
import { changing, type Document, warningList } from './document.ts';
import { checkedPart, RecordPart } from './record-parts.ts';

/** The warnings that concern a product. */
export function productWarnings(state: State, product: Product, { summary }: Availability): WarningCode[] {
  return [...state.generalWarnings, ...inventoryWarnings(product, summary)];
}

/** `/products/{id}`, also by SKU and unambiguous former SKUs. */
export function productDocument(state: State, product: Product, availability: Availability): Document {
  const meta = { warnings: warningList(productWarnings(state, product, availability)) };
  const skus = [product.sku, ...state.formerSkus.resolvingTo(product.sku)];
  return changing(
    pathOf('product', { product_id: product.id }),
    { data: detailOf(product, availability.summary, state.formerSkus.of(product.sku)), meta },
    skus.map((sku) => pathOf('product_by_sku', { sku })),
  );
}

export function identityOf({ id, sku, name, brand }: Product) {
  return { id, source_ids: { agency_sku: sku }, name, brand };
}

export function detailOf(product: Product, summary: AvailabilitySummary, formerSkus: readonly string[]): ProductDetail {
  return {
    ...identityOf(product),
    brand_id: product.brandId,
    package_size: product.packageSize,
    price: product.price,
    status: product.status,
    family_id: product.familyId,
    category_ids: categoryIdsOf([product]),
    catalog_presence: product.isListed ? 'listed' : 'absent',
    former_skus: [...formerSkus],
    inventory_retrieved_at: product.success?.retrievedAt ?? null,
    availability_summary: summary,
  };
}

/** The categories that products are filed under, ascending. */
export function categoryIdsOf(products: readonly Pick<Product, 'categoryId'>[]): string[] {
  return [...new Set(products.flatMap(({ categoryId }) => (categoryId === null ? [] : [categoryId])))].sort();
}

/** A product as `/products` lists it. */
export function rowOf(product: Product): ProductRow {
  return {
    ...identityOf(product),
    brand_id: product.brandId,
    family_id: product.familyId,
    package_size: reducedPackageOf(product),
    price: product.price,
    status: product.status,
  };
}

/** A product as its family lists it. */
export function memberOf(product: Product, summary: AvailabilitySummary): FamilyMember {
  return {
    ...identityOf(product),
    relationship_type: product.row.relationship_type,
    vintage_year: product.row.vintage_year,
    age_statement: product.row.age_statement,
    package_size: reducedPackageOf(product),
    price: product.price,
    status: product.status,
    inventory_retrieved_at: product.success?.retrievedAt ?? null,
    availability_summary: summary,
  };
}

function reducedPackageOf({ packageSize: { milliliters, display, normalization_state } }: Product) {
  return { milliliters, display, normalization_state };
}

/**
 * `/products/{id}/availability`: every store of the summary's scope. Throws a Failure when a row does not match the
 * contract.
 */
export function availabilityDocument(state: State, product: Product, availability: Availability): Document {
  const path = pathOf('product_availability', { product_id: product.id });
  const data: ProductAvailability = { product: identityOf(product), summary: availability.summary, stores: [] };
  const meta = { warnings: warningList(productWarnings(state, product, availability)) };
  return { ...changing(path, { data, meta }), rows: { key: 'stores', json: [rowsJson(path, availability.pairs)] } };
}

const storeParts = new WeakMap<Store, string>();

/** Made at the first use, because its schema is compiled then. */
let reports: RecordPart<Pair, typeof storeAvailabilityParts.report> | null = null;

function reportPart(pair: Pair): string {
  reports ??= new RecordPart(
    'rows of availability',
    storeAvailabilityParts.report,
    ({ state, quantity, eligibility }) => ({ state, reported_quantity: quantity, purchase_eligibility: eligibility }),
    ({ state, quantity, eligibility }) => `${state} ${quantity} ${eligibility}`,
  );
  return reports.of(pair).json;
}

/**
 * The rows of the stores in scope. The store of a row is that of thousands of others, most rows report nothing, and those of
 * a product have one time. So a row is put together from parts, of which each is checked and encoded once.
 */
function rowsJson(path: string, pairs: readonly Pair[]): string {
  let text = '';
  let last: Pair | null = null;
  let [report, time] = ['', ''];
  for (const pair of pairs) {
    if (!pair.store.inScope) continue;
    const { state, quantity, eligibility, retrievedAt, meetsPolicy } = pair;
    if (last?.state !== state || last.quantity !== quantity || last.eligibility !== eligibility)
      report = reportPart(pair);
    if (last?.retrievedAt !== retrievedAt || last.meetsPolicy !== meetsPolicy) {
      const part = { retrieved_at: retrievedAt, meets_retrieval_policy: meetsPolicy };
      time = checkedPart(path, storeAvailabilityParts.time, part);
    }
    last = pair;
    text += `${text && ','}{${storePart(path, pair.store)},${report},${time}}`;
  }
  return text;
}

function storePart(path: string, store: Store): string {
  let part = storeParts.get(store);
  if (part === undefined) {
    const { id, source_ids, name } = store.detail;
    const value = { store_id: id, inventory_store_code: source_ids.inventory_store_code, name };
    part = checkedPart(path, storeAvailabilityParts.store, value);
    storeParts.set(store, part);
  }
  return part;
}
