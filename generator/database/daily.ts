import type { DailyRecord } from '../contract/formats/parquet.ts';
import type { Connection, Statement } from './connection.ts';

/** The publications after `after`, up to and including `upTo`. */
type Run = { readonly after: number; readonly upTo: number };

const isIn = (column: string) => `(${column} > :after AND ${column} <= :upTo)`;

/** A query for the keys of the products that have an attempt or a version of a run: whatever is written about one has either. */
const writtenProducts = `
  SELECT product FROM retrieval WHERE ${isIn('publication')}
  UNION SELECT product FROM product_version WHERE ${isIn('first_publication')}`;

/** What was in force of a product. */
export type DailyRow = Omit<
  DailyRecord,
  'publication' | 'publication_revision' | 'published_at' | 'inventory_attempted' | 'inventory_observed'
>;

/** The columns of a row that say what the publication itself did. */
type Inventory = Pick<DailyRecord, 'inventory_attempted' | 'inventory_observed'>;

/** A product at a publication. `row` is the same object as long as nothing of it changes. */
type DailyProduct = { readonly row: DailyRow; readonly inventory: Inventory };

type StoredRow = DailyRow & {
  readonly product: number;
  readonly last_publication: number | null;
  readonly attempted: number;
  readonly observed: number;
};

const untouched: Inventory = { inventory_attempted: false, inventory_observed: false };
const failed: Inventory = { inventory_attempted: true, inventory_observed: false };
const succeeded: Inventory = { inventory_attempted: true, inventory_observed: true };

/** What was in force at a publication of the products that a condition picks. */
const inForce = (condition: string) => `
  SELECT p.product, v.last_publication, p.sku AS agency_sku, v.catalog_presence,
    v.price_minor AS price_amount_minor, v.price_minor AS price_amount, v.status_code, v.lifecycle,
    ifnull(attempt.publication = :at, 0) AS attempted, ifnull(success.publication = :at, 0) AS observed,
    success.retrieved_at AS inventory_retrieved_at, success.reported_positive_store_count AS positive_store_count,
    success.reported_quantity
  FROM product AS p
    JOIN product_version AS v ON v.product = p.product AND v.first_publication <= :at
      AND (v.last_publication IS NULL OR v.last_publication >= :at)
    LEFT JOIN retrieval AS attempt ON attempt.product = p.product AND attempt.publication =
      (SELECT max(publication) FROM retrieval WHERE product = p.product AND publication <= :at)
    LEFT JOIN retrieval AS success ON success.product = p.product AND success.publication = attempt.last_success
  WHERE ${condition}
  ORDER BY p.sku`;

/** Reads what was in force of every product at publications. */
export class DailyReader {
  readonly #products: Statement<[], { readonly product: number }>;
  readonly #all: Statement<[{ at: number }], StoredRow>;
  readonly #touched: Statement<[Run & { readonly at: number }], StoredRow>;

  constructor(connection: Connection) {
    this.#products = connection.prepare('SELECT product FROM product ORDER BY sku');
    this.#all = connection.prepare(inForce('true'));
    this.#touched = connection.prepare(inForce(`p.product IN (${writtenProducts})`));
  }

  /**
   * The products that were listed up to each of some publications, by code. `publications`: in ascending order. Of each but the
   * first, only the products are read that a publication since the one before touched.
   */
  *days(
    publications: readonly number[],
  ): Generator<{ readonly publication: number; readonly products: DailyProduct[] }> {
    const places = new Map(this.#products.all().map(({ product }, place) => [product, place]));
    const rows: (StoredRow | undefined)[] = Array.from(places, () => undefined);
    let after = 0;
    for (const at of publications) {
      const touched = new Set(after === 0 ? this.#all.iterate({ at }) : this.#touched.iterate({ after, upTo: at, at }));
      for (const row of touched) rows[places.get(row.product) ?? -1] = row;
      yield {
        publication: at,
        products: rows.flatMap((row) =>
          row === undefined || (row.last_publication ?? at) < at
            ? []
            : { row, inventory: touched.has(row) ? inventoryOf(row) : untouched },
        ),
      };
      after = at;
    }
  }
}

function inventoryOf({ attempted, observed }: StoredRow): Inventory {
  return attempted === 0 ? untouched : observed === 0 ? failed : succeeded;
}
