import type { Route } from '../contract/formats/site.ts';
import { checkoutFolder, siteLink } from '../contract/paths.ts';
import { checkOutWhole } from './checkout.ts';
import type { Storage } from './storage.ts';

/*
 * A publication that is built again may get other answers: with another base URL, or from another version of the program.
 * Plain servers show its checkout meanwhile, so that it cannot be changed file by file: they would show a mixture, and a
 * killed build would leave one. Its answers are checked out beside it, and the link turns to them. Then nobody reads the
 * checkout with the name of the publication, which gets them too, and the link turns back.
 */

/** Whether plain servers show the checkout of a publication. */
export function isLive(storage: Storage, revision: string): boolean {
  return storage.pointsTo(siteLink) === checkoutFolder(revision);
}

/** The folder beside the checkout of a publication. */
export function folderBeside(revision: string): string {
  return `${checkoutFolder(revision)}.next`;
}

/** Whether plain servers show the folder beside it, as a killed run leaves them. */
export function isBesideShown(storage: Storage, revision: string): boolean {
  return storage.pointsTo(siteLink) === folderBeside(revision);
}

/** Gives the checkout of a publication the answers beside it, which plain servers show already. */
export function takePlace(storage: Storage, revision: string, routes: { values(): Iterable<Route> }): void {
  const folder = checkoutFolder(revision);
  checkOutWhole(storage, folder, routes);
  storage.flush();
  storage.pointTo(siteLink, folder);
  storage.removeFolder(folderBeside(revision));
}
