import type { Connection, Statement } from './connection.ts';
import { type Row, VersionedTable } from './versioned-table.ts';

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
