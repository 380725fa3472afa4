import { compareInstants } from '../contract/instant.ts';
import type { Connection } from '../database/connection.ts';
import { latestPublication, publicationOf } from '../database/publications.ts';
import { Failure } from '../failure.ts';
import type { InventoryChange } from './inventory.ts';
import type { CatalogChange } from './products.ts';
import type { SnapshotFolder } from './snapshot/folder.ts';

const catalogLossLimit = 0.2;
const inventoryLossLimit = 0.5;

/**
 * Refuses a snapshot that was published before, that is not newer than the last publication, or that is the first and
 * incomplete. Also refuses one of a time after `notAfter`: after such a snapshot of the future, no correct one could be
 * published.
 */
export function refuseOutOfOrder(
  connection: Connection,
  { name, header, parts, contentHash }: SnapshotFolder,
  notAfter: string | null,
): void {
  const isFuture = (instant: string) => notAfter !== null && compareInstants(instant, notAfter) > 0;
  const same = publicationOf(connection, contentHash);
  if (same)
    throw new Failure(`snapshot ${name} was published before, as publication ${same.sequence} (${same.revision})`);
  const latest = latestPublication(connection);
  if (latest === null) {
    const missing = (['products', 'stores', 'curation'] as const).filter((part) => parts[part] === null);
    if (missing.length > 0) {
      throw new Failure(
        `snapshot ${name} is the first: expected products, stores and curation, got no ${missing.join(', no ')}`,
      );
    }
  } else if (compareInstants(header.published_at, latest.published_at) <= 0) {
    const wayOut = isFuture(latest.published_at)
      ? `; publication ${latest.sequence} is of the future: publish the snapshots again without it, into a new database`
      : '';
    throw new Failure(
      `snapshot ${name} is not newer: expected published_at after ${latest.published_at} (publication ${latest.sequence}), got ${header.published_at}${wayOut}`,
    );
  }
  if (isFuture(header.published_at)) {
    throw new Failure(
      `snapshot ${name} is of the future: expected published_at up to ${notAfter}, a day from now, got ${header.published_at}; correct snapshot.json, or publish it with --accept-future`,
    );
  }
}

/** Refuses a catalog or an inventory that shrank so much that the snapshot is probably broken. */
export function refuseShrinking(name: string, catalog: CatalogChange, inventory: InventoryChange): void {
  if (catalog.left > catalog.listedBefore * catalogLossLimit) {
    throw new Failure(
      `snapshot ${name} lost ${catalog.left} of ${catalog.listedBefore} catalog products: expected at most 20 %; --accept-shrink publishes it all the same`,
    );
  }
  const lost = inventory.positiveBefore - inventory.positiveNow;
  if (lost > inventory.positiveBefore * inventoryLossLimit) {
    throw new Failure(
      `snapshot ${name} lost ${lost} of ${inventory.positiveBefore} positive inventory rows: expected at most half; --accept-shrink publishes it all the same`,
    );
  }
}
