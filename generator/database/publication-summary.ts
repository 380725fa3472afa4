import { usualProfile } from '../../contract/profile.ts';
import type { ChangeType } from '../../contract/vocabulary.ts';
import { type Connection, firstValue } from './connection.ts';
import { hasNewStoreVersion } from './entity-writers.ts';
import { allFieldCounts, positiveRowCount } from './field-moves.ts';
import { databaseProfile, type Publication } from './publications.ts';

/** `line` and `reason` belong to the first of the rows. */
export type SetAsideRows = {
  readonly file: string;
  readonly rows: number;
  readonly line: number | null;
  readonly reason: string;
};

export type PublicationSummary = ReturnType<typeof publicationSummary>;

export function publicationSummary(connection: Connection, publication: Publication) {
  const { sequence } = publication;
  const events = eventCounts(connection, publication);
  const { succeeded, failed, pairs } = retrievalCounts(connection, sequence);
  const changed = (...of: ChangeType[]) => of.some((type) => type in events);
  const unchanged = {
    products:
      publication.catalog_publication === sequence &&
      !changed('product_first_observed', 'price_changed', 'status_changed') &&
      !changed('catalog_presence_changed', 'product_presentation_changed'),
    stores:
      publication.directory_publication === sequence &&
      publication.store_count > 0 &&
      !hasNewStoreVersion(connection, sequence),
    inventory:
      succeeded > 0 &&
      publication.sequence > 1 &&
      !changed('store_inventory_changed', 'store_inventory_first_observed', 'aggregate_inventory_changed'),
  };
  return {
    ...allFieldCounts(connection, sequence),
    /** `pairs_checked`: the pairs of a product and a store that the retrievals covered. */
    retrievals: { succeeded, failed },
    pairs_checked: pairs,
    events,
    set_aside: setAsideRows(connection, sequence),
    /** Parts that were delivered and changed nothing. */
    unchanged_parts: (['products', 'stores', 'inventory'] as const).filter((part) => unchanged[part]),
  };
}

function eventCounts(connection: Connection, publication: Publication): Partial<Record<ChangeType, number>> {
  const rows = connection.prepare<[EventSpan], [ChangeType, number]>(
    'SELECT type, count(*) FROM event WHERE number BETWEEN :first AND :last GROUP BY type ORDER BY type',
  );
  return Object.fromEntries(rows.raw().all(eventSpan(connection, publication)));
}

export type EventSpan = { readonly first: number; readonly last: number };

export function eventSpan(connection: Connection, { sequence, last_event }: Publication): EventSpan {
  const before = firstValue(connection, 'SELECT last_event FROM publication WHERE sequence = ?', sequence - 1);
  return { first: (before ?? 0) + 1, last: last_event };
}

function retrievalCounts(connection: Connection, sequence: number) {
  const counts = connection
    .prepare<[number], { succeeded: number; failed: number; pairs: number }>(`
      WITH sized AS MATERIALIZED (SELECT scope, count(*) AS stores FROM inventory_scope_store GROUP BY scope)
      SELECT count(*) FILTER (WHERE status = 'succeeded') AS succeeded,
        count(*) FILTER (WHERE status = 'failed') AS failed, ifnull(sum(stores), 0) AS pairs
      FROM retrieval LEFT JOIN sized USING (scope) WHERE publication = ?`)
    .get(sequence);
  return counts ?? { succeeded: 0, failed: 0, pairs: 0 };
}

function setAsideRows(connection: Connection, sequence: number): SetAsideRows[] {
  return connection
    .prepare<[number], SetAsideRows>(`
      SELECT file, count(*) AS rows, min(ifnull(line, 0)) AS _, line, reason FROM quarantined_row
      WHERE publication = ? GROUP BY file ORDER BY file`)
    .all(sequence)
    .map(({ file, rows, line, reason }) => ({ file, rows, line, reason }));
}

export type NamedProduct = { readonly sku: string; readonly name: string };
export type Move = NamedProduct & { readonly before: number | null; readonly now: number | null };

const mostOfEach = 10;

/** Stores that keep less than a tenth of their positive rows, of at least ten, by code. */
function emptiedStores(connection: Connection, span: EventSpan) {
  const lost = connection
    .prepare<[EventSpan], { readonly key: number; readonly store: string | null; readonly lost: number }>(`
      SELECT place.store AS key, inventory_store_code AS store, count(*) AS lost
      FROM event JOIN store_version AS place ON place.version = store_version
      WHERE number BETWEEN :first AND :last AND type = 'store_inventory_changed'
        AND ifnull(json_extract(change, '$.current.reported_quantity'), 0) = 0
      GROUP BY key HAVING lost >= 10 ORDER BY store`)
    .all(span);
  return lost
    .map(({ key, store, lost: gone }) => ({ store, rows: positiveRowCount(connection, key), gone }))
    .filter(({ rows, gone }) => rows * 10 < rows + gone)
    .map(({ store, rows, gone }) => ({ store, before: rows + gone, now: rows }));
}

export type PublicationDetails = ReturnType<typeof publicationDetails>;

export function publicationDetails(connection: Connection, publication: Publication) {
  const span = eventSpan(connection, publication);
  const select = <Row>(columns: string, condition: string, order: string) =>
    connection
      .prepare<[EventSpan], Row>(`
        SELECT sku, named.name, ${columns} FROM event
          JOIN product USING (product) JOIN product_version AS named ON named.version = product_version
          LEFT JOIN store_version AS place ON place.version = store_version
        WHERE number BETWEEN :first AND :last AND ${condition} ORDER BY ${order} LIMIT ${mostOfEach}`)
      .all(span);
  const moved = (value: string) => `json_extract(change, '$.previous.${value}') AS before,
    json_extract(change, '$.current.${value}') AS now`;
  const products = (condition: string) =>
    select<NamedProduct & { number: number }>('number', condition, 'sku').map(({ sku, name }) => ({ sku, name }));
  return {
    currency: (databaseProfile(connection) ?? usualProfile).currency,
    /** The new products, by SKU. */
    new_products: products(`type = 'product_first_observed'`),
    gone_products: products(`type = 'catalog_presence_changed' AND json_extract(change, '$.current') = 'absent'`),
    emptied_stores: emptiedStores(connection, span).slice(0, mostOfEach),
    /**
     * Prices in the minor unit of the currency, and null for no price. Lost prices come first, then the largest
     * factors.
     */
    price_moves: select<Move>(
      moved('amount_minor'),
      `type = 'price_changed'`,
      'now IS NULL DESC, max(before, now) * 1.0 / max(min(before, now), 1) DESC, sku',
    ),
    /** Quantities, and null for no row. The largest differences come first. */
    quantity_moves: select<Move & { readonly store: string | null }>(
      `inventory_store_code AS store, ${moved('reported_quantity')}`,
      `type = 'store_inventory_changed'`,
      'abs(coalesce(now, 0) - coalesce(before, 0)) DESC, sku, store',
    ),
  };
}
