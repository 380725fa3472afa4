import { formatPath } from '../../contract/paths.ts';
import { displayPrice, type Profile } from '../../contract/profile.ts';
import type { FamilyMember } from '../../contract/schemas/family.ts';
import type { AvailabilitySummary } from '../../contract/schemas/primitives.ts';
import type { ProductDetail, ProductRow } from '../../contract/schemas/product.ts';
import type { WarningCode } from '../../contract/warnings.ts';
import { factsIn, type ProductStateRow, packageSizeIn } from '../database/product-state.ts';
import type { Publication } from '../database/publications.ts';
import type { Availability } from './availability.ts';
import { answer, type Document } from './document.ts';
import type { State } from './state.ts';

/** The row of a product at a publication, and computed parts of its documents. */
export type Product = Readonly<ReturnType<typeof productFrom>>;

/** `observed`: the publication with the last catalog that listed the product. */
export function productFrom(row: ProductStateRow, observed: Publication, profile: Profile) {
  const status: ProductDetail['status'] = {
    code: row.status_code,
    label: row.status_label,
    lifecycle: row.lifecycle,
    source_raw: row.status_raw,
  };
  return {
    ...row,
    /** Null while the product is absent. */
    family_id: row.catalog_presence === 'listed' ? row.family_id : null,
    package_size: packageSizeIn(row),
    price: priceIn(row, observed, profile),
    status,
    /** Undefined in a site whose agency reports no such facts. */
    facts: profile.product_facts.length === 0 ? undefined : factsIn(row, profile.product_facts),
    catalog_retrieved_at: observed.catalog_retrieved_at,
  };
}

/** The times come from the catalog that observed the price, not from the latest publication. */
function priceIn(row: ProductStateRow, observed: Publication, { currency }: Profile): ProductDetail['price'] {
  if (row.price_minor === null) return null;
  return {
    amount_minor: row.price_minor,
    currency,
    display: displayPrice(row.price_minor, currency),
    source: row.price_source,
    times: {
      source_updated_at: observed.catalog_source_updated_at,
      retrieved_at: observed.catalog_retrieved_at,
      published_at: observed.published_at,
    },
  };
}

export function productWarnings(state: State, product: Product, summary: AvailabilitySummary): WarningCode[] {
  return [...state.generalWarnings, ...inventoryWarnings(product, summary)];
}

export function inventoryWarnings({ inventory_retrieved_at }: Product, summary: AvailabilitySummary): WarningCode[] {
  const codes: WarningCode[] = [];
  if (summary.unchecked_store_count > 0 || summary.reported_quantity === null) codes.push('INVENTORY_COVERAGE_PARTIAL');
  if (inventory_retrieved_at !== null && !summary.meets_retrieval_policy) codes.push('SOURCE_REFRESH_DELAYED');
  if (summary.last_refresh_attempt?.status === 'failed') codes.push('UPSTREAM_PRODUCT_UNAVAILABLE');
  return codes;
}

/** `/products/{id}`, also by SKU and unambiguous former SKUs. */
export function productDocument(state: State, product: Product, { summary }: Availability): Document {
  const skus = [product.sku, ...state.formerSkus.resolvingTo(product.sku)];
  return answer(
    formatPath('product', { product_id: product.id }),
    productDetail(product, summary, state.formerSkus.of(product.sku)),
    productWarnings(state, product, summary),
    skus.map((sku) => formatPath('product_by_sku', { sku })),
  );
}

export function productDetail(
  product: Product,
  availability_summary: AvailabilitySummary,
  former_skus: string[],
): ProductDetail {
  const { brand_id, package_size, price, status, family_id, catalog_presence, inventory_retrieved_at, facts } = product;
  return {
    ...productIdentity(product),
    brand_id,
    package_size,
    price,
    status,
    family_id,
    category_ids: categoryIds([product]),
    catalog_presence,
    former_skus,
    inventory_retrieved_at,
    availability_summary,
    ...(facts && { facts }),
  };
}

export function productRow(product: Product): ProductRow {
  const { brand_id, family_id, package_size, price, status } = product;
  return {
    ...productIdentity(product),
    brand_id,
    family_id,
    package_size: reducedPackageSize(package_size),
    price,
    status,
  };
}

export function familyMember(product: Product, availability_summary: AvailabilitySummary): FamilyMember {
  const { relationship_type, vintage_year, age_statement, package_size, price, status, inventory_retrieved_at } =
    product;
  return {
    ...productIdentity(product),
    relationship_type,
    vintage_year,
    age_statement,
    package_size: reducedPackageSize(package_size),
    price,
    status,
    inventory_retrieved_at,
    availability_summary,
  };
}

export function productIdentity({ id, sku, name, brand }: Product) {
  return { id, source_ids: { agency_sku: sku }, name, brand };
}

export function categoryIds(products: readonly Pick<Product, 'category_id'>[]): string[] {
  return [...new Set(products.flatMap(({ category_id }) => category_id ?? []))].sort();
}

function reducedPackageSize({ milliliters, display, normalization_state }: Product['package_size']) {
  return { milliliters, display, normalization_state };
}
