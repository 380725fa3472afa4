import type { DailyRecord } from '../contract/formats/parquet.ts';
import type { Connection } from './connection.ts';

type DailyRow = {
  readonly agency_sku: string;
  readonly catalog_presence: DailyRecord['catalog_presence'];
  readonly price_amount_minor: number | null;
  readonly status_code: string;
  readonly lifecycle: DailyRecord['lifecycle'];
  readonly attempted: number;
  readonly observed: number;
  readonly inventory_retrieved_at: string | null;
  readonly positive_store_count: number | null;
  readonly reported_quantity: number | null;
};

/** Reads what was in force of every product at each publication. */
export class DailyReader {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** A row for each product listed up to a publication, by code. */
  rows(publication: number): IterableIterator<DailyRow> {
    return this.#connection
      .prepare<[{ at: number }], DailyRow>(`
        SELECT p.sku AS agency_sku, v.catalog_presence, v.price_minor AS price_amount_minor, v.status_code, v.lifecycle,
          ifnull(attempt.publication = :at, 0) AS attempted, ifnull(success.publication = :at, 0) AS observed,
          success.retrieved_at AS inventory_retrieved_at, success.reported_positive_store_count AS positive_store_count,
          success.reported_quantity
        FROM product AS p
          JOIN product_version AS v ON v.product = p.product AND v.first_publication <= :at
            AND (v.last_publication IS NULL OR v.last_publication >= :at)
          LEFT JOIN retrieval AS attempt ON attempt.product = p.product AND attempt.publication =
            (SELECT max(publication) FROM retrieval WHERE product = p.product AND publication <= :at)
          LEFT JOIN retrieval AS success ON success.product = p.product AND success.publication = attempt.last_success
        ORDER BY p.sku`)
      .iterate({ at: publication });
  }
}
