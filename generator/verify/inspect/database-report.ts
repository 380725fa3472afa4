import { statSync } from 'node:fs';
import { readDatabase } from '../../database/database-file.ts';
import {
  aboutUpTo,
  databaseIdentity,
  type Publication,
  publicationsUpTo,
  type QuarantinedRow,
  quarantinedRows,
  rowsSetAside,
} from '../../database/publications.ts';
import { schemaVersion } from '../../database/schema.ts';
import { nextToExpire, retainedPublications } from '../../documents/retention.ts';

/** What a publication database holds, as `inspect --json` prints it. */
export type DatabaseReport = ReturnType<typeof inspectDatabase>;

/** Reads what a database holds. Changes nothing. Throws a Failure when the file is not a publication database. */
export function inspectDatabase(file: string) {
  return readDatabase(file, (connection) => {
    const publications = publicationsUpTo(connection, Number.MAX_SAFE_INTEGER);
    return {
      file,
      bytes: statSync(file).size,
      schema_version: schemaVersion,
      id: databaseIdentity(connection),
      /** What the operator states about the data. */
      about: aboutUpTo(connection, Number.MAX_SAFE_INTEGER).find(({ last }) => last === null)?.about ?? null,
      /** Oldest first. */
      publications: publications.map((publication, index) => publicationReport(publication, publications[index - 1])),
      retention: retentionReport(publications),
      set_aside: rowsSetAside(connection),
    };
  });
}

/** Calls `visit` with every row that was set aside, in the order of publication, part and line. */
export function visitQuarantinedRows(file: string, visit: (row: QuarantinedRow) => void): void {
  readDatabase(file, (connection) => {
    for (const row of quarantinedRows(connection)) visit(row);
  });
}

function publicationReport(publication: Publication, before: Publication | undefined) {
  const { sequence, published_at, revision, product_count, store_count, inventory_pair_count } = publication;
  return {
    sequence,
    published_at,
    revision,
    products: product_count,
    stores: store_count,
    pairs: inventory_pair_count,
    /** The change events that it added. */
    events: publication.last_event - (before?.last_event ?? 0),
    last_event: publication.last_event,
    warnings: publication.warnings,
  };
}

/** What the newest publication retains; null before the first publication. */
function retentionReport(publications: readonly Publication[]) {
  const current = publications.at(-1);
  if (current === undefined) return null;
  const { history_days, publication_days } = current;
  return {
    history_days,
    publication_days,
    /** How many publications have exports in a site that is built now. */
    retained_publications: retainedPublications(publications, current).length,
    next_to_expire: nextToExpire(publications, current),
  };
}
