import type { Connection } from './connection.ts';
import { type Row, VersionedTable } from './versioned-table.ts';

export type ProductKey = { readonly product: number; readonly id: string };

export type ProductWriter = ReturnType<typeof productWriter>;

/** Writes products and their versions. */
export function productWriter(connection: Connection) {
  connection.exec(`
    DROP TABLE IF EXISTS temp.seen_product;
    CREATE TEMP TABLE seen_product (product INTEGER PRIMARY KEY)`);
  const find = connection.prepare<[string], ProductKey>('SELECT product, id FROM product WHERE sku = ?');
  const insert = connection.prepare<[Row]>(`
    INSERT INTO product (id, sku, first_publication, first_observed_at)
    VALUES (:id, :sku, :first_publication, :first_observed_at)`);
  const version = connection
    .prepare<[number], number>('SELECT version FROM product_version WHERE product = ? AND last_publication IS NULL')
    .pluck();
  const lastPrice = connection
    .prepare<[number], number>(`
      SELECT price_minor FROM product_version WHERE product = ? AND price_minor IS NOT NULL
      ORDER BY first_publication DESC LIMIT 1`)
    .pluck();
  const markSeen = connection.prepare<[number]>('INSERT OR IGNORE INTO seen_product VALUES (?)');
  const unseen = connection.prepare<[], Row & { sku: string; id: string; version: number }>(`
    SELECT product.sku, product.id, product_version.* FROM product_version JOIN product USING (product)
    WHERE last_publication IS NULL AND product NOT IN seen_product ORDER BY product.sku`);
  const listed = connection
    .prepare<[], number>(
      "SELECT count(*) FROM product_version WHERE catalog_presence = 'listed' AND last_publication IS NULL",
    )
    .pluck();
  return {
    versions: new VersionedTable(connection, 'product_version', ['product']),
    find: (sku: string) => find.get(sku),
    insert: (product: {
      id: string;
      sku: string;
      first_publication: number;
      first_observed_at: string;
    }): ProductKey => ({
      product: Number(insert.run(product).lastInsertRowid),
      id: product.id,
    }),
    /** Key of a product's open version. */
    openVersion: (product: number) => version.get(product) ?? 0,
    /** The last price that a product had, if it ever had one. */
    lastPrice: (product: number) => lastPrice.get(product) ?? null,
    markSeen: (product: number) => markSeen.run(product),
    /** Open versions of products that were not marked as seen, by SKU. */
    unseen: () => unseen.all(),
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
