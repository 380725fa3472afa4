import { mirrorFile, unfinishedFile } from '../contract/mirror.ts';
import { checkoutFolder, pointerFile, signatureFile, siteLink } from '../contract/paths.ts';
import type { Pointer } from '../contract/site.ts';
import { filesOf } from '../store/route-files.ts';
import { selectRoutes } from '../store/route-selection.ts';
import { objectsOfTable, routesIn } from '../store/route-table.ts';
import { sweep } from '../store/site-writer.ts';
import type { Storage } from '../store/storage.ts';
import { publicationsOf } from './held-publications.ts';

/** While this file stands, a run is at work or was killed, and may have left what no publication names. */
export function markUnfinished(storage: Storage): void {
  storage.replace(unfinishedFile, new Uint8Array());
}

export function isUnfinished(storage: Storage): boolean {
  return storage.read(unfinishedFile) !== null;
}

export function markFinished(storage: Storage): void {
  storage.remove(unfinishedFile);
}

/**
 * Takes away what killed runs left beside the publications that stand: objects, checkouts, files of no address. What has a
 * name in a checkout that stays is kept, as readers may have it. Returns how many objects went.
 */
export function sweepLeftovers(storage: Storage, pointer: Pointer, only: readonly string[] | null): number {
  for (const name of [pointerFile, signatureFile, mirrorFile, siteLink]) storage.remove(`${name}.tmp`);
  const named = new Set<string>();
  const revisions = new Set<string>();
  for (const { revision, routes: root } of publicationsOf(pointer, only)) {
    revisions.add(revision);
    for (const sha256 of objectsOfTable(storage, root)) named.add(sha256);
    const routes = [...routesIn(storage, root)];
    const held = new Set(only === null ? routes : selectRoutes(routes, only));
    const folder = checkoutFolder(revision);
    const strays = new Set(storage.list(folder));
    for (const route of routes) {
      for (const { name, sha256 } of filesOf(route)) {
        if (strays.delete(`${folder}/${name}`) || held.has(route)) named.add(sha256);
      }
    }
    for (const stray of strays) storage.remove(stray);
  }
  return sweep(storage, revisions, named);
}
