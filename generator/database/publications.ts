import { isUsual, type Profile, usualProfile } from '../../contract/profile.ts';
import type { About } from '../../contract/schemas/metadata.ts';
import type { WarningCode } from '../../contract/warnings.ts';
import { type Connection, firstValue } from './connection.ts';
import type { RowOf } from './schema.ts';
import { inserter, type VersionOf } from './table-writers.ts';

/** Columns with JSON arrays. `warnings` are in the order of the contract. */
type Lists = {
  readonly warnings: readonly WarningCode[];
  readonly own_warnings: readonly WarningCode[];
  readonly quarantined_parts: readonly string[];
};

export type Publication = Omit<RowOf<'publication'>, keyof Lists> & Lists;

function decode(row: RowOf<'publication'>): Publication {
  return {
    ...row,
    warnings: JSON.parse(row.warnings),
    own_warnings: JSON.parse(row.own_warnings),
    quarantined_parts: JSON.parse(row.quarantined_parts),
  };
}

/** All publications up to one, oldest first. */
export function publicationsUpTo(connection: Connection, sequence: number): Publication[] {
  const rows = connection
    .prepare<[number], RowOf<'publication'>>('SELECT * FROM publication WHERE sequence <= ? ORDER BY sequence')
    .all(sequence);
  return rows.map(decode);
}

export function latestPublication(connection: Connection): Publication | null {
  return publicationWhere(connection, 'true ORDER BY sequence DESC LIMIT 1');
}

export function publicationOfContent(connection: Connection, contentSha256: string): Publication | null {
  return publicationWhere(connection, 'content_sha256 = ?', contentSha256);
}

export function publicationAt(connection: Connection, publishedAt: string): Publication | null {
  return publicationWhere(connection, 'published_at = ?', publishedAt);
}

export function publicationOfRevision(connection: Connection, revision: string): Publication | null {
  return publicationWhere(connection, 'revision = ?', revision);
}

function publicationWhere(connection: Connection, condition: string, ...values: string[]): Publication | null {
  const row = connection
    .prepare<string[], RowOf<'publication'>>(`SELECT * FROM publication WHERE ${condition}`)
    .get(...values);
  return row ? decode(row) : null;
}

export function insertPublication(connection: Connection, publication: Publication): void {
  inserter(
    connection,
    'publication',
  )({
    ...publication,
    warnings: JSON.stringify(publication.warnings),
    own_warnings: JSON.stringify(publication.own_warnings),
    quarantined_parts: JSON.stringify(publication.quarantined_parts),
  });
}

/** The id of the database; null before the first publication. */
export function databaseIdentity(connection: Connection): string | null {
  return firstValue<string>(connection, 'SELECT id FROM identity') ?? null;
}

/** `profile`: the profile in the first snapshot. */
export function insertIdentity(connection: Connection, id: string, profile: Profile): void {
  inserter(connection, 'identity')({ id, profile: isUsual(profile) ? null : JSON.stringify(profile) });
}

/** The profile in the first snapshot; null before the first publication. */
export function databaseProfile(connection: Connection): Profile | null {
  const row = connection.prepare<[], { profile: string | null }>('SELECT profile FROM identity').get();
  if (row === undefined) return null;
  return row.profile === null ? usualProfile : JSON.parse(row.profile);
}

/** Counts of the state after all parts of a publication are applied. */
export type PublicationFacts = {
  readonly product_count: number;
  readonly store_count: number;
  readonly inventory_pair_count: number;
  /** Pairs of a listed product with a store in scope, or with the whole state. */
  readonly expected_pair_count: number;
  readonly observed_pair_count: number;
  readonly failed_product_count: number;
  readonly newest_retrieval: string | null;
};

/** SQL: the stores that availability summaries count (contract.md 2). */
const inScope = `(operational_state <> 'permanently_closed' AND ifnull(presence_state, '') <> 'reviewed_retired')`;

const isListed = (row: string) => `EXISTS (
  SELECT 1 FROM product_version AS p
  WHERE p.product = ${row}.product AND p.last_publication IS NULL AND p.catalog_presence = 'listed')`;

export function countFacts(connection: Connection, inventory: Profile['inventory']): PublicationFacts {
  const facts = connection
    .prepare<[{ inventory: string }], PublicationFacts>(`
      WITH RECURSIVE
        scoped AS MATERIALIZED (SELECT store FROM store_version WHERE last_publication IS NULL AND ${inScope}),
        sized AS MATERIALIZED (
          SELECT scope, count(*) AS stores, count(scoped.store) AS scoped_stores
          FROM inventory_scope_store LEFT JOIN scoped USING (store) GROUP BY scope
        ),
        -- Every product with a retrieval, found by jumping through the primary key.
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
          * (CASE :inventory WHEN 'stores' THEN (SELECT count(*) FROM scoped) ELSE :inventory = 'statewide' END)
          AS expected_pair_count,
        (SELECT ifnull(sum(products * iif(:inventory = 'statewide', 1, ifnull(scoped_stores, 0))), 0)
            FROM success LEFT JOIN sized USING (scope) WHERE is_listed)
          + (SELECT count(*) FROM older JOIN scoped USING (store) WHERE is_listed) AS observed_pair_count,
        (SELECT count(*) FROM latest WHERE is_listed AND status = 'failed') AS failed_product_count,
        (SELECT max(newest) || 'Z' FROM success) AS newest_retrieval`)
    .get({ inventory });
  if (!facts) throw new Error('the query for the counts of a publication returned no row');
  return facts;
}

/** One publication states that another one is wrong. Both are sequences. */
export type CorrectionRow = RowOf<'correction'>;

/** All corrections up to a publication, oldest first. */
export function correctionsUpTo(connection: Connection, sequence: number): CorrectionRow[] {
  return connection
    .prepare<[number], CorrectionRow>(
      'SELECT * FROM correction WHERE corrected_by <= ? ORDER BY corrected_by, publication',
    )
    .all(sequence);
}

export function insertCorrections(connection: Connection, rows: readonly CorrectionRow[]): void {
  const insert = inserter(connection, 'correction');
  for (const row of rows) insert(row);
}

/** The operator's statements in publications `first` to `last`. `last` is null while the statement holds. */
export type AboutSpan = { readonly first: number; readonly last: number | null; readonly about: About };

/** All statements of the operator up to a publication, oldest first. */
export function aboutUpTo(connection: Connection, sequence: number): AboutSpan[] {
  return connection
    .prepare<[number], RowOf<'about_version'>>(
      'SELECT * FROM about_version WHERE first_publication <= ? ORDER BY first_publication',
    )
    .all(sequence)
    .map(({ first_publication, last_publication, title, agency, notice, license_name, license_url, ...rest }) => ({
      first: first_publication,
      last: last_publication,
      about: {
        title,
        agency,
        notice,
        license: license_name === null ? null : { name: license_name, url: license_url },
        ...rest,
      },
    }));
}

export function aboutVersion({ license, ...rest }: About): VersionOf<'about_version'> {
  return { ...rest, license_name: license?.name ?? null, license_url: license?.url ?? null };
}

export type QuarantinedRow = RowOf<'quarantined_row'>;

export function insertQuarantinedRows(
  connection: Connection,
  publication: number,
  rows: readonly Omit<QuarantinedRow, 'publication'>[],
): void {
  const insert = inserter(connection, 'quarantined_row');
  for (const row of rows) insert({ publication, ...row });
}

/** The rows that were set aside, by publication, part and line. */
export function quarantinedRows(connection: Connection): IterableIterator<QuarantinedRow> {
  return connection
    .prepare<[], QuarantinedRow>('SELECT * FROM quarantined_row ORDER BY publication, file, line, rowid')
    .iterate();
}

/** How many rows of a part a publication set aside for one reason. */
export type SetAside = Pick<QuarantinedRow, 'publication' | 'file' | 'reason'> & { readonly rows: number };

export function rowsSetAside(connection: Connection): SetAside[] {
  return connection
    .prepare<[], SetAside>(`
      SELECT publication, file, reason, count(*) AS rows FROM quarantined_row
      GROUP BY publication, file, reason ORDER BY publication, file, rows DESC, reason`)
    .all();
}
