import type { DailyRow } from '../../contract/columns/history-tables.ts';
import { type Connection, rowQuery } from './connection.ts';
import { holds, lastRetrievals, overlaps, type Publications } from './product-state.ts';
import type { RowOf } from './schema.ts';

/** Columns from the publication, from the product's version in force, and from its last retrievals. */
type PublicationColumns = Pick<DailyRow, 'publication' | 'publication_revision' | 'published_at'>;
type VersionColumns = Pick<
  DailyRow,
  'name' | 'brand' | 'catalog_presence' | 'price_amount_minor' | 'status_code' | 'lifecycle'
>;

const versionColumns =
  'v.name, v.brand_name AS brand, v.catalog_presence, v.price_minor AS price_amount_minor, v.status_code, v.lifecycle';

type StoredRow = Omit<DailyRow, 'inventory_attempted' | 'inventory_observed'> & {
  readonly attempted: number;
  readonly observed: number;
};

type SpanOf<Row> = Row & { readonly first: number; readonly last: number | null };

type RetrievalRow = Pick<
  RowOf<'retrieval'>,
  'publication' | 'last_success' | 'retrieved_at' | 'reported_positive_store_count' | 'reported_quantity'
>;

export type DailyReader = ReturnType<typeof dailyReader>;

/** Reads the products that were listed up to a publication, with the values in force then. */
export function dailyReader(connection: Connection) {
  const rows = rowQuery<[{ readonly at: number }], StoredRow>(
    connection,
    `SELECT publication.sequence AS publication, publication.revision AS publication_revision, publication.published_at,
      p.id AS product_id, p.sku AS agency_sku, ${versionColumns},
      ifnull(attempt.publication = :at, 0) AS attempted, ifnull(success.publication = :at, 0) AS observed,
      success.retrieved_at AS inventory_retrieved_at, success.reported_positive_store_count AS positive_store_count,
      success.reported_quantity
    FROM product AS p JOIN publication ON publication.sequence = :at
      JOIN product_version AS v ON v.product = p.product AND ${holds('v')}
      ${lastRetrievals}
    ORDER BY p.sku`,
  );
  const products = connection.prepare<[], Pick<RowOf<'product'>, 'product' | 'id' | 'sku'>>(
    'SELECT product, id, sku FROM product ORDER BY sku',
  );
  const publications = connection.prepare<[Publications], PublicationColumns>(`
    SELECT sequence AS publication, revision AS publication_revision, published_at
    FROM publication WHERE sequence BETWEEN :first AND :last ORDER BY sequence`);
  type Of = Publications & { readonly product: number };
  const versions = rowQuery<[Of], SpanOf<VersionColumns>>(
    connection,
    `SELECT first_publication AS first, last_publication AS last, ${versionColumns} FROM product_version AS v
    WHERE product = +:product AND ${overlaps('v')} ORDER BY first_publication`,
  );
  // Of the retrievals before the first publication, those from the last success on are needed.
  const retrievals = rowQuery<[Of], RetrievalRow>(
    connection,
    `SELECT publication, last_success, retrieved_at, reported_positive_store_count, reported_quantity FROM retrieval
    WHERE product = +:product AND publication <= +:last AND publication >= ifnull(
      (SELECT ifnull(last_success, publication) FROM retrieval WHERE product = +:product AND publication <= +:first
        ORDER BY publication DESC LIMIT 1), 0)
    ORDER BY publication`,
  );
  return {
    /** The products at one publication, by SKU. */
    *at(at: number): Generator<DailyRow> {
      for (const { attempted, observed, ...row } of rows({ at }))
        yield { ...row, inventory_attempted: attempted === 1, inventory_observed: observed === 1 };
    },
    /** The products at each of some consecutive publications, by SKU and then publication. */
    *history(span: Publications): Generator<DailyRow> {
      const all = publications.all(span);
      for (const { product, id, sku } of products.all()) {
        const of = { ...span, product };
        yield* rowsOfProduct({ product_id: id, agency_sku: sku }, all, versions(of), retrievals(of));
      }
    },
  };
}

/** All arguments are ordered by publication. */
function* rowsOfProduct(
  product: Pick<DailyRow, 'product_id' | 'agency_sku'>,
  publications: readonly PublicationColumns[],
  versions: readonly SpanOf<VersionColumns>[],
  retrievals: readonly RetrievalRow[],
): Generator<DailyRow> {
  const [restVersions, restRetrievals] = [versions.values(), retrievals.values()];
  let [version, nextVersion] = [restVersions.next().value, restVersions.next().value];
  let attempt: RetrievalRow | undefined;
  let success: RetrievalRow | undefined;
  let nextAttempt = restRetrievals.next().value;
  for (const { publication, publication_revision, published_at } of publications) {
    while (nextVersion && nextVersion.first <= publication) {
      version = nextVersion;
      nextVersion = restVersions.next().value;
    }
    while (nextAttempt && nextAttempt.publication <= publication) {
      attempt = nextAttempt;
      if (attempt.last_success === attempt.publication) success = attempt;
      nextAttempt = restRetrievals.next().value;
    }
    if (!version || version.first > publication || (version.last ?? publication) < publication) continue;
    yield {
      publication,
      publication_revision,
      published_at,
      ...product,
      name: version.name,
      brand: version.brand,
      catalog_presence: version.catalog_presence,
      price_amount_minor: version.price_amount_minor,
      status_code: version.status_code,
      lifecycle: version.lifecycle,
      inventory_attempted: attempt?.publication === publication,
      inventory_observed: success?.publication === publication,
      inventory_retrieved_at: success?.retrieved_at ?? null,
      positive_store_count: success?.reported_positive_store_count ?? null,
      reported_quantity: success?.reported_quantity ?? null,
    };
  }
}
