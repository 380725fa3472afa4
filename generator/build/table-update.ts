import type { Route } from '../contract/formats/site.ts';
import { staysForReaders, templates } from '../contract/paths.ts';
import type { Publication } from '../database/publications.ts';
import type { PendingRoute } from '../encode/representation.ts';
import type { RouteChange, RouteTable } from '../site/route-table.ts';
import type { ListedPublication } from './pointer.ts';

/** Routes that a build takes over from the site: single ones by path, and all of a product or family by its id. */
export type TakenOver = { readonly paths: ReadonlySet<string>; readonly entities: ReadonlySet<string> };

/** A route as the current publication's own, also where one before had lost it. */
function ownRoute(route: Route): Route {
  if (route.last_sequence === undefined) return route;
  const { last_sequence: _, ...own } = route;
  return own;
}

/**
 * What the route table of the current publication has otherwise than the one before: the routes that were made, those
 * that are its own again, and those that it carries, each with the one of the table before; and those that are gone.
 */
export type TableUpdate = { readonly set: readonly RouteChange[]; readonly removed: readonly Route[] };

/**
 * Compares the answers that a build makes with the route table before, in steps, so that much of it is done while another
 * thread still works.
 */
export class TableComparison {
  readonly #before: RouteTable;
  readonly #publication: Publication;
  readonly #changes: RouteChange[] = [];
  #left: Paths;

  constructor(before: RouteTable, publication: Publication) {
    this.#before = before;
    this.#publication = publication;
    this.#left = before.paths();
  }

  /** Compares those of the answers that were made since the last call. `taken`: those known to be taken over by now. */
  compare(made: readonly PendingRoute[], taken: TakenOver): void {
    const now = `${this.#publication.published_at.slice(0, 19)}Z`;
    for (const route of made.slice(this.#changes.length)) {
      const old = this.#before.get(route.path);
      this.#changes.push({ route: ownRoute(datedRoute(route, old, now)), old });
    }
    this.#left = leftPaths(this.#left, this.#changes, taken);
  }

  /** The update of the table, after all answers were compared. */
  update(taken: TakenOver, superseded: readonly ListedPublication[]): TableUpdate {
    const set = [...this.#changes];
    const removed: Route[] = [];
    for (const [path] of this.#left) {
      const old = this.#before.get(path);
      if (!old) throw new Error(`no route of ${path}`);
      const route = taken.paths.has(path) ? ownRoute(old) : carriedRoute(old, superseded);
      if (route) set.push({ route, old });
      else removed.push(old);
    }
    return { set, removed };
  }
}

/** Paths of a table, each with whether only an earlier publication had it. */
type Paths = Iterable<[path: string, isCarried: boolean]>;

/** Those of the paths that were not made anew, and that are not taken over as they are. */
function leftPaths(paths: Paths, made: readonly RouteChange[], taken: TakenOver): [string, boolean][] {
  const madePaths = new Set(made.map(({ route }) => route.path));
  const left: [string, boolean][] = [];
  for (const [path, isCarried] of paths) {
    if (!isCarried && (taken.entities.has(entityIn(path)) || taken.paths.has(path))) continue;
    if (!madePaths.has(path)) left.push([path, isCarried]);
  }
  return left;
}

/** What the addresses of products and families begin with, up to their id. */
const entityPrefixes = [
  ...new Set(Object.values(templates).flatMap((path) => /^(.*?)\{(?:product|family)_id\}/.exec(path)?.[1] ?? [])),
];
const idLength = '00000000-0000-0000-0000-000000000000'.length;

/** The id of the product or family that an address is of; empty for other addresses. */
function entityIn(path: string): string {
  for (const prefix of entityPrefixes) {
    if (path.startsWith(prefix)) return path.slice(prefix.length, prefix.length + idLength);
  }
  return '';
}

/**
 * The route of an address that the current publication no longer has, but a kept one had; null when none had it. A reader
 * who began with that one still holds pages and rows that lead there, so the address stays as it was for as long as the
 * publication is kept.
 */
function carriedRoute(route: Route, superseded: readonly ListedPublication[]): Route | null {
  if (!staysForReaders(route.path)) return null;
  // A publication that is built again finds itself in the pointer: what it lacks is of the one before.
  const last_sequence = route.last_sequence ?? superseded[0]?.sequence ?? 0;
  return superseded.some(({ sequence }) => sequence === last_sequence) ? { ...route, last_sequence } : null;
}

/**
 * Gives a route its Last-Modified: that of the previous route if the bytes are the same, else the route's own time if it
 * has one, else `now`, the time of this publication. An immutable address keeps the object it has.
 */
function datedRoute(route: PendingRoute, previous: Route | undefined, now: string): Route {
  const isSame = previous?.sha256 === route.sha256;
  if (!isSame && previous?.cache === 'immutable' && route.cache === 'immutable') return previous;
  return { ...route, last_modified: isSame ? previous.last_modified : (route.last_modified ?? now) };
}
