import { countOf } from '../contract/counts.ts';
import type { Pointer } from '../contract/formats/site.ts';
import { openForReading } from '../database/database-file.ts';
import {
  latestPublication,
  type Publication,
  publicationOfRevision,
  publicationsUpTo,
} from '../database/publications.ts';
import { Failure } from '../failure.ts';
import { retainedPublications } from '../model/retention.ts';

/** The publications of a build: the latest one, and those whose exports the site has, newest first. */
export type BuildTarget = { readonly current: Publication; readonly exported: readonly Publication[] };

/**
 * Reads the publications to build. Throws a Failure when the database holds no publication, or when the existing site
 * is of another database.
 */
export function buildTargetOf(database: string, which: 'retained' | 'current', previous: Pointer | null): BuildTarget {
  const connection = openForReading(database);
  try {
    const current = latestPublication(connection);
    if (!current) throw new Failure(`${database} holds no publication yet: publish a snapshot first`);
    const publications = publicationsUpTo(connection, current.sequence);
    if (previous) refuseForeign(previous, publications, database);
    return { current, exported: which === 'current' ? [current] : retainedPublications(publications, current) };
  } finally {
    connection.close();
  }
}

/**
 * Why a build of a publication came to nothing, if the publication was taken back meanwhile: what the build has read is then of
 * no publication. Null when the database still has it.
 */
export function takenBack(database: string, { sequence, revision }: Publication): Failure | null {
  const connection = openForReading(database);
  try {
    if (publicationOfRevision(connection, revision)) return null;
    return new Failure(
      `publication ${sequence}, revision ${revision}, was taken back while it was built: expected it in ${database}, got no such publication; readers see what they saw before; build again`,
    );
  } finally {
    connection.close();
  }
}

/** Refuses a site that names a publication which is not in the database, and says what to do (docs/recovery.md). */
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
      `the folder holds a site of publication ${sequence}: expected revision ${revision} in ${database}, got ${countOf(publications.length, 'publication')} up to ${publications.at(-1)?.revision}; publish the snapshots after these again, or build into an empty folder`,
    );
  }
  const found = publications[first.sequence - 1];
  const got = found
    ? `publication ${first.sequence} is ${found.revision}`
    : `there is no publication ${first.sequence}`;
  throw new Failure(
    `the folder holds a site of another database: expected its revision ${first.revision} (publication ${first.sequence}) in ${database}, where ${got}; build into an empty folder`,
  );
}
