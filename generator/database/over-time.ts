import { isDeepStrictEqual } from 'node:util';
import type { CategorySpan, CoverageRow, ProductSpan, StoreSpan } from '../../contract/columns/over-time-tables.ts';
import { type Connection, rowQuery } from './connection.ts';
import { holds, overlaps, type Publications } from './product-state.ts';

/** The columns of a span, and the joins that a query of a table of versions `v` needs for them. */
const spanColumns = `v.first_publication,
  CASE WHEN v.last_publication < :last THEN v.last_publication END AS last_publication,
  since.published_at AS valid_from, until.published_at AS valid_to`;
const spanJoins = `JOIN publication AS since ON since.sequence = v.first_publication
  LEFT JOIN publication AS until ON until.sequence = v.last_publication + 1 AND until.sequence <= :last`;

export type OverTimeReader = ReturnType<typeof overTimeReader>;

/** Reads how products, stores and categories changed, and what publications asked. All rows are ordered. */
export function overTimeReader(connection: Connection) {
  const products = rowQuery<[Publications], ProductSpan>(
    connection,
    `SELECT p.sku AS agency_sku, p.id AS product_id, ${spanColumns}, v.name, v.brand_name AS brand, v.category_id,
      v.status_code, v.status_label, v.lifecycle, v.catalog_presence, v.price_minor AS price_amount_minor,
      v.package_display, v.total_milliliters AS package_total_milliliters, v.normalization_state
    FROM product_version AS v JOIN product AS p ON p.product = v.product ${spanJoins} WHERE ${overlaps('v')}
    ORDER BY p.sku, v.first_publication`,
  );
  const stores = rowQuery<[Publications], StoreSpan>(
    connection,
    `SELECT s.id AS store_id, v.inventory_store_code, ${spanColumns}, v.name, v.city, v.postal_code, v.latitude,
      v.longitude, v.access_type, v.operational_state, v.presence_state AS directory_presence_state
    FROM store_version AS v JOIN store AS s ON s.store = v.store ${spanJoins} WHERE ${overlaps('v')}
    ORDER BY s.id, v.first_publication`,
  );
  const categories = rowQuery<[Publications], Omit<CategorySpan, 'active'> & { readonly active: number }>(
    connection,
    `SELECT v.id AS category_id, ${spanColumns}, v.parent_id, v.name, v.active
    FROM category_version AS v ${spanJoins} WHERE ${overlaps('v')} ORDER BY v.id, v.first_publication`,
  );
  const coverage = rowQuery<[Publications], CoverageRow>(
    connection,
    `WITH RECURSIVE category (publication, id, top) AS (
      SELECT p.sequence, c.id, c.id FROM publication AS p JOIN category_version AS c ON ${holds('c', 'p.sequence')}
      WHERE p.sequence BETWEEN :first AND :last AND c.parent_id IS NULL
      UNION ALL
      SELECT above.publication, c.id, above.top FROM category AS above
        JOIN category_version AS c ON c.parent_id = above.id AND ${holds('c', 'above.publication')}
    ), version AS (
      SELECT p.sequence AS publication, v.product, category.top, v.catalog_presence = 'listed' AS is_listed
      FROM publication AS p JOIN product_version AS v ON ${holds('v', 'p.sequence')}
        LEFT JOIN category ON category.publication = p.sequence AND category.id = v.category_id
      WHERE p.sequence BETWEEN :first AND :last
    ), listed AS (
      SELECT publication, top, sum(is_listed) AS listed FROM version GROUP BY publication, top
    ), attempt AS (
      SELECT publication, scope, top, count(*) AS attempts
      FROM retrieval JOIN version USING (product, publication) GROUP BY publication, scope, top
    ), covered AS (
      SELECT DISTINCT publication, store
      FROM (SELECT DISTINCT publication, scope FROM attempt) JOIN inventory_scope_store USING (scope)
    ), asked AS (
      SELECT publication, store, top, attempts AS answered, 0 AS failed
      FROM attempt JOIN inventory_scope_store USING (scope)
      UNION ALL
      SELECT publication, store, top, 0, attempts
      FROM attempt JOIN covered USING (publication) WHERE scope IS NULL
    )
    SELECT asked.publication, publication.published_at, store.id AS store_id, asked.top AS top_category_id, listed.listed,
      sum(answered + failed) AS asked, sum(answered) AS answered, sum(failed) AS failed
    FROM asked JOIN listed ON listed.publication = asked.publication AND listed.top IS asked.top
      JOIN publication ON publication.sequence = asked.publication JOIN store USING (store)
    GROUP BY store.id, asked.top, asked.publication
    ORDER BY store.id, asked.top, asked.publication`,
  );
  return {
    products_over_time: (of: Publications) => mergedSpans(products(of)),
    stores_over_time: (of: Publications) => mergedSpans(stores(of)),
    categories: (of: Publications): Generator<CategorySpan> =>
      mergedSpans(categories(of).map((row) => ({ ...row, active: row.active === 1 }))),
    coverage,
  };
}

type Span = Pick<ProductSpan, 'first_publication' | 'last_publication' | 'valid_from' | 'valid_to'>;

/** Merges consecutive rows with the same values. Versions may differ only in columns that the table leaves out. */
function* mergedSpans<Row extends Span>(rows: readonly Row[]): Generator<Row> {
  const [first, ...rest] = rows;
  if (!first) return;
  let pending: Row = first;
  for (const row of rest) {
    if (isContinued(pending, row)) {
      pending = { ...pending, last_publication: row.last_publication, valid_to: row.valid_to };
      continue;
    }
    yield pending;
    pending = row;
  }
  yield pending;
}

function isContinued(before: Span, { first_publication, ...row }: Span): boolean {
  if (before.last_publication !== first_publication - 1) return false;
  const { first_publication: _, valid_from, ...same } = before;
  const { valid_from: __, last_publication, valid_to, ...values } = row;
  return isDeepStrictEqual({ ...same, last_publication, valid_to }, { ...values, last_publication, valid_to });
}
