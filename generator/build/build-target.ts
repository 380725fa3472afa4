import { countOf } from '../contract/counts.ts';
import type { Pointer } from '../contract/formats/site.ts';
import { openForReading } from '../database/database-file.ts';
import { latestPublication, type Publication, publicationsUpTo } from '../database/publications.ts';
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

/** Refuses a site whose current publication is not in the database, and says what to do (docs/recovery.md). */
function refuseForeign(site: Pointer, publications: readonly Publication[], database: string): void {
  const { revision, sequence } = site;
  const known = new Set(publications.map((one) => one.revision));
  if (known.has(revision)) return;
  const isShared = site.publications.some((one) => known.has(one.revision));
  if (isShared && sequence > publications.length) {
    throw new Failure(
      `the folder holds a site of publication ${sequence}: expected revision ${revision} in ${database}, got ${countOf(publications.length, 'publication')} up to ${publications.at(-1)?.revision}; publish the snapshots after these again, or build into an empty folder`,
    );
  }
  const found = publications[sequence - 1];
  const got = found ? `publication ${sequence} is ${found.revision}` : `there is no publication ${sequence}`;
  throw new Failure(
    `the folder holds a site of another database: expected its revision ${revision} (publication ${sequence}) in ${database}, where ${got}; build into an empty folder`,
  );
}
