import type { PackageSize } from '../contract/documents/product.ts';
import type { Connection, Statement } from './connection.ts';
import type { Row } from './versioned-table.ts';

/** The columns of `product_version` that make a package size. */
export type PackageColumns = {
  readonly size_ml: number | null;
  readonly container_count: number | null;
  readonly unit_milliliters: number | null;
  readonly total_milliliters: number | null;
  readonly package_display: string | null;
  readonly package_interpretation: string;
  readonly package_basis: string;
  readonly package_state: string;
};

/** The package of a version. A 0 in the agency's size column means that no size is known. */
export function packageSizeOf(row: PackageColumns): PackageSize {
  return {
    milliliters: row.size_ml === 0 ? null : row.size_ml,
    container_count: row.container_count,
    unit_milliliters: row.unit_milliliters,
    total_milliliters: row.total_milliliters,
    display: row.package_display,
    interpretation: row.package_interpretation,
    basis: row.package_basis,
    normalization_state: row.package_state,
  } as PackageSize;
}

/** A product at a publication: its version, its last attempt and its last success. */
export type ProductStateRow = PackageColumns & {
  readonly product: number;
  readonly id: string;
  readonly sku: string;
  readonly first_observed_at: string;
  readonly version: number;
  readonly catalog_presence: string;
  readonly observed_publication: number | null;
  readonly price_minor: number | null;
  readonly price_source: string;
  readonly status_code: string;
  readonly status_label: string;
  readonly status_raw: string;
  readonly lifecycle: string;
  readonly category_id: string | null;
  readonly name: string;
  readonly brand_id: string | null;
  readonly brand_name: string | null;
  readonly family_id: string | null;
  readonly relationship_type: string | null;
  readonly vintage_year: number | null;
  readonly age_statement: string | null;
  readonly lowest_price_minor: number | null;
  readonly highest_price_minor: number | null;
  readonly attempted_at: string | null;
  readonly attempt_status: string | null;
  readonly attempt_publication: number | null;
  readonly first_retrieved_at: string | null;
  readonly last_positive_at: string | null;
  readonly success_publication: number | null;
  readonly success_retrieved_at: string | null;
  readonly success_source_updated_at: string | null;
  readonly scope: number | null;
};

export type FormerSkuRow = { readonly former_sku: string; readonly sku: string; readonly taken: number };

export type InventoryRow = {
  readonly store: number;
  readonly quantity: number;
  readonly purchase_eligibility: string | null;
};

export type OlderObservationRow = { readonly product: number; readonly store: number; readonly retrieved_at: string };

export type StandingPositiveRow = {
  readonly product: number;
  readonly store: number;
  readonly quantity: number;
  readonly purchase_eligibility: string;
};

export type ProductTotalsRow = {
  readonly product: number;
  readonly event_count: number;
  readonly last_price_change_at: string | null;
  readonly last_inventory_change_at: string | null;
};

const holds = (table: string) =>
  `${table}.first_publication <= :at AND (${table}.last_publication IS NULL OR ${table}.last_publication >= :at)`;

const productState = `
  SELECT p.product, p.id, p.sku, p.first_observed_at, v.version, v.catalog_presence, v.observed_publication, v.size_ml,
    v.price_minor, v.price_source, v.status_code, v.status_label, v.status_raw, v.lifecycle, v.category_id, v.name,
    v.brand_id, v.brand_name, v.family_id, v.relationship_type, v.vintage_year, v.age_statement, v.container_count,
    v.unit_milliliters, v.total_milliliters, v.package_display, v.package_interpretation, v.package_basis,
    v.package_state, v.lowest_price_minor, v.highest_price_minor,
    attempt.attempted_at, attempt.status AS attempt_status, attempt.publication AS attempt_publication,
    attempt.first_retrieved_at, attempt.last_positive_at, success.publication AS success_publication,
    success.retrieved_at AS success_retrieved_at, success.source_updated_at AS success_source_updated_at, success.scope
  FROM product AS p
    JOIN product_version AS v ON v.product = p.product AND ${holds('v')}
    LEFT JOIN retrieval AS attempt ON attempt.product = p.product AND attempt.publication =
      (SELECT max(publication) FROM retrieval WHERE product = p.product AND publication <= :at)
    LEFT JOIN retrieval AS success ON success.product = p.product AND success.publication = attempt.last_success`;

type At = { at: number };

/** A product whose inventory was ever retrieved successfully, with its last success. */
export type RetrievedProductRow = {
  readonly product: number;
  readonly id: string;
  readonly sku: string;
  readonly publication: number;
  readonly retrieved_at: string;
  readonly source_updated_at: string | null;
  readonly scope: number;
};

/** Reads the state of the database as it was at a publication. Every query has a total order. */
export class StateReader {
  readonly #connection: Connection;
  readonly #at: number;
  readonly #inventory: Statement<[{ at: number; product: number }], InventoryRow>;

  constructor(connection: Connection, at: number) {
    this.#connection = connection;
    this.#at = at;
    this.#inventory = connection.prepare(`
      SELECT store, quantity, purchase_eligibility FROM inventory_version AS i
      WHERE product = :product AND ${holds('i')} ORDER BY store`);
  }

  /** Every product, by id. */
  products(): ProductStateRow[] {
    return this.#all<ProductStateRow>(`${productState} ORDER BY p.id`);
  }

  /** Every product whose inventory was ever retrieved successfully, by id. */
  retrievedProducts(): IterableIterator<RetrievedProductRow> {
    return this.#iterate<RetrievedProductRow>(`
      SELECT p.product, p.id, p.sku, success.publication, success.retrieved_at, success.source_updated_at, success.scope
      FROM product AS p
        JOIN retrieval AS attempt ON attempt.product = p.product AND attempt.publication =
          (SELECT max(publication) FROM retrieval WHERE product = p.product AND publication <= :at)
        JOIN retrieval AS success ON success.product = p.product AND success.publication = attempt.last_success
      ORDER BY p.id`);
  }

  /** Every store with its version, by id. */
  stores(): Row[] {
    return this.#all(`
      SELECT store.id, v.* FROM store JOIN store_version AS v USING (store) WHERE ${holds('v')} ORDER BY store.id`);
  }

  categories(): Row[] {
    return this.#all(`SELECT * FROM category_version AS v WHERE ${holds('v')} ORDER BY id`);
  }

  brands(): Row[] {
    return this.#all(`SELECT * FROM brand_version AS v WHERE ${holds('v')} ORDER BY slug`);
  }

  families(): Row[] {
    return this.#all(`SELECT * FROM family_version AS v WHERE ${holds('v')} ORDER BY slug`);
  }

  /** Codes that products had before. `taken` is 1 if the code is now the SKU of a product. */
  formerSkus(): FormerSkuRow[] {
    return this.#all(`
      SELECT v.former_sku, v.sku, p.product IS NOT NULL AS taken FROM former_sku AS v
        LEFT JOIN product AS p ON p.sku = v.former_sku AND p.first_publication <= :at
      WHERE ${holds('v')} ORDER BY v.former_sku, v.sku`);
  }

  /** The stores that each scope of retrievals covers, by scope. */
  scopes(): Map<number, ReadonlySet<number>> {
    const rows = this.#connection
      .prepare<[], { scope: number; stores: string }>('SELECT scope, stores FROM inventory_scope ORDER BY scope')
      .all();
    return new Map(rows.map(({ scope, stores }) => [scope, new Set<number>(JSON.parse(stores))]));
  }

  /** Pairs whose observation is older than their product's last success. */
  olderObservations(): OlderObservationRow[] {
    return this.#all(`
      SELECT o.product, o.store, r.retrieved_at FROM older_observation AS o
        JOIN retrieval AS r ON r.product = o.product AND r.publication = o.observed_publication
      WHERE ${holds('o')} ORDER BY o.product, o.store`);
  }

  /** Rows of a product at the publication, by store. */
  inventory(product: number): InventoryRow[] {
    return this.#inventory.all({ at: this.#at, product });
  }

  /** Every positive row at the publication, by store and product. */
  positiveRows(): IterableIterator<StandingPositiveRow> {
    return this.#iterate<StandingPositiveRow>(`
      SELECT product, store, quantity, purchase_eligibility FROM inventory_version AS i
      WHERE ${holds('i')} AND quantity > 0 ORDER BY store, product`);
  }

  /** Running totals of every product that ever had an event, as of a publication up to this one. */
  productTotals(at = this.#at): Map<number, ProductTotalsRow> {
    const rows = this.#connection
      .prepare<[At], ProductTotalsRow>(`
        SELECT h.product, h.event_count, h.last_price_change_at, h.last_inventory_change_at
        FROM product AS p JOIN product_history AS h ON h.product = p.product AND h.publication =
          (SELECT max(publication) FROM product_history WHERE product = p.product AND publication <= :at)
        ORDER BY p.product`)
      .all({ at });
    return new Map(rows.map((row) => [row.product, row]));
  }

  #all<Result>(sql: string): Result[] {
    return this.#connection.prepare<[At], Result>(sql).all({ at: this.#at });
  }

  #iterate<Result>(sql: string): IterableIterator<Result> {
    return this.#connection.prepare<[At], Result>(sql).iterate({ at: this.#at });
  }
}
