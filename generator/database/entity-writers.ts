import { type Connection, firstValue, rowQuery } from './connection.ts';
import type { RowOf } from './schema.ts';
import { inserter, type VersionOf, versionedTable } from './table-writers.ts';

export type OpenProduct = RowOf<'product_version'> & Pick<RowOf<'product'>, 'id' | 'sku'>;

export type ProductWriter = ReturnType<typeof productWriter>;

export function productWriter(connection: Connection) {
  const openBySku = rowQuery<[string], OpenProduct>(
    connection,
    `SELECT product.id, product.sku, product_version.* FROM product CROSS JOIN product_version USING (product)
    WHERE sku = +? AND last_publication IS NULL`,
  );
  const others = rowQuery<[string], OpenProduct>(
    connection,
    `SELECT product.id, product.sku, product_version.* FROM product_version JOIN product USING (product)
    WHERE last_publication IS NULL AND product NOT IN (SELECT value FROM json_each(?)) ORDER BY product.sku`,
  );
  const lastPrice = connection
    .prepare<[number], number>(`
      SELECT price_minor FROM product_version WHERE product = +? AND price_minor IS NOT NULL
      ORDER BY first_publication DESC LIMIT 1`)
    .pluck();
  const versions = versionedTable(connection, 'product_version', ['product']);
  return {
    open: (sku: string) => openBySku(sku)[0],
    /** Adds a product and returns its key. */
    insert: inserter(connection, 'product', ['product']),
    /** Returns the key of the new version; null if it equals the open one, `previous`. */
    putVersion: (sequence: number, row: VersionOf<'product_version'>, previous: OpenProduct | undefined) =>
      versions.put(sequence, row, previous),
    /** The last price of a product; null if it never had one. */
    lastPrice: (product: number) => lastPrice.get(product) ?? null,
    /** All products except these, by SKU. */
    others: (products: Iterable<number>) => others(JSON.stringify([...products])),
  };
}

export function listedSkus(connection: Connection): string[] {
  return connection
    .prepare<[], string>(`
      SELECT sku FROM product JOIN product_version USING (product)
      WHERE last_publication IS NULL AND catalog_presence = 'listed' ORDER BY sku`)
    .pluck()
    .all();
}

export type OpenStore = RowOf<'store_version'> & Pick<RowOf<'store'>, 'id'>;

export type StoreWriter = ReturnType<typeof storeWriter>;

export function storeWriter(connection: Connection) {
  const found = connection.prepare<[string], number>('SELECT 1 FROM store WHERE id = ?').pluck();
  return {
    versions: versionedTable(connection, 'store_version', ['store']),
    hasId: (id: string) => found.get(id) !== undefined,
    /** Adds a store and returns its key. */
    insert: inserter(connection, 'store', ['store']),
  };
}

export function openStores(connection: Connection): OpenStore[] {
  return connection
    .prepare<[], OpenStore>(`
      SELECT store.id, store_version.* FROM store_version JOIN store USING (store)
      WHERE last_publication IS NULL ORDER BY store`)
    .all();
}

export function hasNewStoreVersion(connection: Connection, sequence: number): boolean {
  return (
    firstValue(connection, 'SELECT 1 FROM store_version WHERE first_publication = ? LIMIT 1', sequence) !== undefined
  );
}
