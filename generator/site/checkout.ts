import type { Route } from '../contract/formats/site.ts';
import { checkoutFolder, checkoutPath, objectPath } from '../contract/paths.ts';
import type { TableChanges } from './route-table.ts';
import type { Storage } from './storage.ts';

/** A file of a checkout: its name below the checkout's folder, and the object that it is linked to. */
export type RouteFile = { readonly name: string; readonly sha256: string };

type Answer = Pick<Route, 'path' | 'sha256' | 'variants'>;

/** The files of a route: the answer itself, then its variants, beside it under the names that web servers expect. */
export function filesOf({ path, sha256, variants = [] }: Answer): RouteFile[] {
  const files = [{ name: checkoutPath(path), sha256 }];
  for (const variant of variants) files.push({ name: checkoutPath(path, variant.encoding), sha256: variant.sha256 });
  return files;
}

/**
 * Links an object into a publication's checkout under its readable name. `isSpare`: the checkout has the files of another
 * publication, and nobody reads it yet.
 */
export function giveName(storage: Storage, revision: string, { name, sha256 }: RouteFile, isSpare: boolean): void {
  const path = `${checkoutFolder(revision)}/${name}`;
  if (isSpare) storage.relinkUnseen(objectPath(sha256), path);
  else storage.link(objectPath(sha256), path);
}

/** All routes, for a folder of which nothing is known. */
export function wholeTable(routes: Iterable<Route>): TableChanges {
  return { set: Array.from(routes, (route) => ({ route })), removed: [] };
}

/**
 * Makes a folder the checkout of a route table: links files that are missing or others, and removes files that no route
 * names. `changes`: what differs between the routes whose files the folder has and the table. Returns the paths of routes
 * with a file that had to be copied, because it could not be linked.
 */
export function completeCheckout(
  storage: Storage,
  folder: string,
  { set, removed }: TableChanges,
  { leftovers = [], made = [], isUnseen = false }: CheckoutState = {},
): ReadonlySet<string> {
  const madeOnes = new Map(made.map((one) => [one.made.path, one]));
  const strays = new Set(leftovers);
  const copied = new Set<string>();
  const complete = (route: Route, old: Route | undefined, own: Answer | undefined) => {
    const present = new Map<string, string>();
    for (const file of [...(old ? filesOf(old) : []), ...(own ? filesOf(own) : [])])
      present.set(file.name, file.sha256);
    for (const { name, sha256 } of filesOf(route)) {
      if (strays.size > 0) strays.delete(`${folder}/${name}`);
      const known = present.get(name);
      const give = known === undefined ? storage.link : isUnseen ? storage.relinkUnseen : storage.relink;
      if (known !== sha256 && give.call(storage, objectPath(sha256), `${folder}/${name}`)) copied.add(route.path);
      present.delete(name);
    }
    // Variants that are gone, or files of a route that gave way to the existing one of an immutable address.
    for (const name of present.keys()) strays.add(`${folder}/${name}`);
  };
  for (const { route, old } of set) {
    complete(route, old, madeOnes.get(route.path)?.made);
    madeOnes.delete(route.path);
  }
  for (const { made, route } of madeOnes.values()) complete(route, route, made);
  for (const route of removed) for (const { name } of filesOf(route)) strays.add(`${folder}/${name}`);
  for (const stray of strays) storage.removeName(stray, folder);
  return copied;
}

/**
 * What is known of a folder besides its routes. `leftovers`: names in the site of all files that it may have without
 * anybody knowing. `made`: routes whose files were linked into it while documents were made. `isUnseen`: nobody reads it
 * yet.
 */
type CheckoutState = {
  readonly leftovers?: readonly string[];
  readonly made?: readonly MadeRoute[];
  readonly isUnseen?: boolean;
};

/** A route as it was made, and as it stands in the table: an immutable address keeps the object it has. */
export type MadeRoute = { readonly made: Answer; readonly route: Route };

/**
 * Sets the modification time of files of a checkout to their Last-Modified, because servers of plain files send it and
 * make ETags from time and size. Earlier bytes of an address have an earlier time, so two versions of an address never
 * share a time. A file with several addresses gets the latest of their times.
 */
export function dateFiles(storage: Storage, folder: string, routes: readonly Route[]): void {
  const byTime = routes.toSorted((a, b) =>
    a.last_modified < b.last_modified ? -1 : Number(a.last_modified > b.last_modified),
  );
  for (const route of byTime) {
    for (const { name } of filesOf(route)) storage.setTime(`${folder}/${name}`, route.last_modified);
  }
}
