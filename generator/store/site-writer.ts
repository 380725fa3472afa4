import { checkoutFolder, checkoutPath, objectPath, pointerFile, siteLink } from '../contract/paths.ts';
import type { Pointer, Route } from '../contract/site.ts';
import type { Storage } from './storage.ts';

/**
 * Gives every object of a publication its readable name. A folder that a killed build left is completed, and what no
 * route names is taken away.
 */
export function checkOut(storage: Storage, revision: string, routes: readonly Route[]): void {
  const folder = checkoutFolder(revision);
  const found = new Set(storage.list(folder));
  for (const { path, sha256 } of routes) {
    const name = `${folder}/${checkoutPath(path)}`;
    const object = objectPath(sha256);
    if (found.delete(name) && storage.isSame(object, name)) continue;
    storage.link(object, name);
  }
  for (const stray of found) storage.remove(stray);
}

/** Turns readers to a publication, all of whose objects and names are in place: the link first, the pointer last. */
export function moveTo(storage: Storage, pointer: Pointer): void {
  const target = checkoutFolder(pointer.revision);
  const bytes = pointerBytes(pointer);
  if (storage.pointsTo(siteLink) !== target) storage.pointTo(siteLink, target);
  storage.replace(pointerFile, bytes);
}

export function pointerBytes(pointer: Pointer): Uint8Array {
  return Buffer.from(`${JSON.stringify(pointer, null, 2)}\n`);
}

/** Removes checkouts of other publications and objects that nothing named. Returns how many objects went. */
export function sweep(storage: Storage, revisions: ReadonlySet<string>, named: ReadonlySet<string>): number {
  for (const revision of storage.entries('checkouts')) {
    if (!revisions.has(revision)) storage.removeFolder(checkoutFolder(revision));
  }
  let removed = 0;
  for (const name of storage.list('objects')) {
    if (named.has(name.slice(name.lastIndexOf('/') + 1))) continue;
    storage.remove(name);
    removed += 1;
  }
  return removed;
}
