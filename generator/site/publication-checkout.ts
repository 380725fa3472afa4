import { checkoutFolder, pointerFile, signatureFile, siteLink } from '../../contract/paths.ts';
import type { Pointer, Route } from '../../contract/schemas/site-files.ts';
import { type Signing, signedFile } from '../trust/signature-file.ts';
import { checkOutWhole, completeCheckout, dateFiles, fileTime, linkWhole } from './checkout.ts';
import type { RouteChange, Routes, TableChanges } from './route-table.ts';
import { takeSpare } from './spare-checkout.ts';
import type { Storage } from './storage.ts';

/** A publication whose answers are stored as objects, and whose route table is written. */
type Written = {
  readonly pointer: Pointer;
  readonly routes: Routes;
  readonly before: Pointer | null;
  /** The changes since the previous routes; null if it is not known how their answers were made. */
  readonly update: TableChanges | null;
};

/** Checks out a publication, flushes everything to the disk, and switches readers to it. */
export function showPublication(
  storage: Storage,
  written: Written,
  signing: Signing | null,
  progress: (stage: string) => void,
): void {
  const { pointer, routes, before } = written;
  const { revision } = pointer;
  // When a publication is built again, plain servers serve its checkout, and nothing in it may change under them.
  const isReplaced = isLive(storage, revision) && pointer.routes.sha256 !== before?.routes.sha256;
  const folder = isReplaced ? folderBeside(revision) : checkoutFolder(revision);
  progress('checking out');
  if (isReplaced) checkOutWhole(storage, folder, routes);
  else checkOut(storage, folder, written);
  progress('flushing to the disk');
  if (!isPointerAt(storage, pointer)) storage.flush();
  moveTo(storage, pointer, signing, folder);
  if (!isReplaced) return;
  progress('checking out under the name of the publication');
  takePlace(storage, revision, routes);
}

/** Starts from the spare checkout, if there is one. Sets the times of all files, or only of those known to differ. */
function checkOut(storage: Storage, folder: string, { pointer, routes, before, update }: Written): void {
  const absent = update && before && takeSpare(storage, before.routes, pointer.revision);
  const copied =
    update && absent
      ? completeCheckout(storage, folder, { ...update, set: withAbsent(update, absent, routes) })
      : linkWhole(storage, folder, routes);
  dateFiles(storage, folder, update ? undated(update, copied, routes) : routes.values());
}

/** The changes, with the unchanged routes whose files are absent from the folder. */
function withAbsent(update: TableChanges, absent: readonly string[], routes: Routes): RouteChange[] {
  const others = new Set(absent);
  const set = update.set.map(({ route, old }) => (others.delete(route.path) ? { route } : { route, old }));
  for (const path of others) {
    const route = routes.get(path);
    if (route) set.push({ route });
  }
  return set;
}

/** Files that still need their time: those with new bytes or a new time, and copies. */
function* undated(update: TableChanges, copied: ReadonlySet<string>, routes: Routes): Iterable<Route> {
  for (const { route, old } of update.set) {
    if (old === undefined || old.sha256 !== route.sha256 || fileTime(old) !== fileTime(route)) yield route;
  }
  for (const path of copied) {
    const route = routes.get(path);
    if (route) yield route;
  }
}

/*
 * A publication that is built again may get other answers: with another base URL, or from another version of the
 * program. Plain servers serve its checkout meanwhile. If it changed file by file, they would serve a mixture, and a
 * killed build would leave one. So the new answers are checked out beside it, and the link switches to them. Then
 * nobody reads the checkout with the name of the publication. It gets the new answers too, and the link switches back.
 */

export function isLive(storage: Storage, revision: string): boolean {
  return storage.pointsTo(siteLink) === checkoutFolder(revision);
}

export function folderBeside(revision: string): string {
  return `${checkoutFolder(revision)}.next`;
}

/** A killed run may leave plain servers on the folder beside the checkout. */
export function isBesideShown(storage: Storage, revision: string): boolean {
  return storage.pointsTo(siteLink) === folderBeside(revision);
}

/** Checks out the answers under the publication's name. Plain servers already serve them from the folder beside it. */
export function takePlace(storage: Storage, revision: string, routes: { values(): Iterable<Route> }): void {
  const folder = checkoutFolder(revision);
  checkOutWhole(storage, folder, routes);
  storage.flush();
  storage.pointTo(siteLink, folder);
  storage.removeFolder(folderBeside(revision));
}

/**
 * Switches readers to a publication whose objects and names are all in place. Writes the signature first, which fits
 * both pointers, then the link, and the pointer last. `signing`: null if the site is not signed. `target`: the
 * checkout.
 */
export function moveTo(storage: Storage, pointer: Pointer, signing: Signing | null, target: string): void {
  const bytes = pointerBytes(pointer);
  if (signing) signPointer(storage, bytes, signing);
  if (storage.pointsTo(siteLink) !== target) storage.pointTo(siteLink, target);
  if (!isPointerAt(storage, pointer)) storage.replace(pointerFile, bytes);
}

/** Writes a signature file that fits the new pointer, unless it is there. */
function signPointer(storage: Storage, pointer: Uint8Array, signing: Signing): void {
  const existing = storage.read(signatureFile);
  const signed = signedFile(signing, pointer, existing, storage.read(pointerFile));
  if (!existing?.equals(signed)) storage.replace(signatureFile, signed);
}

/** Whether a site's pointer is already this one, byte for byte. */
function isPointerAt(storage: Storage, pointer: Pointer): boolean {
  return pointerBytes(pointer).equals(storage.read(pointerFile) ?? Buffer.alloc(0));
}

function pointerBytes(pointer: Pointer): Buffer {
  return Buffer.from(`${JSON.stringify(pointer, null, 2)}\n`);
}
