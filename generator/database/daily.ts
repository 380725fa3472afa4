import type { DailyRow } from '../../contract/formats/parquet.ts';
import { type Connection, rowQuery } from './connection.ts';
import { holds, lastRetrievals } from './product-state.ts';

type StoredRow = Omit<DailyRow, 'inventory_attempted' | 'inventory_observed'> & {
  readonly attempted: number;
  readonly observed: number;
};

export type DailyReader = ReturnType<typeof dailyReader>;

/** Reads every product that was listed up to a publication, with the values in force then, by SKU. */
export function dailyReader(connection: Connection) {
  const rows = rowQuery<[{ readonly at: number }], StoredRow>(
    connection,
    `SELECT publication.sequence AS publication, publication.revision AS publication_revision, publication.published_at,
      p.sku AS agency_sku, v.name, v.brand_name AS brand, v.catalog_presence, v.price_minor AS price_amount_minor, v.status_code, v.lifecycle,
      ifnull(attempt.publication = :at, 0) AS attempted, ifnull(success.publication = :at, 0) AS observed,
      success.retrieved_at AS inventory_retrieved_at, success.reported_positive_store_count AS positive_store_count,
      success.reported_quantity
    FROM product AS p JOIN publication ON publication.sequence = :at
      JOIN product_version AS v ON v.product = p.product AND ${holds('v')}
      ${lastRetrievals}
    ORDER BY p.sku`,
  );
  return function* (at: number): Generator<DailyRow> {
    for (const { attempted, observed, ...row } of rows({ at }))
      yield { ...row, inventory_attempted: attempted === 1, inventory_observed: observed === 1 };
  };
}
