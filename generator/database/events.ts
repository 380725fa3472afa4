import { earlierOf, type InstantSpan, laterOf } from '../../contract/instant.ts';
import type { ChangeType } from '../../contract/vocabulary.ts';
import { type Connection, rowQuery } from './connection.ts';
import { columnNames, type RowOf } from './schema.ts';
import { batchInserter } from './table-writers.ts';

/** A product as an event names it, with its name at that time. */
export type EventProductRow = Pick<RowOf<'product'>, 'sku'> &
  Pick<RowOf<'product_version'>, 'brand_name'> & { readonly product_id: string; readonly product_name: string };

const eventProduct =
  'product.id AS product_id, product.sku, product_version.name AS product_name, product_version.brand_name';

/** A store as an event names it, with its name at that time. */
export type EventStoreRow = Pick<RowOf<'store_version'>, 'inventory_store_code'> & {
  readonly store_id: string;
  readonly store_name: string;
};

/** An event. Events of one version of a product or store share the object. `change` is the JSON of the payload. */
export type EventRow = Pick<
  RowOf<'event'>,
  'number' | 'publication' | 'id' | 'type' | 'retrieved_at' | 'source_updated_at' | 'change'
> & { readonly product: EventProductRow; readonly store: EventStoreRow | null };

/** The oldest and the newest retrieval of a run of events, and how many events have a source update time. */
export type EventSpanRow = InstantSpan & { readonly dated: number };

const events = `
  SELECT number, publication, id, type, retrieved_at, source_updated_at, change, product_version, store_version
  FROM event`;

type RawEvent = [
  number: number,
  publication: number,
  id: string,
  type: ChangeType,
  retrieved_at: string,
  source_updated_at: string | null,
  change: string,
  product_version: number,
  store_version: number | null,
];

type Run = [first: number, last: number];

export type EventReader = ReturnType<typeof eventReader>;

/** A run is given by the numbers of its first and its last event. */
export function eventReader(connection: Connection) {
  const spanQuery = connection.prepare<Run, EventSpanRow>(`
    SELECT min(rtrim(retrieved_at, 'Z')) || 'Z' AS min, max(rtrim(retrieved_at, 'Z')) || 'Z' AS max,
      count(source_updated_at) AS dated
    FROM event WHERE number BETWEEN +? AND +?`);
  const productOf = versionReader<EventProductRow>(
    connection,
    `SELECT ${eventProduct} FROM product_version JOIN product USING (product) WHERE version = +?`,
  );
  const storeOf = versionReader<EventStoreRow>(
    connection,
    `SELECT store.id AS store_id, inventory_store_code, name AS store_name
    FROM store_version JOIN store USING (store) WHERE version = +?`,
  );
  const rowFrom = ([number, publication, id, type, retrieved_at, source_updated_at, change, ...of]: RawEvent) => {
    const [product, store] = of;
    return {
      ...{ number, publication, id, type, retrieved_at, source_updated_at, change },
      ...{ product: productOf(product), store: store === null ? null : storeOf(store) },
    };
  };
  const range = connection.prepare<Run, RawEvent>(`${events} WHERE number BETWEEN +? AND +? ORDER BY number`).raw();
  const ofProduct = connection
    .prepare<[product: number, ...Run], RawEvent>(
      `${events} WHERE product = +? AND number BETWEEN +? AND +? ORDER BY number`,
    )
    .raw();
  return {
    range: (...run: Run): EventRow[] => range.all(...run).map(rowFrom),
    /** The events of a product in a run, oldest first. */
    ofProduct: (product: number, ...run: Run): EventRow[] => ofProduct.all(product, ...run).map(rowFrom),
    productsIn: rowQuery<Run, Pick<RowOf<'event'>, 'product'>>(
      connection,
      'SELECT DISTINCT product FROM event WHERE number BETWEEN +? AND +?',
    ),
    span: (...run: Run) => spanQuery.get(...run) ?? { min: null, max: null, dated: 0 },
  };
}

/** How many versions stay in memory. */
const keptVersions = 50_000;

/** Reads the product or store of an event by its version. Many events share a version, so each is read once. */
function versionReader<Row>(connection: Connection, sql: string): (version: number) => Row {
  const statement = connection.prepare<[version: number], Row>(sql);
  const known = new Map<number, Row>();
  return (version) => {
    const kept = known.get(version);
    if (kept !== undefined) return kept;
    const row = statement.get(version);
    if (row === undefined) throw new Error(`no version ${version}`);
    if (known.size === keptVersions) known.clear();
    known.set(version, row);
    return row;
  };
}

export type TypeCountRow = { readonly publication: number; readonly type: ChangeType; readonly event_count: number };

/** A product as its newest event names it, and the number of its events. */
export type ProductCountRow = EventProductRow & { readonly event_count: number };

export type PriceMoveRow = EventProductRow & { readonly previous_minor: number; readonly current_minor: number };

export type ActivityReader = ReturnType<typeof activityReader>;

/** A run is given by the numbers of its first and its last event. */
export function activityReader(connection: Connection) {
  const types = connection.prepare<Run, TypeCountRow>(`
    SELECT publication, type, count(*) AS event_count FROM event WHERE number BETWEEN ? AND ?
    GROUP BY publication, type ORDER BY publication, type`);
  const products = connection.prepare<[...Run, number], ProductCountRow>(`
    SELECT ${eventProduct}, event_count FROM (
      SELECT product, max(product_version) AS product_version, count(*) AS event_count FROM event
      WHERE number BETWEEN ? AND ? AND type NOT IN ('product_first_observed', 'store_inventory_first_observed')
      GROUP BY product ORDER BY event_count DESC, product LIMIT ?) AS event
      JOIN product_version ON product_version.version = event.product_version
      JOIN product ON product.product = event.product
    ORDER BY event_count DESC, event.product`);
  const prices = connection.prepare<Run, PriceMoveRow>(`
    SELECT ${eventProduct}, change ->> '$.previous.amount_minor' AS previous_minor,
      change ->> '$.current.amount_minor' AS current_minor
    FROM event JOIN product_version ON product_version.version = event.product_version
      JOIN product ON product.product = event.product
    WHERE number BETWEEN ? AND ? AND type = 'price_changed' AND previous_minor <> current_minor ORDER BY number`);
  return {
    types: (...run: Run) => types.all(...run),
    /** The products with the most events. First observations are not changes, so they are not counted. */
    products: (first: number, last: number, limit: number) => products.all(first, last, limit),
    prices: (...run: Run) => prices.all(...run),
  };
}

/** An event of the publication in progress, before it has a number. */
export type PendingEvent = Omit<RowOf<'event'>, 'number' | 'publication'>;

export type PublishedEvents = Pick<
  RowOf<'publication'>,
  'last_event' | 'events_retrieved_min' | 'events_retrieved_max' | 'events_with_source_time'
>;

const pendingColumns = columnNames('event').filter((name) => name !== 'number' && name !== 'publication');
const pendingList = pendingColumns.join(', ');

export type EventLog = ReturnType<typeof eventLog>;

/**
 * Collects the events of a publication in a temporary table and appends them to the log in the order of the feed: by
 * retrieval time, then id (contract.md 3). Instants compare without their final Z, so that a second with a fraction
 * sorts after the same second without one.
 */
export function eventLog(connection: Connection) {
  connection.exec(`
    DROP TABLE IF EXISTS temp.pending_event;
    CREATE TEMP TABLE pending_event AS SELECT ${pendingList} FROM event LIMIT 0`);
  const pending = batchInserter<PendingEvent>(connection, 'pending_event', pendingColumns);
  let oldest: string | null = null;
  let newest: string | null = null;
  let dated = 0;
  return {
    add(event: PendingEvent): void {
      oldest = earlierOf(oldest, event.retrieved_at);
      newest = laterOf(newest, event.retrieved_at);
      if (event.source_updated_at !== null) dated += 1;
      pending.add(event);
    },
    /** Appends the collected events to the log, and adds them to the running totals of their products. */
    append(publication: number, lastEvent: number): PublishedEvents {
      pending.flush();
      // SQLite numbers the rows as they are inserted, and continues after the last event.
      const { changes, lastInsertRowid } = connection
        .prepare(`
          INSERT INTO event (publication, ${pendingList}) SELECT ?, ${pendingList}
          FROM pending_event ORDER BY rtrim(retrieved_at, 'Z'), id`)
        .run(publication);
      const last_event = lastEvent + changes;
      if (changes > 0 && Number(lastInsertRowid) !== last_event)
        throw new Error(`event ${last_event} got another number`);
      appendHistory(connection, publication);
      connection.exec('DROP TABLE pending_event');
      return {
        last_event,
        events_retrieved_min: oldest,
        events_retrieved_max: newest,
        events_with_source_time: dated,
      };
    },
  };
}

function appendHistory(connection: Connection, publication: number): void {
  connection
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
