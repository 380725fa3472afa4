import type { ObjectReference, Route } from '../../contract/formats/site.ts';
import { checkoutFolder } from '../../contract/paths.ts';
import { parseJson } from '../../contract/text.ts';
import { filesOf } from './checkout.ts';
import type { TableChanges } from './route-table.ts';
import type { Storage } from './storage.ts';

/*
 * A checkout has a name for every file of a publication. To link all of them for each publication, and to remove all of
 * a past one, takes longer than to make the documents that changed. So the checkout of a publication past retention is
 * not deleted: it becomes a spare one, and the next build begins with that. What changed since is taken out of it at once,
 * so that it holds no object that no publication needs. It is put in by the next build, which makes most of it again: the
 * same products are asked for every day.
 */

/** The folder of spare checkouts. */
export const spares = 'spare';

/** Where a spare checkout is while its files are those of no publication. */
const unfinished = `${spares}/unfinished`;

const spareName = /^([0-9a-f]{64}|unfinished)$/;

/** What is below the folder of a spare checkout: the files, and the list of paths whose files are not there. */
const [files, absentFile] = ['checkout', 'absent.json'];

/** The folder with the files of a spare checkout. It has those of a route table, but for the paths that are listed as absent. */
export function spareFolder(table: Pick<ObjectReference, 'sha256'>): string {
  return `${spares}/${table.sha256}/${files}`;
}

/** The name of the list of the paths whose files a spare checkout lacks: a JSON array. */
export function absentList(table: Pick<ObjectReference, 'sha256'>): string {
  return `${spares}/${table.sha256}/${absentFile}`;
}

/**
 * Gives the spare checkout of a table to a publication. Returns the paths of the table whose files it lacks. Null when there
 * is none, or when the publication has a folder already.
 */
export function takeSpare(storage: Storage, table: ObjectReference, revision: string): readonly string[] | null {
  const target = checkoutFolder(revision);
  const list = storage.read(absentList(table));
  const absent = list && parseJson(list.toString());
  if (!isListOfPaths(absent) || storage.exists(target) || !storage.exists(spareFolder(table))) return null;
  storage.rename(spareFolder(table), target);
  return absent;
}

/** Whether a value can be the list of the paths whose files a spare checkout lacks. */
export function isListOfPaths(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((path) => typeof path === 'string');
}

/**
 * Makes the checkout of a past publication the spare one of the current publication, whose route table is `table`.
 * `changes`: from the table of the past one to that of the current one. It is flushed before it counts, so that a power
 * failure cannot leave half a spare checkout under its name.
 */
export function makeSpare(storage: Storage, revision: string, table: ObjectReference, changes: TableChanges): void {
  removeSpares(storage);
  const folder = `${unfinished}/${files}`;
  storage.rename(checkoutFolder(revision), folder);
  const takeOut = (route: Route) => {
    for (const { name } of filesOf(route)) storage.remove(`${folder}/${name}`);
  };
  const absent: string[] = [];
  for (const { route, old } of changes.set) {
    if (old) takeOut(old);
    absent.push(route.path);
  }
  for (const route of changes.removed)
    for (const { name } of filesOf(route)) storage.removeName(`${folder}/${name}`, folder);
  storage.replace(`${unfinished}/${absentFile}`, Buffer.from(JSON.stringify(absent)));
  storage.flush();
  storage.rename(unfinished, `${spares}/${table.sha256}`);
}

/** Removes spare checkouts of other tables, and what a killed build left of one. Without its list, one is of no use. */
export function removeSpares(storage: Storage, except?: ObjectReference): void {
  const kept = except && storage.exists(absentList(except)) ? except.sha256 : null;
  for (const name of storage.entries(spares)) {
    if (name === kept || !spareName.test(name)) continue;
    storage.remove(`${spares}/${name}/${absentFile}`);
    storage.removeFolder(`${spares}/${name}`);
  }
}
