import type { Connection } from './connection.ts';

/** What must be counted over the state that a publication leaves, once all its parts are applied. */
export type PublicationFacts = {
  readonly product_count: number;
  readonly store_count: number;
  readonly inventory_pair_count: number;
  /** Pairs of a listed product and a store of the availability scope, and how many of them were observed. */
  readonly expected_pair_count: number;
  readonly observed_pair_count: number;
  /** Listed products whose last attempt failed. */
  readonly failed_product_count: number;
  /** Newest successful retrieval of any product. */
  readonly newest_retrieval: string | null;
};

/** Stores that availability summaries speak of, contract.md 2. Read over `store_version`. */
const inScope = `(operational_state <> 'permanently_closed' AND ifnull(presence_state, '') <> 'reviewed_retired')`;

export function countFacts(connection: Connection): PublicationFacts {
  const facts = connection
    .prepare<[], PublicationFacts>(`
      WITH
        listed AS MATERIALIZED (
          SELECT product FROM product_version WHERE last_publication IS NULL AND catalog_presence = 'listed'
        ),
        scoped AS MATERIALIZED (SELECT store FROM store_version WHERE last_publication IS NULL AND ${inScope}),
        latest AS MATERIALIZED (
          SELECT product, status, last_success FROM retrieval AS r
          WHERE publication = (SELECT max(publication) FROM retrieval WHERE product = r.product)
        ),
        success AS MATERIALIZED (
          SELECT r.product, r.scope, r.retrieved_at FROM latest
            JOIN retrieval AS r ON r.product = latest.product AND r.publication = latest.last_success
        ),
        sized AS MATERIALIZED (
          SELECT scope, count(*) AS stores, count(scoped.store) AS scoped_stores
          FROM inventory_scope_store LEFT JOIN scoped USING (store) GROUP BY scope
        ),
        older AS MATERIALIZED (SELECT product, store FROM older_observation WHERE last_publication IS NULL)
      SELECT
        (SELECT count(*) FROM product) AS product_count,
        (SELECT count(*) FROM store) AS store_count,
        (SELECT ifnull(sum(sized.stores), 0) FROM success JOIN sized USING (scope)) + (SELECT count(*) FROM older)
          AS inventory_pair_count,
        (SELECT count(*) FROM listed) * (SELECT count(*) FROM scoped) AS expected_pair_count,
        (SELECT ifnull(sum(sized.scoped_stores), 0) FROM success JOIN listed USING (product) JOIN sized USING (scope))
          + (SELECT count(*) FROM older JOIN listed USING (product) JOIN scoped USING (store)) AS observed_pair_count,
        (SELECT count(*) FROM latest JOIN listed USING (product) WHERE status = 'failed') AS failed_product_count,
        (SELECT max(rtrim(retrieved_at, 'Z')) || 'Z' FROM success) AS newest_retrieval`)
    .get();
  if (!facts) throw new Error('counting the facts of a publication gave no row');
  return facts;
}
