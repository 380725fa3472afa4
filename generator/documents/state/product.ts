import type { ProductDetail } from '../../../contract/documents/catalog.ts';
import { earlierOf } from '../../../contract/instant.ts';
import { displayPrice, type Profile } from '../../../contract/profile.ts';
import { factsOf, type ProductStateRow, packageSizeOf } from '../../database/product-state.ts';
import type { Publication } from '../../database/publications.ts';
import type { FormerSkuRow } from '../../database/state-reader.ts';

/** A product at a publication, as its documents need it. */
export type Product = Readonly<ReturnType<typeof productOf>>;

export function productOf(
  row: ProductStateRow,
  current: Publication,
  publicationAt: (sequence: number) => Publication,
  profile: Profile,
) {
  // The publication that brought the catalog that last listed the product.
  const observed = publicationAt(row.observed_publication ?? current.catalog_publication);
  const isListed = row.catalog_presence === 'listed';
  const status: ProductDetail['status'] = {
    code: row.status_code,
    label: row.status_label,
    lifecycle: row.lifecycle,
    source_raw: row.status_raw,
  };
  return {
    /** Its row, for what documents show as it is stored. */
    row,
    key: row.product,
    id: row.id,
    sku: row.sku,
    version: row.version,
    isListed,
    name: row.name,
    brand: row.brand_name,
    brandId: row.brand_id,
    /** Null while the product is absent. */
    familyId: isListed ? row.family_id : null,
    categoryId: row.category_id,
    packageSize: packageSizeOf(row),
    price: priceOf(row, observed, profile),
    status,
    /** What some agencies report besides; null in a site without such facts. */
    facts: profile.product_facts.length === 0 ? null : factsOf(row, profile.product_facts),
    /** Time of the first retrieval, either of a catalog that listed it or of its inventory. */
    firstObservedAt: earlierOf(row.first_observed_at, row.first_retrieved_at),
    /** When the catalog that last listed it was retrieved. */
    catalogRetrievedAt: observed.catalog_retrieved_at,
    attempt: attemptOf(row),
    success: successOf(row),
  };
}

/** The times are those of the catalog that observed the price, not of the latest publication. */
function priceOf(row: ProductStateRow, observed: Publication, { currency }: Profile): ProductDetail['price'] {
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

function attemptOf({ attempted_at, attempt_status, attempt_publication }: ProductStateRow) {
  if (attempted_at === null || attempt_status === null || attempt_publication === null) return null;
  return { attempted_at, status: attempt_status, publication: attempt_publication };
}

function successOf(row: ProductStateRow) {
  if (row.success_publication === null || row.success_retrieved_at === null || row.scope === null) return null;
  return {
    publication: row.success_publication,
    retrievedAt: row.success_retrieved_at,
    sourceUpdatedAt: row.success_source_updated_at,
    scope: row.scope,
  };
}

/**
 * Codes that products had before, at a publication. A code that is also the SKU of a product names that product, so it
 * is neither resolved nor ambiguous here.
 */
export function formerSkusOf(rows: readonly FormerSkuRow[]) {
  const bySku = Map.groupBy(rows, ({ sku }) => sku);
  const others = rows.filter(({ is_current }) => is_current !== 1);
  const owners = Map.groupBy(others, ({ former_sku }) => former_sku);
  /** Every code a product had, ascending. */
  const of = (sku: string) => (bySku.get(sku) ?? []).map(({ former_sku }) => former_sku);
  return {
    of,
    /** The former codes of a product that no other product had and that are not the SKU of any product. */
    resolvingTo: (sku: string) => of(sku).filter((code) => owners.get(code)?.length === 1),
    /** Codes that several products had and that are not the SKU of any product, ascending. */
    ambiguous: [...owners].flatMap(([code, { length }]) => (length > 1 ? [code] : [])).sort(),
  };
}
