import type {
  FamilyMember,
  ProductAvailability,
  ProductDetail,
  ProductRow,
  ProductSeries as SeriesData,
  StoreAvailability,
} from '../../contract/documents/catalog.ts';
import { pathOf } from '../../contract/paths.ts';
import type { AvailabilitySummary, WarningCode } from '../../contract/primitives.ts';
import type { VersionRow } from '../database/product-series.ts';
import { answer, changing, type Document, warningList } from './document.ts';
import { type Availability, inventoryWarnings, type Pair } from './state/availability.ts';
import type { Product } from './state/product.ts';
import type { ProductSeries } from './state/product-series.ts';
import type { State } from './state/state.ts';

/** The warnings that concern a product. */
export function productWarnings(state: State, product: Product, { summary }: Availability): WarningCode[] {
  return [...state.generalWarnings, ...inventoryWarnings(product, summary)];
}

/** `/products/{id}`, also by SKU and unambiguous former SKUs. */
export function productDocument(state: State, product: Product, availability: Availability): Document {
  const skus = [product.sku, ...state.formerSkus.resolvingTo(product.sku)];
  return answer(
    pathOf('product', { product_id: product.id }),
    detailOf(product, availability.summary, state.formerSkus.of(product.sku)),
    productWarnings(state, product, availability),
    skus.map((sku) => pathOf('product_by_sku', { sku })),
  );
}

export function identityOf({ id, sku, name, brand }: Product) {
  return { id, source_ids: { agency_sku: sku }, name, brand };
}

export function detailOf(product: Product, summary: AvailabilitySummary, formerSkus: readonly string[]): ProductDetail {
  const { id, source_ids, name, brand } = identityOf(product);
  return {
    id,
    source_ids,
    name,
    brand,
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
    ...(product.facts === null ? {} : { facts: product.facts }),
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

/** `/products/{id}/availability`: every store of the summary's scope. */
export function availabilityDocument(state: State, product: Product, availability: Availability): Document {
  const { summary, pairs } = availability;
  const stores = pairs.filter(({ store }) => store.inScope).map(availabilityRowOf);
  const data: ProductAvailability = { product: identityOf(product), summary, stores };
  const warnings = productWarnings(state, product, availability);
  return answer(pathOf('product_availability', { product_id: product.id }), data, warnings);
}

function availabilityRowOf(pair: Pair): StoreAvailability {
  const { id, source_ids, name } = pair.store.detail;
  return {
    store_id: id,
    inventory_store_code: source_ids.inventory_store_code,
    name,
    state: pair.state,
    reported_quantity: pair.quantity,
    purchase_eligibility: pair.eligibility,
    retrieved_at: pair.retrievedAt,
    meets_retrieval_policy: pair.meetsPolicy,
  };
}

/** `/products/{id}/series.json`. It names no current publication, so it changes only when the product does. */
export function seriesDocument(
  state: State,
  product: Product,
  availability: Availability,
  { attempts, prices, statuses, presence }: ProductSeries,
): Document {
  /** When the catalog was retrieved that each step is of. */
  const steps = (versions: readonly VersionRow[]) => ({
    publication: versions.map(({ publication }) => publication),
    at: versions.map(({ publication }) => state.publicationAt(publication).catalog_retrieved_at),
  });
  const value: SeriesData = {
    product: identityOf(product),
    warnings: warningList(productWarnings(state, product, availability)),
    currency: state.profile.currency,
    retention_days: state.publication.history_days,
    retrievals: {
      publication: attempts.map(({ publication }) => publication),
      attempted_at: attempts.map(({ attempted_at }) => attempted_at),
      succeeded: attempts.map(({ status }) => status === 'succeeded'),
      reported_positive_store_count: attempts.map((attempt) => attempt.reported_positive_store_count),
      reported_quantity: attempts.map(({ reported_quantity }) => reported_quantity),
    },
    prices: { ...steps(prices), price_minor: prices.map(({ price_minor }) => price_minor) },
    statuses: {
      ...steps(statuses),
      code: statuses.map(({ code }) => code),
      label: statuses.map(({ label }) => label),
      lifecycle: statuses.map(({ lifecycle }) => lifecycle as SeriesData['statuses']['lifecycle'][number]),
    },
    presence: { ...steps(presence), catalog_presence: presence.map(({ catalog_presence }) => catalog_presence) },
  };
  return changing(pathOf('product_series', { product_id: product.id }), value);
}
