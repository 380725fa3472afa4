import type { WarningCode } from '../contract/warning.ts';
import type { Connection } from './connection.ts';
import { columnNames } from './schema.ts';

/** A row of `publication`. Instants are UTC text; `warnings` in the order of the contract. */
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
  const row = connection.prepare<[], Stored>('SELECT * FROM publication ORDER BY sequence DESC LIMIT 1').get();
  return row ? decode(row) : null;
}

/** The publication made of this content, or null. */
export function publicationOf(connection: Connection, contentSha256: string): Publication | null {
  const row = connection
    .prepare<[string], Stored>('SELECT * FROM publication WHERE content_sha256 = ?')
    .get(contentSha256);
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
