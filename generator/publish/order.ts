import { compareInstants } from '../contract/instant.ts';
import type { Connection } from '../database/connection.ts';
import { latestPublication, type Publication, publicationOf } from '../database/publications.ts';
import { Failure } from '../failure.ts';
import type { SnapshotFolder } from './snapshot/folder.ts';

/** A snapshot that was published before. */
export class AlreadyPublished extends Failure {
  override readonly name = 'AlreadyPublished';
  readonly publication: Publication;

  constructor(snapshot: string, publication: Publication) {
    const { sequence, revision } = publication;
    super(`snapshot ${snapshot} was published before, as publication ${sequence} (${revision})`);
    this.publication = publication;
  }
}

/**
 * Refuses a snapshot that was published before, that is not newer than the last publication, or that is the first and
 * incomplete. `notAfter`: a later time is of the future.
 */
export function refuseOutOfOrder(
  connection: Connection,
  { name, header, parts, contentHash }: SnapshotFolder,
  notAfter: string | null,
): void {
  const same = publicationOf(connection, contentHash);
  if (same) throw new AlreadyPublished(name, same);
  const latest = latestPublication(connection);
  if (latest === null) {
    const missing = (['products', 'stores', 'curation'] as const).filter((part) => parts[part] === null);
    if (missing.length === 0) return;
    throw new Failure(
      `snapshot ${name} is the first: expected products, stores and curation, got no ${missing.join(', no ')}`,
    );
  }
  if (compareInstants(header.published_at, latest.published_at) > 0) return;
  const wayOut =
    notAfter !== null && compareInstants(latest.published_at, notAfter) > 0
      ? `; publication ${latest.sequence} is of the future: publish the snapshots again without it, into a new database`
      : '';
  throw new Failure(
    `snapshot ${name} is not newer: expected published_at after ${latest.published_at} (publication ${latest.sequence}), got ${header.published_at}${wayOut}`,
  );
}
