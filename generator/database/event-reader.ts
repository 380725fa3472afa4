import type { ChangeType } from '../contract/change.ts';
import type { Connection, Statement } from './connection.ts';
import type { PendingEvent } from './event-log.ts';

/** An event of the log with what it called its product and store. `change` is the payload's JSON. */
export type EventRow = PendingEvent & { readonly number: number; readonly publication: number };

export type EventProductRow = {
  readonly version: number;
  readonly id: string;
  readonly sku: string;
  readonly name: string;
  readonly brand_name: string | null;
};
export type EventStoreRow = {
  readonly version: number;
  readonly id: string;
  readonly inventory_store_code: string | null;
  readonly name: string;
};

/** Times of a run of events: oldest and newest retrieval, and how many say when the source updated. */
export type EventSpanRow = { readonly min: string | null; readonly max: string | null; readonly dated: number };

const columns =
  'number, id, publication, type, product, product_version, store_version, retrieved_at, source_updated_at, change';

/** Rows as arrays: half the time of rows as objects, and there are many. */
type RawEvent = [number, string, number, ChangeType, number, number, number | null, string, string | null, string];

/** Reads the change log. Runs are given by the numbers of their first and last event, both included. */
export class EventReader {
  readonly #range: Statement<[number, number], RawEvent>;
  readonly #ofProduct: Statement<[number, number], RawEvent>;
  readonly #products: Statement<[number, number], EventProductRow>;
  readonly #stores: Statement<[number, number], EventStoreRow>;
  readonly #span: Statement<[number, number], EventSpanRow>;

  constructor(connection: Connection) {
    this.#range = connection
      .prepare<[number, number], RawEvent>(`SELECT ${columns} FROM event WHERE number BETWEEN ? AND ? ORDER BY number`)
      .raw();
    this.#ofProduct = connection
      .prepare<[number, number], RawEvent>(
        `SELECT ${columns} FROM event WHERE product = ? AND number <= ? ORDER BY number`,
      )
      .raw();
    this.#products = connection.prepare(`
      SELECT version, product.id, product.sku, name, brand_name FROM product_version JOIN product USING (product)
      WHERE version BETWEEN ? AND ? ORDER BY version`);
    this.#stores = connection.prepare(`
      SELECT version, store.id, inventory_store_code, name FROM store_version JOIN store USING (store)
      WHERE version BETWEEN ? AND ? ORDER BY version`);
    this.#span = connection.prepare(`
      SELECT min(rtrim(retrieved_at, 'Z')) || 'Z' AS min, max(rtrim(retrieved_at, 'Z')) || 'Z' AS max,
        count(source_updated_at) AS dated
      FROM event WHERE number BETWEEN ? AND ?`);
  }

  range(first: number, last: number): EventRow[] {
    return this.#range.all(first, last).map(eventOf);
  }

  /** Events of a product up to an event number, oldest first. */
  ofProduct(product: number, lastEvent: number): EventRow[] {
    return this.#ofProduct.all(product, lastEvent).map(eventOf);
  }

  span(first: number, last: number): EventSpanRow {
    return this.#span.get(first, last) ?? { min: null, max: null, dated: 0 };
  }

  /** What events call the products of a run of versions. */
  products(first: number, last: number): EventProductRow[] {
    return this.#products.all(first, last);
  }

  /** What events call the stores of a run of versions. */
  stores(first: number, last: number): EventStoreRow[] {
    return this.#stores.all(first, last);
  }
}

function eventOf(row: RawEvent): EventRow {
  return {
    number: row[0],
    id: row[1],
    publication: row[2],
    type: row[3],
    product: row[4],
    product_version: row[5],
    store_version: row[6],
    retrieved_at: row[7],
    source_updated_at: row[8],
    change: row[9],
  };
}
