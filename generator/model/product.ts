import type { PackageSize, ProductDetail, ProductFacts } from '../contract/documents/catalog.ts';
import { earlierOf } from '../contract/instant.ts';
import type { AvailabilitySummary } from '../contract/primitives.ts';
import { displayPrice, type Profile } from '../contract/profile.ts';
import { factsOf, type ProductStateRow, packageSizeOf } from '../database/product-state.ts';
import type { Publication } from '../database/publications.ts';
import type { FormerSkuRow } from '../database/state-reader.ts';

/** A product at a publication, as its documents need it. */
export type Product = {
  /** Its row, for what documents show as it is stored. */
  readonly row: ProductStateRow;
  readonly key: number;
  readonly id: string;
  readonly sku: string;
  readonly version: number;
  readonly isListed: boolean;
  readonly name: string;
  readonly brand: string | null;
  readonly brandId: string | null;
  /** Null while the product is absent. */
  readonly familyId: string | null;
  readonly categoryId: string | null;
  readonly packageSize: PackageSize;
  readonly price: ProductDetail['price'];
  readonly status: ProductDetail['status'];
  /** What some agencies report besides; null in a site without such facts. */
  readonly facts: ProductFacts | null;
  /** Time of the first retrieval, either of a catalog that listed it or of its inventory. */
  readonly firstObservedAt: string;
  /** When the catalog that last listed it was retrieved. */
  readonly catalogRetrievedAt: string;
  readonly attempt: (AvailabilitySummary['last_refresh_attempt'] & { readonly publication: number }) | null;
  readonly success: {
    readonly publication: number;
    readonly retrievedAt: string;
    readonly sourceUpdatedAt: string | null;
    readonly scope: number;
  } | null;
};

export function productOf(
  row: ProductStateRow,
  current: Publication,
  publicationAt: (sequence: number) => Publication,
  profile: Profile,
): Product {
  const observed = observedIn(row, current, publicationAt);
  return {
    row,
    key: row.product,
    id: row.id,
    sku: row.sku,
    version: row.version,
    isListed: isListed(row),
    name: row.name,
    brand: row.brand_name,
    brandId: row.brand_id,
    familyId: familyIdOf(row),
    categoryId: row.category_id,
    packageSize: packageSizeOf(row),
    price: priceOf(row, observed, profile),
    status: statusOf(row),
    facts: profile.product_facts.length === 0 ? null : factsOf(row, profile.product_facts),
    firstObservedAt: earlierOf(row.first_observed_at, row.first_retrieved_at),
    catalogRetrievedAt: observed.catalog_retrieved_at,
    attempt: attemptOf(row),
    success: successOf(row),
  };
}

export function isListed(row: { readonly catalog_presence: string }): boolean {
  return row.catalog_presence === 'listed';
}

export function familyIdOf(row: {
  readonly catalog_presence: string;
  readonly family_id: string | null;
}): string | null {
  return isListed(row) ? row.family_id : null;
}

/** The publication that brought the catalog that last listed the product. */
export function observedIn(
  row: Pick<ProductStateRow, 'observed_publication'>,
  current: Publication,
  publicationAt: (sequence: number) => Publication,
): Publication {
  return publicationAt(row.observed_publication ?? current.catalog_publication);
}

export function statusOf(
  row: Pick<ProductStateRow, 'status_code' | 'status_label' | 'status_raw' | 'lifecycle'>,
): Product['status'] {
  return {
    code: row.status_code,
    label: row.status_label,
    lifecycle: row.lifecycle,
    source_raw: row.status_raw,
  };
}

/** The times are those of the catalog that observed the price, not of the latest publication. */
export function priceOf(
  row: Pick<ProductStateRow, 'price_minor' | 'price_source'>,
  observed: Publication,
  { currency }: Profile,
): Product['price'] {
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

function attemptOf({ attempted_at, attempt_status, attempt_publication }: ProductStateRow): Product['attempt'] {
  if (attempted_at === null || attempt_status === null || attempt_publication === null) return null;
  return { attempted_at, status: attempt_status, publication: attempt_publication };
}

function successOf(row: ProductStateRow): Product['success'] {
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
export class FormerSkus {
  readonly #bySku = new Map<string, FormerSkuRow[]>();
  readonly #owners = new Map<string, number>();
  readonly #current = new Set<string>();

  constructor(rows: readonly FormerSkuRow[]) {
    for (const row of rows) {
      this.#bySku.set(row.sku, [...(this.#bySku.get(row.sku) ?? []), row]);
      this.#owners.set(row.former_sku, (this.#owners.get(row.former_sku) ?? 0) + 1);
      if (row.is_current === 1) this.#current.add(row.former_sku);
    }
  }

  /** Every code a product had, ascending. */
  of(sku: string): string[] {
    return (this.#bySku.get(sku) ?? []).map(({ former_sku }) => former_sku);
  }

  /** The former codes of a product that no other product had and that are not the SKU of any product. */
  resolvingTo(sku: string): string[] {
    return this.of(sku).filter((code) => this.#owners.get(code) === 1 && !this.#current.has(code));
  }

  /** Codes that several products had and that are not the SKU of any product, ascending. */
  get ambiguous(): string[] {
    return [...this.#owners].flatMap(([code, owners]) => (owners > 1 && !this.#current.has(code) ? [code] : [])).sort();
  }
}
