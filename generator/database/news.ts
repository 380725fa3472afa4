import type { ChangeType } from '../../contract/vocabulary.ts';
import { type Connection, rowQuery } from './connection.ts';
import type { EventProductRow } from './events.ts';
import type { RowOf } from './schema.ts';

/** Their events are always news. */
const newsTypes = [
  'product_first_observed',
  'price_changed',
  'status_changed',
  'catalog_presence_changed',
] as const satisfies readonly ChangeType[];

export type NewsType = (typeof newsTypes)[number] | 'aggregate_inventory_changed';

/** `change` is the JSON of the payload. */
export type NewsRow = EventProductRow &
  Pick<RowOf<'event'>, 'number' | 'publication' | 'id' | 'retrieved_at' | 'change'> &
  Pick<RowOf<'product_version'>, 'package_display'> & { readonly type: NewsType };

export type NewsNumber = Pick<RowOf<'event'>, 'number' | 'product'>;

export type NewsReader = ReturnType<typeof newsReader>;

/**
 * Reads the events that are news to a person: those of the catalog, and changes of the sum over all stores from or to
 * zero. Other quantities change every night.
 */
export function newsReader(connection: Connection) {
  const types = newsTypes.map((type) => `'${type}'`).join(', ');
  const numbers = rowQuery<[first: number, last: number], NewsNumber>(
    connection,
    `SELECT number, product FROM event WHERE number BETWEEN ? AND ? AND (type IN (${types})
      OR (type = 'aggregate_inventory_changed'
        AND (change ->> '$.previous.reported_quantity' = 0) <> (change ->> '$.current.reported_quantity' = 0)))
    ORDER BY number DESC`,
  );
  const rows = rowQuery<[numbers: string], NewsRow>(
    connection,
    `SELECT number, event.publication, event.id, type, retrieved_at, change, product.id AS product_id, product.sku,
      product_version.name AS product_name, product_version.brand_name, product_version.package_display
    FROM event JOIN product_version ON product_version.version = event.product_version
      JOIN product ON product.product = event.product
    WHERE number IN (SELECT value FROM json_each(?)) ORDER BY number DESC`,
  );
  return {
    /** The numbers of the events, newest first. */
    numbers,
    rows: (numbers: readonly number[]) => rows(JSON.stringify(numbers)),
  };
}
