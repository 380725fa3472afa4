import { BlockInsert, type Value } from './block-insert.ts';
import type { Connection } from './connection.ts';
import { columnNames } from './schema.ts';
import { type Row, rowMaker, VersionedTable } from './versioned-table.ts';

/** A product with its open version. */
export type OpenProduct = Row & {
  readonly product: number;
  readonly id: string;
  readonly sku: string;
  readonly version: number;
};

export type ProductWriter = ReturnType<typeof productWriter>;

/** Writes products and their versions. New ones are there after `flush`. */
export function productWriter(connection: Connection) {
  const open = connection
    .prepare<[string], Value[]>(`
      SELECT product.id, product.sku, product_version.* FROM product CROSS JOIN product_version USING (product)
      WHERE sku = ? AND last_publication IS NULL`)
    .raw();
  const others = connection
    .prepare<[string], Value[]>(`
      SELECT product.id, product.sku, product_version.* FROM product_version JOIN product USING (product)
      WHERE last_publication IS NULL AND product NOT IN (SELECT value FROM json_each(?)) ORDER BY product.sku`)
    .raw();
  const productOf = rowMaker<OpenProduct>(open);
  const lastPrice = connection
    .prepare<[number], number>(`
      SELECT price_minor FROM product_version WHERE product = ? AND price_minor IS NOT NULL
      ORDER BY first_publication DESC LIMIT 1`)
    .pluck();
  const listed = connection
    .prepare<[], number>(
      "SELECT count(*) FROM product_version WHERE catalog_presence = 'listed' AND last_publication IS NULL",
    )
    .pluck();
  const products = new BlockInsert(connection, 'product', columnNames('product'));
  const versions = new VersionedTable(connection, 'product_version', ['product']);
  const lastKeys = connection
    .prepare<[], [number, number]>(
      'SELECT (SELECT ifnull(max(product), 0) FROM product), (SELECT ifnull(max(version), 0) FROM product_version)',
    )
    .raw();
  // SQLite gives the keys in the order of the rows, each one more than the greatest before.
  let [lastProduct, lastVersion] = lastKeys.get() ?? [0, 0];
  return {
    /** The product of a SKU with its open version. */
    open: (sku: string) => {
      const values = open.get(sku);
      return values && productOf(values);
    },
    /** Adds a product and returns its key. */
    insert: (id: string, sku: string, firstPublication: number, firstObservedAt: string) => {
      lastProduct += 1;
      products.add(lastProduct, id, sku, firstPublication, firstObservedAt);
      return lastProduct;
    },
    /** Writes a version of a product, and returns its key; null if it equals the open one, `previous`. */
    putVersion: (sequence: number, row: Row, previous: Row | undefined) => {
      if (previous === undefined) versions.insert(sequence, row);
      else if (!versions.put(sequence, row, previous)) return null;
      lastVersion += 1;
      return lastVersion;
    },
    flush: () => {
      products.flush();
      versions.flush();
      const [product, version] = lastKeys.get() ?? [0, 0];
      if (product !== lastProduct || version !== lastVersion) throw new Error('a product or version got another key');
    },
    /** The last price that a product had, if it ever had one. */
    lastPrice: (product: number) => lastPrice.get(product) ?? null,
    /** All products but these, by SKU. */
    others: (products: Iterable<number>) => others.all(JSON.stringify([...products])).map(productOf),
    listedCount: () => listed.get() ?? 0,
  };
}

/** SKUs of the listed products, ascending. */
export function listedSkus(connection: Connection): string[] {
  return connection
    .prepare<[], string>(`
      SELECT sku FROM product JOIN product_version USING (product)
      WHERE last_publication IS NULL AND catalog_presence = 'listed' ORDER BY sku`)
    .pluck()
    .all();
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
  const open = connection
    .prepare<[], Value[]>(`
      SELECT store.id, store_version.* FROM store_version JOIN store USING (store)
      WHERE last_publication IS NULL ORDER BY store`)
    .raw();
  return open.all().map(rowMaker<OpenStore>(open));
}
