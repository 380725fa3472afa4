import type { Pointer } from '../contract/formats/site.ts';
import { epochSeconds } from '../contract/instant.ts';
import { openForReading } from '../database/connection.ts';
import { latestPublication, type Publication, publicationsUpTo } from '../database/publications.ts';
import { Failure } from '../failure.ts';

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
    return { current, exported: which === 'current' ? [current] : retained(publications, current) };
  } finally {
    connection.close();
  }
}

function refuseForeign({ revision, sequence }: Pointer, publications: readonly Publication[], database: string): void {
  if (publications.some((one) => one.revision === revision)) return;
  throw new Failure(
    `the folder holds a site of another database: expected a revision of ${database}, got ${revision} (sequence ${sequence}); build into an empty folder`,
  );
}

/** The publications that are not past publication_days, and the current one, newest first. */
function retained(publications: readonly Publication[], current: Publication): Publication[] {
  const bound = epochSeconds(current.published_at) - current.publication_days * 86_400;
  return [...publications]
    .reverse()
    .filter(({ sequence, published_at }) => sequence === current.sequence || epochSeconds(published_at) >= bound);
}
