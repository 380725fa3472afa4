import type { Route } from '../contract/formats/site.ts';
import { checkoutFolder, checkoutPath, objectPath } from '../contract/paths.ts';
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

/** Links an object into a publication's checkout under its readable name. True when the file had to be copied. */
export function giveName(storage: Storage, revision: string, { name, sha256 }: RouteFile): boolean {
  return storage.link(objectPath(sha256), `${checkoutFolder(revision)}/${name}`);
}

/** What a folder has before it becomes the checkout of a publication. */
export type CheckoutBefore = {
  /** The routes whose files it has, by path; exactly these, if `leftovers` is null. */
  readonly routes: ReadonlyMap<string, Answer>;
  /** Names in the site of all its files, when nobody knows what they are. */
  readonly leftovers: readonly string[] | null;
};

/** A folder of which nothing is known: new, of this publication, or left by a killed build. */
export function unknownCheckout(storage: Storage, revision: string): CheckoutBefore {
  return { routes: new Map(), leftovers: storage.list(checkoutFolder(revision)) };
}

/**
 * Makes a folder the checkout of these routes: links files that are missing or others, and removes files that no route
 * names. What did not change is not touched. `made`: routes whose files were linked into the folder while documents
 * were made. Returns the paths of routes with a file that had to be copied, because it could not be linked.
 */
export function completeCheckout(
  storage: Storage,
  folder: string,
  routes: readonly Route[],
  before: CheckoutBefore,
  made: readonly Answer[] = [],
): ReadonlySet<string> {
  const madeOnes = new Map(made.map((route) => [route.path, route]));
  const strays = new Set(before.leftovers);
  const copied = new Set<string>();
  const paths = new Set<string>();
  for (const route of routes) {
    const { path } = route;
    paths.add(path);
    const old = before.routes.get(path);
    const own = madeOnes.get(path);
    if (own === undefined && old === route) continue;
    const present = new Map<string, string>();
    for (const { name, sha256 } of [...(old ? filesOf(old) : []), ...(own ? filesOf(own) : [])])
      present.set(name, sha256);
    for (const { name, sha256 } of filesOf(route)) {
      if (strays.size > 0) strays.delete(`${folder}/${name}`);
      if (present.get(name) !== sha256 && storage.link(objectPath(sha256), `${folder}/${name}`)) copied.add(path);
      present.delete(name);
    }
    // Variants that are gone, or files of a route that gave way to the existing one of an immutable address.
    for (const name of present.keys()) strays.add(`${folder}/${name}`);
  }
  for (const [path, old] of before.routes) {
    if (!paths.has(path)) for (const { name } of filesOf(old)) strays.add(`${folder}/${name}`);
  }
  for (const stray of strays) storage.removeName(stray, folder);
  return copied;
}

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
