import type { Connection } from './connection.ts';
import { type Row, VersionedTable } from './versioned-table.ts';

/** A product with its open version. */
export type OpenProduct = Row & {
  readonly product: number;
  readonly id: string;
  readonly sku: string;
  readonly version: number;
};

export type ProductWriter = ReturnType<typeof productWriter>;

/** Writes products and their versions. */
export function productWriter(connection: Connection) {
  const open = connection.prepare<[string], OpenProduct>(`
    SELECT product.id, product.sku, product_version.* FROM product CROSS JOIN product_version USING (product)
    WHERE sku = ? AND last_publication IS NULL`);
  const insert = connection.prepare<[string, string, number, string]>(
    'INSERT INTO product (id, sku, first_publication, first_observed_at) VALUES (?, ?, ?, ?)',
  );
  const version = connection
    .prepare<[number], number>('SELECT version FROM product_version WHERE product = ? AND last_publication IS NULL')
    .pluck();
  const lastPrice = connection
    .prepare<[number], number>(`
      SELECT price_minor FROM product_version WHERE product = ? AND price_minor IS NOT NULL
      ORDER BY first_publication DESC LIMIT 1`)
    .pluck();
  const others = connection.prepare<[string], OpenProduct>(`
    SELECT product.id, product.sku, product_version.* FROM product_version JOIN product USING (product)
    WHERE last_publication IS NULL AND product NOT IN (SELECT value FROM json_each(?)) ORDER BY product.sku`);
  const listed = connection
    .prepare<[], number>(
      "SELECT count(*) FROM product_version WHERE catalog_presence = 'listed' AND last_publication IS NULL",
    )
    .pluck();
  return {
    versions: new VersionedTable(connection, 'product_version', ['product']),
    open: (sku: string) => open.get(sku),
    /** Adds a product and returns its key. */
    insert: (id: string, sku: string, firstPublication: number, firstObservedAt: string) =>
      Number(insert.run(id, sku, firstPublication, firstObservedAt).lastInsertRowid),
    /** Key of a product's open version. */
    openVersion: (product: number) => version.get(product) ?? 0,
    /** The last price that a product had, if it ever had one. */
    lastPrice: (product: number) => lastPrice.get(product) ?? null,
    /** All products but these, by SKU. */
    others: (products: Iterable<number>) => others.all(JSON.stringify([...products])),
    listedCount: () => listed.get() ?? 0,
  };
}

/** SKUs of the listed products, ascending. */
export function listedSkus(connection: Connection): IterableIterator<string> {
  return connection
    .prepare<[], string>(`
      SELECT sku FROM product JOIN product_version USING (product)
      WHERE last_publication IS NULL AND catalog_presence = 'listed' ORDER BY sku`)
    .pluck()
    .iterate();
}

export type OpenStore = Row & {
  readonly store: number;
  readonly id: string;
  readonly version: number;
  readonly name: string;
  readonly inventory_store_code: string | null;
  readonly directory_id: string | null;
};

export type StoreWriter = ReturnType<typeof storeWriter>;

/** Writes stores and their versions. */
export function storeWriter(connection: Connection) {
  const insert = connection.prepare<[Row]>(
    'INSERT INTO store (id, first_publication) VALUES (:id, :first_publication)',
  );
  const taken = connection.prepare<[string], number>('SELECT 1 FROM store WHERE id = ?').pluck();
  return {
    versions: new VersionedTable(connection, 'store_version', ['store']),
    isTaken: (id: string) => taken.get(id) !== undefined,
    insert: (store: { id: string; first_publication: number }) => Number(insert.run(store).lastInsertRowid),
  };
}

/** Every store with its open version. */
export function openStores(connection: Connection): OpenStore[] {
  return connection
    .prepare<[], OpenStore>(`
      SELECT store.id, store_version.* FROM store_version JOIN store USING (store)
      WHERE last_publication IS NULL ORDER BY store`)
    .all();
}
