import type { Connection, Statement } from './connection.ts';

/** An attempt to retrieve a product's inventory. The counts are null after a failure, and over all stores else. */
export type AttemptRow = {
  readonly publication: number;
  readonly attempted_at: string;
  readonly status: 'succeeded' | 'failed';
  readonly reported_positive_store_count: number | null;
  readonly reported_quantity: number | null;
};

/** What a version of a product says that changes over time. It holds from `publication` until the next one. */
export type VersionRow = {
  readonly publication: number;
  readonly catalog_presence: 'listed' | 'absent';
  readonly price_minor: number | null;
  readonly code: string;
  readonly label: string;
  readonly lifecycle: string;
};

/** How many attempts and versions a product has up to a publication. */
export type SeriesLength = { readonly product: number; readonly attempts: number; readonly versions: number };

type Of = [{ readonly product: number; readonly at: number }];

/** Rows as arrays, in the order of the columns. Arrays take less time than objects to read. */
type RawAttempt = [number, string, AttemptRow['status'], number | null, number | null];
type RawVersion = [number, VersionRow['catalog_presence'], number | null, string, string, string];

/** Reads how products changed over the publications up to `at`, oldest first. */
export class SeriesReader {
  readonly #at: number;
  readonly #attempts: Statement<Of, RawAttempt>;
  readonly #versions: Statement<Of, RawVersion>;
  readonly #lengths: Statement<[{ readonly at: number }], SeriesLength>;

  constructor(connection: Connection, at: number) {
    this.#at = at;
    this.#attempts = connection
      .prepare<Of, RawAttempt>(`
        SELECT publication, attempted_at, status, reported_positive_store_count, reported_quantity FROM retrieval
        WHERE product = :product AND publication <= :at ORDER BY publication`)
      .raw();
    this.#versions = connection
      .prepare<Of, RawVersion>(`
        SELECT first_publication, catalog_presence, price_minor, status_code, status_label, lifecycle
        FROM product_version WHERE product = :product AND first_publication <= :at ORDER BY first_publication`)
      .raw();
    this.#lengths = connection.prepare(`
      SELECT product.product,
        (SELECT count(*) FROM retrieval AS r WHERE r.product = product.product AND r.publication <= :at) AS attempts,
        (SELECT count(*) FROM product_version AS v
          WHERE v.product = product.product AND v.first_publication <= :at) AS versions
      FROM product ORDER BY product.product`);
  }

  attempts(product: number): AttemptRow[] {
    return this.#attempts.all({ product, at: this.#at }).map((row) => ({
      publication: row[0],
      attempted_at: row[1],
      status: row[2],
      reported_positive_store_count: row[3],
      reported_quantity: row[4],
    }));
  }

  versions(product: number): VersionRow[] {
    return this.#versions.all({ product, at: this.#at }).map((row) => ({
      publication: row[0],
      catalog_presence: row[1],
      price_minor: row[2],
      code: row[3],
      label: row[4],
      lifecycle: row[5],
    }));
  }

  /** By product, how many attempts and versions are of a publication up to `last`. */
  lengths(last: number): Map<number, SeriesLength> {
    return new Map(this.#lengths.all({ at: last }).map((row) => [row.product, row]));
  }
}
