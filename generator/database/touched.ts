import type { Connection, Statement } from './connection.ts';

/** The publications after `after`, up to and including `upTo`. */
export type Run = { readonly after: number; readonly upTo: number };

/** Instants as UTC text without the final Z: from `from` on, before `before`. */
export type Window = { readonly from: string; readonly before: string };

const isIn = (column: string) => `(${column} > :after AND ${column} <= :upTo)`;

/** A query for the keys of the products that have an attempt or a version of a run: whatever is written about one has either. */
export const writtenProducts = `
  SELECT product FROM retrieval WHERE ${isIn('publication')}
  UNION SELECT product FROM product_version WHERE ${isIn('first_publication')}`;

/**
 * Finds what changed over a run of publications, by product key or family id. Every query takes time in proportion to
 * what changed and to the number of publications, not to the size of the catalog: only the curation's own tables
 * (families, brands, former SKUs) are read whole.
 *
 * Two indexes answer all of it, because whatever `publish` writes about a product comes with an attempt to retrieve its
 * inventory (rows, older observations, events of inventory) or with a version of it (events of the catalog).
 */
export class TouchedReader {
  readonly #written: Statement<[Run], number>;
  readonly #renamed: Statement<[Run], number>;
  readonly #observed: Statement<[Window & { readonly at: number }], number>;
  readonly #recurated: Statement<[Run], string>;
  readonly #familiesOf: Statement<[Run & { readonly products: string }], string>;

  constructor(connection: Connection) {
    this.#written = connection.prepare<[Run], number>(`${writtenProducts} ORDER BY product`).pluck();
    this.#renamed = connection
      .prepare<[Run], number>(`
        WITH code AS (SELECT DISTINCT former_sku FROM former_sku WHERE ${beginsOrEnds})
        SELECT DISTINCT product.product
        FROM code CROSS JOIN former_sku USING (former_sku) CROSS JOIN product USING (sku)
        ORDER BY product.product`)
      .pluck();
    this.#observed = connection
      .prepare<[Window & { readonly at: number }], number>(`
        SELECT DISTINCT retrieval.product
        FROM publication CROSS JOIN retrieval ON retrieval.publication = publication.sequence
        WHERE sequence <= :at AND retrieved_at >= :from AND retrieved_at < :before AND (
          publication = (
            SELECT last_success FROM retrieval AS latest
            WHERE latest.product = retrieval.product AND latest.publication <= :at
            ORDER BY latest.publication DESC LIMIT 1
          )
          OR EXISTS (
            SELECT 1 FROM older_observation AS older
            WHERE older.product = retrieval.product AND older.observed_publication = retrieval.publication
              AND ${holdsAt('older', ':at')}
          )
        )
        ORDER BY retrieval.product`)
      .pluck();
    this.#recurated = connection
      .prepare<[Run], string>(`
        WITH brand AS (SELECT DISTINCT slug FROM brand_version WHERE ${beginsOrEnds})
        SELECT DISTINCT id FROM family_version WHERE ${beginsOrEnds} OR brand_slug IN brand ORDER BY id`)
      .pluck();
    this.#familiesOf = connection
      .prepare<[Run & { readonly products: string }], string>(`
        SELECT DISTINCT family_id
        FROM json_each(:products) AS key CROSS JOIN product_version ON product_version.product = key.value
        WHERE family_id IS NOT NULL
          AND (${holdsAt('product_version', ':after')} OR ${holdsAt('product_version', ':upTo')})
        ORDER BY family_id`)
      .pluck();
  }

  /** Products that have an attempt or a version of the run. */
  written(run: Run): number[] {
    return this.#written.all(run);
  }

  /** Products that got or lost a former SKU, or that have one which another product got or lost. */
  renamed(run: Run): number[] {
    return this.#renamed.all(run);
  }

  /** Products of which some observation that stands at publication `at` was retrieved in the window. */
  observed(at: number, window: Window): number[] {
    return this.#observed.all({ at, ...window });
  }

  /** Families whose own row, or that of whose brand, begins or ends in the run. */
  recurated(run: Run): string[] {
    return this.#recurated.all(run);
  }

  /** Families that products are in before or after the run. */
  familiesOf(products: Iterable<number>, run: Run): string[] {
    return this.#familiesOf.all({ ...run, products: JSON.stringify([...products]) });
  }
}

/** Whether a version differs between the states before and after the run. */
const beginsOrEnds = `(${isIn('first_publication')} OR (last_publication >= :after AND last_publication < :upTo))`;

const holdsAt = (table: string, at: string) =>
  `(${table}.first_publication <= ${at} AND ifnull(${table}.last_publication >= ${at}, true))`;
