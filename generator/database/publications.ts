import type { WarningCode } from '../contract/documents/envelope.ts';
import type { Connection } from './connection.ts';
import { columnNames } from './schema.ts';

/** A row of `publication`. Instants are UTC text; `warnings` are in the order of the contract. */
export type Publication = {
  readonly sequence: number;
  readonly revision: string;
  readonly content_sha256: string;
  readonly published_at: string;
  readonly catalog_publication: number;
  readonly catalog_source_updated_at: string | null;
  readonly catalog_retrieved_at: string;
  readonly directory_publication: number;
  readonly directory_source_updated_at: string | null;
  readonly directory_retrieved_at: string;
  readonly policy_id: string;
  readonly policy_max_age_seconds: number;
  readonly history_days: number;
  readonly publication_days: number;
  readonly warnings: readonly WarningCode[];
  readonly own_warnings: readonly WarningCode[];
  readonly quarantined_parts: readonly string[];
  readonly product_count: number;
  readonly store_count: number;
  readonly inventory_pair_count: number;
  readonly last_event: number;
  readonly events_retrieved_min: string | null;
  readonly events_retrieved_max: string | null;
  readonly events_with_source_time: number;
};

const lists = ['warnings', 'own_warnings', 'quarantined_parts'] as const;

type Stored = Omit<Publication, (typeof lists)[number]> & Record<(typeof lists)[number], string>;

function decode(row: Stored): Publication {
  return {
    ...row,
    warnings: JSON.parse(row.warnings),
    own_warnings: JSON.parse(row.own_warnings),
    quarantined_parts: JSON.parse(row.quarantined_parts),
  };
}

/** Every publication up to `sequence`, oldest first. */
export function publicationsUpTo(connection: Connection, sequence: number): Publication[] {
  const rows = connection
    .prepare<[number], Stored>('SELECT * FROM publication WHERE sequence <= ? ORDER BY sequence')
    .all(sequence);
  return rows.map(decode);
}

/** The newest publication, or null in an empty database. */
export function latestPublication(connection: Connection): Publication | null {
  return publicationWhere(connection, 'true ORDER BY sequence DESC LIMIT 1');
}

/** The publication made of this content, or null. */
export function publicationOf(connection: Connection, contentSha256: string): Publication | null {
  return publicationWhere(connection, 'content_sha256 = ?', contentSha256);
}

/** The publication of this revision, or null. */
export function publicationOfRevision(connection: Connection, revision: string): Publication | null {
  return publicationWhere(connection, 'revision = ?', revision);
}

function publicationWhere(connection: Connection, condition: string, ...values: string[]): Publication | null {
  const row = connection.prepare<string[], Stored>(`SELECT * FROM publication WHERE ${condition}`).get(...values);
  return row ? decode(row) : null;
}

export function insertPublication(connection: Connection, publication: Publication): void {
  const columns = columnNames('publication');
  const row: Record<string, unknown> = { ...publication };
  for (const name of lists) row[name] = JSON.stringify(publication[name]);
  connection
    .prepare(`INSERT INTO publication (${columns.join(', ')}) VALUES (${columns.map((name) => `:${name}`).join(', ')})`)
    .run(row);
}

/** The id of the database, or null before the first publication. */
export function databaseIdentity(connection: Connection): string | null {
  return connection.prepare<[], string>('SELECT id FROM identity').pluck().get() ?? null;
}

export function insertIdentity(connection: Connection, id: string): void {
  connection.prepare('INSERT INTO identity (id) VALUES (?)').run(id);
}

/** Counts over the state after a publication, taken once all its parts are applied. */
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

/** An SQL condition on `store_version`: the stores that availability summaries count (contract.md 2). */
const inScope = `(operational_state <> 'permanently_closed' AND ifnull(presence_state, '') <> 'reviewed_retired')`;

/** An SQL expression: whether the product of a row is listed. */
const isListed = (row: string) => `EXISTS (
  SELECT 1 FROM product_version AS p
  WHERE p.product = ${row}.product AND p.last_publication IS NULL AND p.catalog_presence = 'listed')`;

export function countFacts(connection: Connection): PublicationFacts {
  const facts = connection
    .prepare<[], PublicationFacts>(`
      WITH RECURSIVE
        scoped AS MATERIALIZED (SELECT store FROM store_version WHERE last_publication IS NULL AND ${inScope}),
        sized AS MATERIALIZED (
          SELECT scope, count(*) AS stores, count(scoped.store) AS scoped_stores
          FROM inventory_scope_store LEFT JOIN scoped USING (store) GROUP BY scope
        ),
        -- Every product with a retrieval, found by jumps through the primary key.
        retrieved AS (
          SELECT min(product) AS product FROM retrieval
          UNION ALL
          SELECT (SELECT min(product) FROM retrieval WHERE product > retrieved.product) FROM retrieved
          WHERE product IS NOT NULL
        ),
        latest AS MATERIALIZED (
          SELECT ${isListed('r')} AS is_listed, r.status, success.scope, success.retrieved_at
          FROM retrieved CROSS JOIN retrieval AS r ON r.product = retrieved.product AND r.publication =
              (SELECT max(publication) FROM retrieval WHERE retrieval.product = retrieved.product)
            LEFT JOIN retrieval AS success ON success.product = r.product AND success.publication = r.last_success
        ),
        success AS MATERIALIZED (
          SELECT is_listed, scope, count(*) AS products, max(rtrim(retrieved_at, 'Z')) AS newest FROM latest
          WHERE retrieved_at IS NOT NULL GROUP BY is_listed, scope
        ),
        older AS MATERIALIZED (
          SELECT ${isListed('o')} AS is_listed, store FROM older_observation AS o WHERE last_publication IS NULL
        )
      SELECT
        (SELECT count(*) FROM product) AS product_count,
        (SELECT count(*) FROM store) AS store_count,
        (SELECT ifnull(sum(products * stores), 0) FROM success JOIN sized USING (scope)) + (SELECT count(*) FROM older)
          AS inventory_pair_count,
        (SELECT count(*) FROM product_version WHERE last_publication IS NULL AND catalog_presence = 'listed')
          * (SELECT count(*) FROM scoped) AS expected_pair_count,
        (SELECT ifnull(sum(products * scoped_stores), 0) FROM success JOIN sized USING (scope) WHERE is_listed)
          + (SELECT count(*) FROM older JOIN scoped USING (store) WHERE is_listed) AS observed_pair_count,
        (SELECT count(*) FROM latest WHERE is_listed AND status = 'failed') AS failed_product_count,
        (SELECT max(newest) || 'Z' FROM success) AS newest_retrieval`)
    .get();
  if (!facts) throw new Error('counting the facts of a publication gave no row');
  return facts;
}

/** A row of a snapshot that was set aside, unchanged. */
export type QuarantinedRow = {
  readonly file: string;
  readonly line: number | null;
  readonly reason: string;
  readonly text: string;
};

export function insertQuarantinedRows(
  connection: Connection,
  publication: number,
  rows: readonly QuarantinedRow[],
): void {
  const insert = connection.prepare('INSERT INTO quarantined_row VALUES (:publication, :file, :line, :reason, :text)');
  for (const row of rows) insert.run({ publication, ...row });
}
