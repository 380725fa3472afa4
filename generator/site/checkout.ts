import { checkoutPath, objectPath } from '../../contract/paths.ts';
import type { Route } from '../../contract/schemas/site-files.ts';
import { Failure } from '../files/failure.ts';
import type { TableChanges } from './route-table.ts';
import type { Storage } from './storage.ts';

/** `name` is below the checkout's folder, and `sha256` is the object that it is linked to. */
type RouteFile = { readonly name: string; readonly sha256: string };

/** The answer, then its variants beside it, named as web servers expect. */
export function routeFiles({ path, sha256, variants = [] }: Pick<Route, 'path' | 'sha256' | 'variants'>): RouteFile[] {
  const files = [{ name: checkoutPath(path), sha256 }];
  for (const variant of variants) files.push({ name: checkoutPath(path, variant.encoding), sha256: variant.sha256 });
  return files;
}

/**
 * Makes a checkout in a folder with unknown content, and sets the times of its files. `leftovers`: files that may be
 * there, and are removed if no route names them.
 */
export function checkOutWhole(
  storage: Storage,
  folder: string,
  routes: { values(): Iterable<Route> },
  leftovers?: readonly string[],
): void {
  linkWhole(storage, folder, routes, leftovers);
  dateFiles(storage, folder, routes.values());
}

/** Like {@link checkOutWhole}, but sets no times. Returns what {@link completeCheckout} returns. */
export function linkWhole(
  storage: Storage,
  folder: string,
  routes: { values(): Iterable<Route> },
  leftovers: readonly string[] = storage.list(folder),
): ReadonlySet<string> {
  const set = Array.from(routes.values(), (route) => ({ route }));
  return completeCheckout(storage, folder, { set, removed: [] }, leftovers);
}

/**
 * Turns a folder into the checkout of a route table: links files that are missing or different, and removes files that
 * no route names. `changes`: from the folder's present routes to the table. Nobody may read the folder meanwhile.
 * `leftovers`: names, in the site, of other files that the folder may contain. Returns the paths of routes with a file
 * that could not be linked and had to be copied.
 */
export function completeCheckout(
  storage: Storage,
  folder: string,
  { set, removed }: TableChanges,
  leftovers: readonly string[] = [],
): ReadonlySet<string> {
  const strays = new Set(leftovers);
  const copied = new Set<string>();
  for (const { route, old } of set) {
    const present = new Map(old && routeFiles(old).map(({ name, sha256 }) => [name, sha256]));
    for (const { name, sha256 } of routeFiles(route)) {
      const path = `${folder}/${name}`;
      const known = present.get(name);
      present.delete(name);
      strays.delete(path);
      if (known === sha256) continue;
      if (known !== undefined) storage.remove(path);
      if (explainMissing(storage, sha256, () => storage.link(objectPath(sha256), path))) copied.add(route.path);
    }
    // Variants that the route no longer has.
    for (const name of present.keys()) strays.add(`${folder}/${name}`);
  }
  for (const route of removed) for (const { name } of routeFiles(route)) strays.add(`${folder}/${name}`);
  for (const stray of strays) storage.removeName(stray, folder);
  return copied;
}

/** If the object is missing, throws a Failure that names it and says what to do. */
function explainMissing<Result>(storage: Storage, sha256: string, use: () => Result): Result {
  try {
    return use();
  } catch (error) {
    if (storage.exists(objectPath(sha256))) throw error;
    throw new Failure(
      'site_damaged',
      `${objectPath(sha256)}: expected an object, got no such file; build --full rebuilds the site`,
    );
  }
}

/**
 * Sets the modification time of files to their Last-Modified, because plain file servers send that time, and make ETags
 * from time and size. Bytes that an earlier publication brought keep its earlier time. A file with several addresses
 * gets the latest of their times.
 */
export function dateFiles(storage: Storage, folder: string, routes: Iterable<Route>): void {
  const byTime = [...Map.groupBy(routes, fileTime)];
  for (const [time, dated] of byTime.sort(([a], [b]) => (a < b ? -1 : 1))) {
    for (const { name } of dated.flatMap(routeFiles)) storage.setTime(`${folder}/${name}`, time);
  }
}

/**
 * The modification time of an answer's files. If earlier bytes have the same Last-Modified, the time is up to a day
 * earlier and depends on the bytes. A plain server then compares another time, and makes another ETag.
 */
export function fileTime({ last_modified, is_date_shared, sha256 }: Route): string {
  if (!is_date_shared) return last_modified;
  const earlier = Date.parse(last_modified) - (1 + Number.parseInt(sha256.slice(0, 4), 16)) * 1000;
  return `${new Date(earlier).toISOString().slice(0, 19)}Z`;
}
