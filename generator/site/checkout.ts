import type { Route } from '../contract/formats/site.ts';
import { checkoutPath, objectPath } from '../contract/paths.ts';
import { Failure } from '../failure.ts';
import { groupBy } from '../group-by.ts';
import type { RouteChange, Routes } from './route-table.ts';
import type { Storage } from './storage.ts';

/** A file of a checkout: its name below the checkout's folder, and the object that it is linked to. */
export type RouteFile = { readonly name: string; readonly sha256: string };

/** What the files of an answer follow from. */
export type Answer = Pick<Route, 'path' | 'sha256' | 'variants'>;

/** The files of a route: the answer itself, then its variants, beside it under the names that web servers expect. */
export function filesOf({ path, sha256, variants = [] }: Answer): RouteFile[] {
  const files = [{ name: checkoutPath(path), sha256 }];
  for (const variant of variants) files.push({ name: checkoutPath(path, variant.encoding), sha256: variant.sha256 });
  return files;
}

/**
 * Links an object into a checkout under its readable name. `isSpare`: the checkout has the files of another publication.
 * Nobody reads it yet.
 */
export function giveName(storage: Storage, folder: string, { name, sha256 }: RouteFile, isSpare: boolean): void {
  const path = `${folder}/${name}`;
  if (isSpare) storage.relinkUnseen(objectPath(sha256), path);
  else storage.link(objectPath(sha256), path);
}

/** Checks out all of a table in a folder of which nothing is known, and dates its files. `leftovers`: files it may have. */
export function checkOutWhole(
  storage: Storage,
  folder: string,
  routes: { values(): Iterable<Route> },
  leftovers: readonly string[] = storage.list(folder),
): void {
  completeCheckout(storage, folder, wholeTable(routes), { leftovers });
  dateFiles(storage, folder, routes.values());
}

/** What a checkout has otherwise than the routes whose files are in the folder. `set` can be gone through several times. */
type CheckoutChanges = { readonly set: Iterable<RouteChange>; readonly removed: readonly Route[] };

/** All routes, for a folder of which nothing is known. */
export function wholeTable(routes: { values(): Iterable<Route> }): CheckoutChanges {
  function* all() {
    for (const route of routes.values()) yield { route };
  }
  return { set: { [Symbol.iterator]: all }, removed: [] };
}

/**
 * Makes a folder the checkout of a route table: links files that are missing or others, and removes files that no route
 * names. `changes`: what differs between the routes whose files the folder has and the table. Returns the paths of routes
 * with a file that had to be copied, because it could not be linked.
 */
export function completeCheckout(
  storage: Storage,
  folder: string,
  { set, removed }: CheckoutChanges,
  { leftovers = [], made, isUnseen = false }: CheckoutState = {},
): ReadonlySet<string> {
  const madeOnes = new Map(made?.answers.map((answer) => [answer.path, answer]));
  const strays = new Set(leftovers);
  const copied = new Set<string>();
  const complete = (route: Route, old: Route | undefined, made: Answer | undefined) => {
    const present = new Map<string, string>();
    for (const file of [...(old ? filesOf(old) : []), ...(made ? filesOf(made) : [])])
      present.set(file.name, file.sha256);
    for (const { name, sha256 } of filesOf(route)) {
      if (strays.size > 0) strays.delete(`${folder}/${name}`);
      const known = present.get(name);
      const give = known === undefined ? storage.link : isUnseen ? storage.relinkUnseen : storage.relink;
      const giveIt = () => give.call(storage, objectPath(sha256), `${folder}/${name}`);
      if (known !== sha256 && explainMissing(storage, sha256, giveIt)) copied.add(route.path);
      present.delete(name);
    }
    // Variants that are gone, or files of a route that gave way to the existing one of an immutable address.
    for (const name of present.keys()) strays.add(`${folder}/${name}`);
  };
  for (const { route, old } of set) {
    const made = madeOnes.get(route.path);
    madeOnes.delete(route.path);
    // Most answers have one file, which was linked when it was made.
    const isLinked = made?.sha256 === route.sha256 && !made.variants && !route.variants && !old?.variants;
    if (!isLinked || strays.size > 0) complete(route, old, made);
  }
  for (const answer of madeOnes.values()) {
    const route = made?.routes.get(answer.path);
    if (!route) throw new Error(`no route of ${answer.path}, which was made`);
    complete(route, route, answer);
  }
  for (const route of removed) for (const { name } of filesOf(route)) strays.add(`${folder}/${name}`);
  for (const stray of strays) storage.removeName(stray, folder);
  return copied;
}

/** Uses an object. Throws a Failure that names it, and what to do, when it is missing. */
function explainMissing<Result>(storage: Storage, sha256: string, use: () => Result): Result {
  try {
    return use();
  } catch (error) {
    if (storage.exists(objectPath(sha256))) throw error;
    throw new Failure(
      `${objectPath(sha256)}: expected an object, got no such file; build --full makes the whole site again`,
    );
  }
}

/**
 * What is known of a folder besides its routes. `leftovers`: names in the site of all files that it may have without
 * anybody knowing. `made`: answers whose files were linked into it while documents were made, and all routes, where an
 * immutable address keeps the object it has. `isUnseen`: nobody reads it yet.
 */
export type CheckoutState = {
  readonly leftovers?: readonly string[];
  readonly made?: { readonly answers: readonly Answer[]; readonly routes: Routes };
  readonly isUnseen?: boolean;
};

/**
 * Sets the modification time of files of a checkout to their Last-Modified, because servers of plain files send it and
 * make ETags from time and size. The bytes of an earlier publication have an earlier time. A file with several addresses
 * gets the latest of their times.
 */
export function dateFiles(storage: Storage, folder: string, routes: Iterable<Route>): void {
  const byTime = [...groupBy(routes, (route) => route.last_modified)];
  for (const [time, dated] of byTime.sort(([a], [b]) => (a < b ? -1 : 1))) {
    for (const { name } of dated.flatMap(filesOf)) storage.setTime(`${folder}/${name}`, time);
  }
}
