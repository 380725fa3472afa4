import { statSync } from 'node:fs';
import type { WarningCode } from '../contract/documents/envelope.ts';
import type { About } from '../contract/documents/metadata.ts';
import { aboutUpTo } from '../database/about.ts';
import { type Connection, explainDatabase } from '../database/connection.ts';
import { openForReading } from '../database/database-file.ts';
import { databaseIdentity, type Publication, publicationsUpTo } from '../database/publications.ts';
import { quarantinedRows, rowsSetAside, type SetAside, type StoredQuarantinedRow } from '../database/quarantine.ts';
import { schemaVersion } from '../database/schema.ts';
import { type NextToLeave, nextToLeave, retainedPublications } from '../model/retention.ts';

/** A publication of a database. `events`: the change events that it brought; `last_event`: the number of the last one. */
export type PublicationReport = {
  readonly sequence: number;
  readonly published_at: string;
  readonly revision: string;
  readonly products: number;
  readonly stores: number;
  readonly pairs: number;
  readonly events: number;
  readonly last_event: number;
  readonly warnings: readonly WarningCode[];
};

/** `retained_publications`: how many publications have exports in a site that is built now. */
export type RetentionReport = {
  readonly history_days: number;
  readonly publication_days: number;
  readonly retained_publications: number;
  readonly leaves_next: NextToLeave;
};

/** What a publication database holds. `retention` is null before the first publication. */
export type DatabaseReport = {
  readonly file: string;
  readonly bytes: number;
  readonly schema_version: number;
  readonly id: string | null;
  /** What the operator states of the data; null for nothing. */
  readonly about: About | null;
  /** Oldest first. */
  readonly publications: readonly PublicationReport[];
  readonly retention: RetentionReport | null;
  readonly set_aside: readonly SetAside[];
};

/** Reads what a database holds. Changes nothing. Throws a Failure when the file is not a publication database. */
export function inspectDatabase(file: string): DatabaseReport {
  return usingDatabase(file, (connection) => {
    const publications = publicationsUpTo(connection, Number.MAX_SAFE_INTEGER);
    return {
      file,
      bytes: statSync(file).size,
      schema_version: schemaVersion,
      id: databaseIdentity(connection),
      about: aboutUpTo(connection, Number.MAX_SAFE_INTEGER).find(({ last }) => last === null)?.about ?? null,
      publications: publications.map((publication, index) => reportOf(publication, publications[index - 1])),
      retention: retentionOf(publications),
      set_aside: rowsSetAside(connection),
    };
  });
}

/** Calls `visit` with every row that was set aside, by publication, part and line. */
export function visitQuarantinedRows(file: string, visit: (row: StoredQuarantinedRow) => void): void {
  usingDatabase(file, (connection) => {
    for (const row of quarantinedRows(connection)) visit(row);
  });
}

function usingDatabase<Result>(file: string, use: (connection: Connection) => Result): Result {
  const connection = openForReading(file);
  try {
    return explainDatabase(file, () => use(connection));
  } finally {
    connection.close();
  }
}

function reportOf(publication: Publication, before: Publication | undefined): PublicationReport {
  const { sequence, published_at, revision, product_count, store_count, inventory_pair_count } = publication;
  return {
    sequence,
    published_at,
    revision,
    products: product_count,
    stores: store_count,
    pairs: inventory_pair_count,
    events: publication.last_event - (before?.last_event ?? 0),
    last_event: publication.last_event,
    warnings: publication.warnings,
  };
}

function retentionOf(publications: readonly Publication[]): RetentionReport | null {
  const current = publications.at(-1);
  if (current === undefined) return null;
  const { history_days, publication_days } = current;
  return {
    history_days,
    publication_days,
    retained_publications: retainedPublications(publications, current).length,
    leaves_next: nextToLeave(publications, current),
  };
}
