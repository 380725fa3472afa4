import type { ObjectReference } from '../contract/formats/site.ts';
import { checkoutFolder } from '../contract/paths.ts';
import { completeCheckout, dateFiles } from './checkout.ts';
import type { TableChanges } from './route-table.ts';
import type { Storage } from './storage.ts';

/*
 * A checkout has a name for every file of a publication. To link all of them for each publication, and to remove all of
 * a past one, takes longer than to make the documents that changed. So the checkout of a publication past retention is
 * not deleted: it becomes a spare one with the files of the current publication, and the next build begins with that.
 */

/** The folder of spare checkouts. */
export const spares = 'spare';

/** Where a spare checkout is while its files are those of no publication. */
const unfinished = `${spares}/unfinished`;

/** The folder of a spare checkout with exactly the files of a route table. */
export function spareFolder(table: Pick<ObjectReference, 'sha256'>): string {
  return `${spares}/${table.sha256}`;
}

/**
 * Gives the spare checkout of a table to a publication. False when there is none, or when the publication has a folder
 * already.
 */
export function takeSpare(storage: Storage, table: ObjectReference, revision: string): boolean {
  const target = checkoutFolder(revision);
  if (storage.exists(target) || !storage.exists(spareFolder(table))) return false;
  storage.rename(spareFolder(table), target);
  return true;
}

/**
 * Makes the checkout of a past publication the spare one of the current publication, whose route table is `table`.
 * `changes`: from the table of the past one to that of the current one. It is flushed before it counts, so that a power
 * failure cannot leave half a spare checkout under its name.
 */
export function makeSpare(storage: Storage, revision: string, table: ObjectReference, changes: TableChanges): void {
  removeSpares(storage);
  storage.rename(checkoutFolder(revision), unfinished);
  const copied = completeCheckout(storage, unfinished, changes, { isUnseen: true });
  const routes = Array.from(changes.set, ({ route }) => route);
  dateFiles(
    storage,
    unfinished,
    routes.filter(({ path }) => copied.has(path)),
  );
  storage.flush();
  storage.rename(unfinished, spareFolder(table));
}

/** Removes spare checkouts of other tables, and what a killed build left of one. */
export function removeSpares(storage: Storage, except?: ObjectReference): void {
  for (const name of storage.entries(spares)) {
    if (name !== except?.sha256) storage.removeFolder(`${spares}/${name}`);
  }
}
