import type { Pointer, Route } from '../contract/formats/site.ts';
import { checkoutFolder, objectPath, pointerFile, signatureFile, siteLink } from '../contract/paths.ts';
import type { SigningKey } from './keys.ts';
import { misfitOf, signedLines } from './pointer-signature.ts';
import { filesOf, type RouteFile } from './route-table.ts';
import type { Storage } from './storage.ts';

/** Gives an object its readable name in a publication's checkout. */
export function giveName(storage: Storage, revision: string, { name, sha256 }: RouteFile): void {
  storage.link(objectPath(sha256), `${checkoutFolder(revision)}/${name}`);
}

/**
 * Completes a checkout: names what has no name yet, and takes away what no route names. `named`: what was named as it
 * was made; `leftovers`: the files that stood there before, of this publication or a killed build.
 */
export function completeCheckout(
  storage: Storage,
  revision: string,
  routes: readonly Route[],
  named: Iterable<RouteFile>,
  leftovers: readonly string[],
): void {
  const folder = checkoutFolder(revision);
  const existing = new Map<string, string>();
  for (const { name, sha256 } of named) existing.set(name, sha256);
  const strays = new Set(leftovers);
  for (const route of routes) {
    for (const file of filesOf(route)) {
      if (strays.size > 0) strays.delete(`${folder}/${file.name}`);
      if (existing.get(file.name) !== file.sha256) giveName(storage, revision, file);
      existing.delete(file.name);
    }
  }
  for (const stray of strays) storage.remove(stray);
  // What was named as it was made, and yields to what an immutable address has.
  for (const name of existing.keys()) storage.remove(`${folder}/${name}`);
}

/**
 * Gives the files of a checkout the time of their Last-Modified: servers of plain files say it, and make tags of time and
 * size. Whatever an address had before is older, so that other bytes never have the same time there; a file of several
 * addresses has the latest of their times. `before`: routes whose files have their times already, by path.
 */
export function dateFiles(
  storage: Storage,
  revision: string,
  routes: readonly Route[],
  before: ReadonlyMap<string, Route>,
): void {
  const isDated = ({ path, sha256, last_modified }: Route) => {
    const known = before.get(path);
    return known?.sha256 === sha256 && known.last_modified === last_modified;
  };
  const fresh = routes.filter((route) => !isDated(route));
  fresh.sort((a, b) => (a.last_modified < b.last_modified ? -1 : Number(a.last_modified > b.last_modified)));
  for (const route of fresh) {
    for (const { name } of filesOf(route)) {
      storage.setTime(`${checkoutFolder(revision)}/${name}`, route.last_modified);
    }
  }
}

/**
 * Turns readers to a publication, all of whose objects and names are in place: the signature first, so that it fits
 * whichever pointer a reader meets, then the link, the pointer last. `key` null: the site is not signed.
 */
export function moveTo(storage: Storage, pointer: Pointer, key: SigningKey | null): void {
  const target = checkoutFolder(pointer.revision);
  const bytes = pointerBytes(pointer);
  if (key) signPointer(storage, bytes, key);
  if (storage.pointsTo(siteLink) !== target) storage.pointTo(siteLink, target);
  if (!isPointerAt(storage, pointer)) storage.replace(pointerFile, bytes);
}

/** Leaves a signature that fits: the line of the pointer before it may still be needed. */
function signPointer(storage: Storage, pointer: Uint8Array, key: SigningKey): void {
  const existing = storage.read(signatureFile);
  if (misfitOf(pointer, existing, key) === null) return;
  storage.replace(signatureFile, signedLines(key, pointer, existing, storage.read(pointerFile)));
}

/** Whether a site's pointer is this one already, to the byte. */
export function isPointerAt(storage: Storage, pointer: Pointer): boolean {
  return pointerBytes(pointer).equals(storage.read(pointerFile) ?? Buffer.alloc(0));
}

function pointerBytes(pointer: Pointer): Buffer {
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
