import type { ChangeType } from '../contract/documents/change.ts';
import { earlierOf, type InstantSpan, laterOf } from '../contract/instant.ts';
import { BlockInsert } from './block-insert.ts';
import type { Connection, Statement } from './connection.ts';

/**
 * An event of the log. `product_version` and `store_version` are the product and the store as they were called then.
 * `change` is the JSON of the payload.
 */
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

/** Times of a run of events: the oldest and newest retrieval, and how many events have an update time of the source. */
export type EventSpanRow = InstantSpan & { readonly dated: number };

const columns =
  'number, id, publication, type, product, product_version, store_version, retrieved_at, source_updated_at, change';

/** An event as an array. Arrays take half the time of objects to read, and there are many events. */
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

  /** The products of a run of versions, as events name them. */
  products(first: number, last: number): EventProductRow[] {
    return this.#products.all(first, last);
  }

  /** The stores of a run of versions, as events name them. */
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

/** An event of the publication in progress, before it has a number in the log. */
export type PendingEvent = {
  readonly id: string;
  readonly type: ChangeType;
  readonly product: number;
  readonly product_version: number;
  readonly store_version: number | null;
  readonly retrieved_at: string;
  readonly source_updated_at: string | null;
  readonly change: string;
};

/** Summary of one publication's events in the log. */
export type EventSpan = {
  readonly last_event: number;
  readonly events_retrieved_min: string | null;
  readonly events_retrieved_max: string | null;
  readonly events_with_source_time: number;
};

const pendingColumns = [
  'id',
  'type',
  'product',
  'product_version',
  'store_version',
  'retrieved_at',
  'source_updated_at',
  'change',
];

/**
 * Collects the events of a publication in a temporary table and appends them to the log in the order of the feed: by
 * retrieval time, then id (contract.md 3). Instants compare without their final Z, so that a second with a fraction
 * sorts after the same second without one.
 */
export class EventLog {
  readonly #connection: Connection;
  readonly #pending: BlockInsert;
  #oldest: string | null = null;
  #newest: string | null = null;
  #dated = 0;

  constructor(connection: Connection) {
    this.#connection = connection;
    connection.exec(`
      DROP TABLE IF EXISTS temp.pending_event;
      CREATE TEMP TABLE pending_event (
        id TEXT, type TEXT, product INTEGER, product_version INTEGER, store_version INTEGER,
        retrieved_at TEXT, source_updated_at TEXT, change TEXT
      )`);
    this.#pending = new BlockInsert(connection, 'pending_event', pendingColumns);
  }

  add(event: PendingEvent): void {
    const { id, type, product, product_version, store_version, retrieved_at, source_updated_at, change } = event;
    this.#oldest = earlierOf(this.#oldest, retrieved_at);
    this.#newest = laterOf(this.#newest, retrieved_at);
    if (source_updated_at !== null) this.#dated += 1;
    this.#pending.add(id, type, product, product_version, store_version, retrieved_at, source_updated_at, change);
  }

  /**
   * Appends the collected events to the log as those of a publication, with the new running totals of their products.
   */
  append(publication: number, lastEvent: number): EventSpan {
    this.#pending.flush();
    // Numbers follow that of the last event, as SQLite gives them, in the order in which the rows come.
    const { changes, lastInsertRowid } = this.#connection
      .prepare(`
        INSERT INTO event (publication, ${pendingColumns.join(', ')}) SELECT ?, ${pendingColumns.join(', ')}
        FROM pending_event ORDER BY rtrim(retrieved_at, 'Z'), id`)
      .run(publication);
    const last_event = lastEvent + changes;
    if (changes > 0 && Number(lastInsertRowid) !== last_event)
      throw new Error(`event ${last_event} got another number`);
    this.#appendHistory(publication);
    this.#connection.exec('DROP TABLE pending_event');
    return {
      last_event,
      events_retrieved_min: this.#oldest,
      events_retrieved_max: this.#newest,
      events_with_source_time: this.#dated,
    };
  }

  #appendHistory(publication: number): void {
    this.#connection
      .prepare(`
        WITH touched AS (
          SELECT product, count(*) AS events,
            max(CASE WHEN type = 'price_changed' THEN rtrim(retrieved_at, 'Z') END) AS price,
            max(CASE WHEN type IN ('aggregate_inventory_changed', 'store_inventory_changed')
              THEN rtrim(retrieved_at, 'Z') END) AS inventory
          FROM pending_event GROUP BY product
        )
        INSERT INTO product_history
        SELECT touched.product, :publication, touched.events + ifnull(earlier.event_count, 0),
          nullif(max(ifnull(price, ''), ifnull(rtrim(earlier.last_price_change_at, 'Z'), '')) || 'Z', 'Z'),
          nullif(max(ifnull(inventory, ''), ifnull(rtrim(earlier.last_inventory_change_at, 'Z'), '')) || 'Z', 'Z')
        FROM touched LEFT JOIN product_history AS earlier ON earlier.product = touched.product
          AND earlier.publication = (
            SELECT max(publication) FROM product_history WHERE product = touched.product AND publication < :publication
          )
        ORDER BY touched.product`)
      .run({ publication });
  }
}
