import { type Connection, rowQuery } from './connection.ts';
import type { RowOf } from './schema.ts';

/** The counts cover all stores. The counts and the scope are null after a failed attempt. */
export type AttemptRow = Pick<
  RowOf<'retrieval'>,
  'publication' | 'attempted_at' | 'status' | 'scope' | 'reported_positive_store_count' | 'reported_quantity'
>;

type Version = RowOf<'product_version'>;

/** Values of a version that make up a series. They hold from `publication` until the next version. */
export type VersionRow = Pick<Version, 'catalog_presence' | 'price_minor' | 'lifecycle'> & {
  readonly publication: number;
  readonly code: Version['status_code'];
  readonly label: Version['status_label'];
};

export type SeriesLength = { readonly product: number; readonly attempts: number; readonly versions: number };

type Of = { readonly product: number; readonly at: number };

export type PriceRow = Pick<VersionRow, 'publication' | 'price_minor'> & { readonly product: number };

export type SeriesReader = ReturnType<typeof seriesReader>;

/** Reads the rows that series are made from, up to the publication `at`, oldest first. */
export function seriesReader(connection: Connection, at: number) {
  const attempts = connection.prepare<[Of], AttemptRow>(`
    SELECT publication, attempted_at, status, scope, reported_positive_store_count, reported_quantity FROM retrieval
    WHERE product = +:product AND publication <= +:at ORDER BY publication`);
  const versions = connection.prepare<[Of], VersionRow>(`
    SELECT first_publication AS publication, catalog_presence, price_minor, status_code AS code,
      status_label AS label, lifecycle
    FROM product_version WHERE product = +:product AND first_publication <= +:at ORDER BY first_publication`);
  const lengths = connection.prepare<[Omit<Of, 'product'>], SeriesLength>(`
    SELECT product.product,
      (SELECT count(*) FROM retrieval AS r WHERE r.product = product.product AND r.publication <= :at) AS attempts,
      (SELECT count(*) FROM product_version AS v
        WHERE v.product = product.product AND v.first_publication <= :at) AS versions
    FROM product ORDER BY product.product`);
  const prices = rowQuery<[Omit<Of, 'product'>], PriceRow>(
    connection,
    `SELECT product, first_publication AS publication, price_minor FROM product_version
    WHERE first_publication <= :at ORDER BY product, first_publication`,
  );
  return {
    /** The prices, product by product. */
    prices: () => prices({ at }),
    attempts: (product: number) => attempts.all({ product, at }),
    versions: (product: number) => versions.all({ product, at }),
    /** The lengths of the series by product, up to the publication `last`. */
    lengths: (last: number) => new Map(lengths.all({ at: last }).map((row) => [row.product, row])),
  };
}
