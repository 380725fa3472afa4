import type { Connection, Statement } from './connection.ts';
import { type Row, VersionedTable } from './versioned-table.ts';

export type ProductKey = { readonly product: number; readonly id: string };

/** Writes products and their versions. */
export class ProductWriter {
  readonly versions: VersionedTable;
  readonly #find: Statement<[string], ProductKey>;
  readonly #insert: Statement<[Row]>;
  readonly #version: Statement<[number], number>;
  readonly #markSeen: Statement<[number]>;
  readonly #unseen: Statement<[], Row & { sku: string; id: string; version: number }>;
  readonly #listed: Statement<[], number>;

  constructor(connection: Connection) {
    connection.exec(`
      DROP TABLE IF EXISTS temp.seen_product;
      CREATE TEMP TABLE seen_product (product INTEGER PRIMARY KEY)`);
    this.versions = new VersionedTable(connection, 'product_version', ['product']);
    this.#find = connection.prepare('SELECT product, id FROM product WHERE sku = ?');
    this.#insert = connection.prepare(`
      INSERT INTO product (id, sku, first_publication, first_observed_at)
      VALUES (:id, :sku, :first_publication, :first_observed_at)`);
    this.#version = connection
      .prepare<[number], number>('SELECT version FROM product_version WHERE product = ? AND last_publication IS NULL')
      .pluck();
    this.#markSeen = connection.prepare('INSERT OR IGNORE INTO seen_product VALUES (?)');
    this.#unseen = connection.prepare(`
      SELECT product.sku, product.id, product_version.* FROM product_version JOIN product USING (product)
      WHERE last_publication IS NULL AND product NOT IN seen_product ORDER BY product.sku`);
    this.#listed = connection
      .prepare<[], number>(
        "SELECT count(*) FROM product_version WHERE catalog_presence = 'listed' AND last_publication IS NULL",
      )
      .pluck();
  }

  find(sku: string): ProductKey | undefined {
    return this.#find.get(sku);
  }

  insert(product: { id: string; sku: string; first_publication: number; first_observed_at: string }): ProductKey {
    return { product: Number(this.#insert.run(product).lastInsertRowid), id: product.id };
  }

  /** Key of a product's open version. */
  openVersion(product: number): number {
    return this.#version.get(product) ?? 0;
  }

  markSeen(product: number): void {
    this.#markSeen.run(product);
  }

  /** Open versions of products that were not marked as seen, by SKU. */
  unseen(): (Row & { sku: string; id: string; version: number })[] {
    return this.#unseen.all();
  }

  listedCount(): number {
    return this.#listed.get() ?? 0;
  }
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

/** Writes stores and their versions. */
export class StoreWriter {
  readonly versions: VersionedTable;
  readonly #all: Statement<[], OpenStore>;
  readonly #insert: Statement<[Row]>;
  readonly #taken: Statement<[string], number>;

  constructor(connection: Connection) {
    this.versions = new VersionedTable(connection, 'store_version', ['store']);
    this.#all = connection.prepare(`
      SELECT store.id, store_version.* FROM store_version JOIN store USING (store)
      WHERE last_publication IS NULL ORDER BY store`);
    this.#insert = connection.prepare('INSERT INTO store (id, first_publication) VALUES (:id, :first_publication)');
    this.#taken = connection.prepare<[string], number>('SELECT 1 FROM store WHERE id = ?').pluck();
  }

  /** Every store with its open version. */
  all(): OpenStore[] {
    return this.#all.all();
  }

  isTaken(id: string): boolean {
    return this.#taken.get(id) !== undefined;
  }

  insert(store: { id: string; first_publication: number }): number {
    return Number(this.#insert.run(store).lastInsertRowid);
  }
}
