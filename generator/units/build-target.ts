import { pageSize } from '../../contract/pages.ts';
import { addresser, formatPath, prefix } from '../../contract/paths.ts';
import type { PageIndex } from '../../contract/schemas/pages.ts';
import type { Pointer } from '../../contract/schemas/site-files.ts';
import { readCheckedDatabase } from '../database/database-file.ts';
import { type Publication, publicationOfRevision, publicationsUpTo } from '../database/publications.ts';
import { retainedPublications } from '../documents/retention.ts';
import { countOf, Failure } from '../files/failure.ts';
import { baseAddress, type PreviousSite, readPreviousSite } from '../site/built-site.ts';
import { isBesideShown, takePlace } from '../site/publication-checkout.ts';
import { documentIn, emptyTable, type Routes, readTable } from '../site/route-table.ts';
import type { Storage } from '../site/storage.ts';
import { type PreviousUnits, readLedger } from './ledger.ts';
import type { BuildLedger } from './ledger-file.ts';

/**
 * Reads the publications to build: the latest one, and those whose exports the site keeps, newest first. Throws a
 * Failure when the database holds no publication, or when the existing site was built from another database.
 */
export function readBuildTarget(database: string, which: 'retained' | 'current', previous: Pointer | null) {
  const publications = readCheckedDatabase(database, (connection) =>
    publicationsUpTo(connection, Number.MAX_SAFE_INTEGER),
  );
  const current = publications.at(-1);
  if (!current) throw new Failure('database_missing', `${database} holds no publication yet: publish a snapshot first`);
  if (previous) refuseForeign(previous, publications, database);
  return { current, exported: which === 'current' ? [current] : retainedPublications(publications, current) };
}

/**
 * The failure of a build whose publication was taken back while it ran: what the build has read then belongs to no
 * publication. Null when the database still has the publication.
 */
export function unpublishedFailure(database: string, { sequence, revision }: Publication): Failure | null {
  if (readCheckedDatabase(database, (connection) => publicationOfRevision(connection, revision))) return null;
  return new Failure(
    'site_of_other_database',
    `publication ${sequence}, revision ${revision}, was taken back while it was being built: expected it in ${database}, got no such publication; readers still see the previous site; build again`,
  );
}

/** Refuses a site that names a publication the database does not have, and says what to do (docs/operating.md). */
function refuseForeign(site: Pointer, publications: readonly Publication[], database: string): void {
  const { revision, sequence } = site;
  const isKnown = (one: { revision: string; sequence: number }) =>
    publications[one.sequence - 1]?.revision === one.revision;
  const unknown = site.publications.filter((one) => !isKnown(one)).sort((a, b) => a.sequence - b.sequence);
  const [first] = unknown;
  if (!first) return;
  const isAhead = first.sequence > publications.length && unknown.length < site.publications.length;
  if (isAhead) {
    throw new Failure(
      'site_of_other_database',
      `the folder holds a site of publication ${sequence}: expected revision ${revision} in ${database}, got ${countOf(publications.length, 'publication')} up to ${publications.at(-1)?.revision}; publish the snapshots after these again, or build into an empty folder`,
    );
  }
  const found = publications[first.sequence - 1];
  const got = found
    ? `publication ${first.sequence} is ${found.revision}`
    : `there is no publication ${first.sequence}`;
  throw new Failure(
    'site_of_other_database',
    `the folder holds a site of another database: expected its revision ${first.revision} (publication ${first.sequence}) in ${database}, where ${got}; build into an empty folder`,
  );
}

/**
 * Reads the site in a folder, and finishes a checkout that a killed build left unfinished. `full`: a build from
 * scratch.
 *
 * - `site`: the existing site; null where there is none, and for a build from scratch.
 * - `routes`: its routes; none where its documents print addresses with another base URL.
 * - `units`: the units that made these routes; null where the ledger does not say.
 *
 * `key`: the key of this build's code.
 */
export function readSiteBefore(
  storage: Storage,
  { baseUrl, full }: { baseUrl: string | null; full: boolean },
  key: string,
): { site: PreviousSite | null; routes: Routes; units: PreviousUnits } {
  const site = full ? null : readPreviousSite(storage);
  if (site) refuseOtherPages(storage, site.routes);
  if (site && isBesideShown(storage, site.pointer.revision)) takePlace(storage, site.pointer.revision, site.routes);
  if (!site || baseAddress(storage, site) !== addresser(baseUrl)(prefix).slice(0, -prefix.length)) {
    return { site, routes: emptyTable.routes, units: null };
  }
  const ledger = readLedger(storage);
  const isOfSite = ledger?.table === site.pointer.routes.sha256;
  const units = isOfSite
    ? { entries: sharingPaths(ledger.units, site.routes), isOfThisCode: ledger.key === key }
    : null;
  return { site, routes: site.routes, units };
}

/** The routes of a site that is built again from scratch; null where a part of its table is damaged. */
export function routesShown(storage: Storage, { routes }: Pointer): Routes | null {
  try {
    return readTable(storage, routes).routes;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return null;
  }
}

/**
 * The same entries, but with the texts of the routes as their paths. Both are in memory, and paths are a third of them.
 */
function sharingPaths(units: BuildLedger['units'], routes: Routes): BuildLedger['units'] {
  const entries = Object.entries(units).map(
    ([name, unit]) => [name, { ...unit, paths: unit.paths.map((path) => routes.get(path)?.path ?? path) }] as const,
  );
  return Object.fromEntries(entries);
}

/**
 * Refuses a site whose sealed pages have another number of events, because the bytes at their addresses never change.
 */
function refuseOtherPages(storage: Storage, routes: Routes): void {
  const index = documentIn<Partial<PageIndex>>(storage, routes, formatPath('changes_index'));
  if (index?.page_size === undefined || index.page_size === pageSize) return;
  throw new Failure(
    'site_of_other_database',
    `the site has pages of ${index.page_size} events: expected ${pageSize}; build with --full to make all pages again; readers then have to start over`,
  );
}
