import { type Connection, rowQuery } from './connection.ts';
import { holds, type ProductStateRow, productState } from './product-state.ts';
import type { RowOf } from './schema.ts';

/** A code that a product had before. `is_current`: 1 if the code is now the SKU of a product. */
export type FormerSkuRow = Pick<RowOf<'former_sku'>, 'former_sku' | 'sku'> & { readonly is_current: number };

export type StoreRow = RowOf<'store_version'> & Pick<RowOf<'store'>, 'id'>;

export type InventoryRow = Pick<RowOf<'inventory_version'>, 'store' | 'quantity' | 'purchase_eligibility'>;

/** How many rows of a product are positive, and the sum of their quantities. */
export type RowCounts = {
  readonly reported_positive_store_count: number;
  readonly reported_quantity: number;
};

export type OlderObservationRow = { readonly product: number; readonly store: number; readonly retrieved_at: string };

export type StandingPositiveRow = Omit<RowOf<'inventory_version'>, 'first_publication' | 'last_publication'>;

export type ProductTotalsRow = Omit<RowOf<'product_history'>, 'publication'>;

type At = { readonly at: number };

export type StateReader = ReturnType<typeof stateReader>;

/** Reads the state at a publication. Every query has a total order. */
export function stateReader(connection: Connection, at: number) {
  const all = <Row>(sql: string): Row[] => rowQuery<[At], Row>(connection, sql)({ at });
  const curation = <Name extends 'category_version' | 'brand_version' | 'family_version'>(table: Name, key: string) =>
    all<RowOf<Name>>(`SELECT * FROM ${table} AS v WHERE ${holds('v')} ORDER BY ${key}`);
  const inventoryRows = rowQuery<[At & { readonly product: number }], InventoryRow>(
    connection,
    `SELECT store, quantity, purchase_eligibility FROM inventory_version AS i
    WHERE product = +:product AND ${holds('i')} ORDER BY store`,
  );
  return {
    /** All products, by id. */
    products: () => all<ProductStateRow>(`${productState} ORDER BY p.id`),
    /** All stores, by id. */
    stores: () =>
      all<StoreRow>(`
        SELECT store.id, v.* FROM store JOIN store_version AS v USING (store) WHERE ${holds('v')} ORDER BY store.id`),
    categories: () => curation('category_version', 'id'),
    brands: () => curation('brand_version', 'slug'),
    families: () => curation('family_version', 'slug'),
    formerSkus: () =>
      all<FormerSkuRow>(`
        SELECT v.former_sku, v.sku, p.product IS NOT NULL AS is_current FROM former_sku AS v
          LEFT JOIN product AS p ON p.sku = v.former_sku AND p.first_publication <= :at
        WHERE ${holds('v')} ORDER BY v.former_sku, v.sku`),
    scopes(): Map<number, ReadonlySet<number>> {
      const rows = connection
        .prepare<[], RowOf<'inventory_scope'>>('SELECT * FROM inventory_scope ORDER BY scope')
        .all();
      return new Map(rows.map(({ scope, stores }) => [scope, new Set<number>(JSON.parse(stores))]));
    },
    /** Pairs whose observation is older than the last success of their product. */
    olderObservations: () =>
      all<OlderObservationRow>(`
        SELECT o.product, o.store, r.retrieved_at FROM older_observation AS o
          JOIN retrieval AS r ON r.product = o.product AND r.publication = o.observed_publication
        WHERE ${holds('o')} ORDER BY o.product, o.store`),
    /** The rows of a product, by store. */
    inventory: (product: number) => inventoryRows({ at, product }),
    /** For each product, the counts of its rows in these stores. A product without rows has no entry. */
    rowCounts(stores: readonly number[]): Map<number, RowCounts> {
      const rows = connection
        .prepare<[At & { readonly stores: string }], RowCounts & { readonly product: number }>(`
          SELECT product, sum(quantity > 0) AS reported_positive_store_count, sum(quantity) AS reported_quantity
          FROM inventory_version AS i
          WHERE ${holds('i')} AND store IN (SELECT value FROM json_each(:stores)) GROUP BY product ORDER BY product`)
        .all({ at, stores: JSON.stringify(stores) });
      return new Map(rows.map(({ product, ...counts }) => [product, counts]));
    },
    /** All positive rows, by store and product. */
    positiveRows: () =>
      connection
        .prepare<[At], StandingPositiveRow>(`
          SELECT product, store, quantity, purchase_eligibility FROM inventory_version AS i
          WHERE ${holds('i')} AND quantity > 0 ORDER BY store, product`)
        .iterate({ at }),
    /** The totals after the publication `upTo`, this one or earlier, of every product that ever had an event. */
    productTotals(upTo = at): Map<number, ProductTotalsRow> {
      const rows = connection
        .prepare<[At], ProductTotalsRow>(`
          SELECT h.product, h.event_count, h.last_price_change_at, h.last_inventory_change_at
          FROM product AS p JOIN product_history AS h ON h.product = p.product AND h.publication =
            (SELECT max(publication) FROM product_history WHERE product = p.product AND publication <= :at)
          ORDER BY p.product`)
        .all({ at: upTo });
      return new Map(rows.map((row) => [row.product, row]));
    },
  };
}
