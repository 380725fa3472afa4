import { checkoutFolder } from '../../contract/paths.ts';
import type { ObjectReference, Route } from '../../contract/schemas/site-files.ts';
import { parseJson } from '../../contract/text.ts';
import { routeFiles } from './checkout.ts';
import type { TableChanges } from './route-table.ts';
import type { Storage } from './storage.ts';

/*
 * A checkout has a name for every file of a publication. Linking all of them for each publication, and removing those
 * of a past one, takes longer than making the documents that changed. So the checkout of a publication past retention
 * becomes a spare one, and the next build starts from it. Files that have changed since are removed at once, so that
 * the spare checkout holds only objects that a publication needs. The new files are not linked until the next build,
 * because most of them will have changed again by then: the same products are retrieved every day.
 */

export const spares = 'spare';

const unfinished = `${spares}/unfinished`;

const spareName = /^([0-9a-f]{64}|unfinished)$/;

/** The files, and the list of paths whose files are missing. */
const [files, absentFile] = ['checkout', 'absent.json'];

/** The folder with the files of a route table, except for the paths listed as absent. */
export function spareFolder(table: Pick<ObjectReference, 'sha256'>): string {
  return `${spares}/${table.sha256}/${files}`;
}

/** The file that lists the paths whose files a spare checkout lacks, as a JSON array. */
export function absentList(table: Pick<ObjectReference, 'sha256'>): string {
  return `${spares}/${table.sha256}/${absentFile}`;
}

/**
 * Gives a table's spare checkout to a publication. Returns the paths whose files it lacks. Null if there is no spare
 * one, or if the publication has a folder already.
 */
export function takeSpare(storage: Storage, table: ObjectReference, revision: string): readonly string[] | null {
  const target = checkoutFolder(revision);
  const list = storage.read(absentList(table));
  const absent = list && parseJson(list.toString());
  if (!isListOfPaths(absent) || storage.exists(target) || !storage.exists(spareFolder(table))) return null;
  storage.rename(spareFolder(table), target);
  return absent;
}

export function isListOfPaths(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((path) => typeof path === 'string');
}

/**
 * Turns the checkout of a past publication into the spare one for `table`, the current route table. `changes`: from the
 * past table to the current one. It is flushed before it gets its name, so that a power failure cannot leave half a
 * spare checkout there.
 */
export function makeSpare(storage: Storage, revision: string, table: ObjectReference, changes: TableChanges): void {
  removeSpares(storage);
  const folder = `${unfinished}/${files}`;
  storage.rename(checkoutFolder(revision), folder);
  const takeOut = (route: Route) => {
    for (const { name } of routeFiles(route)) storage.remove(`${folder}/${name}`);
  };
  const absent: string[] = [];
  for (const { route, old } of changes.set) {
    if (old) takeOut(old);
    absent.push(route.path);
  }
  for (const route of changes.removed)
    for (const { name } of routeFiles(route)) storage.removeName(`${folder}/${name}`, folder);
  storage.replace(`${unfinished}/${absentFile}`, Buffer.from(JSON.stringify(absent)));
  storage.flush();
  storage.rename(unfinished, `${spares}/${table.sha256}`);
}

/** Removes spare checkouts of other tables, and unfinished ones. A spare checkout without its list is useless. */
export function removeSpares(storage: Storage, except?: ObjectReference): void {
  const kept = except && storage.exists(absentList(except)) ? except.sha256 : null;
  for (const name of storage.entries(spares)) {
    if (name === kept || !spareName.test(name)) continue;
    storage.remove(`${spares}/${name}/${absentFile}`);
    storage.removeFolder(`${spares}/${name}`);
  }
}
