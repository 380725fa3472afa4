import type { Connection, Statement } from './connection.ts';
import type { RowOf } from './schema.ts';

/** An attempt to retrieve a product's inventory. The counts are null after a failure, and over all stores otherwise. */
export type AttemptRow = Pick<
  RowOf<'retrieval'>,
  'publication' | 'attempted_at' | 'status' | 'reported_positive_store_count' | 'reported_quantity'
>;

type Version = RowOf<'product_version'>;

/** What a version of a product says that changes over time. It holds from `publication` until the next one. */
export type VersionRow = Pick<Version, 'catalog_presence' | 'price_minor' | 'lifecycle'> & {
  readonly publication: number;
  readonly code: Version['status_code'];
  readonly label: Version['status_label'];
};

/** How many attempts and versions a product has up to a publication. */
export type SeriesLength = { readonly product: number; readonly attempts: number; readonly versions: number };

type Of = [{ readonly product: number; readonly at: number }];

/** Reads how products changed over the publications up to `at`, oldest first. */
export class SeriesReader {
  readonly #at: number;
  readonly #attempts: Statement<Of, AttemptRow>;
  readonly #versions: Statement<Of, VersionRow>;
  readonly #lengths: Statement<[{ readonly at: number }], SeriesLength>;

  constructor(connection: Connection, at: number) {
    this.#at = at;
    this.#attempts = connection.prepare(`
      SELECT publication, attempted_at, status, reported_positive_store_count, reported_quantity FROM retrieval
      WHERE product = :product AND publication <= :at ORDER BY publication`);
    this.#versions = connection.prepare(`
      SELECT first_publication AS publication, catalog_presence, price_minor, status_code AS code,
        status_label AS label, lifecycle
      FROM product_version WHERE product = :product AND first_publication <= :at ORDER BY first_publication`);
    this.#lengths = connection.prepare(`
      SELECT product.product,
        (SELECT count(*) FROM retrieval AS r WHERE r.product = product.product AND r.publication <= :at) AS attempts,
        (SELECT count(*) FROM product_version AS v
          WHERE v.product = product.product AND v.first_publication <= :at) AS versions
      FROM product ORDER BY product.product`);
  }

  attempts(product: number): AttemptRow[] {
    return this.#attempts.all({ product, at: this.#at });
  }

  versions(product: number): VersionRow[] {
    return this.#versions.all({ product, at: this.#at });
  }

  /** By product, how many attempts and versions are of a publication up to `last`. */
  lengths(last: number): Map<number, SeriesLength> {
    return new Map(this.#lengths.all({ at: last }).map((row) => [row.product, row]));
  }
}
