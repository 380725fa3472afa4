import { countOf } from '../contract/counts.ts';
import type { Pointer, Route } from '../contract/formats/site.ts';
import { staysForReaders, templates } from '../contract/paths.ts';
import { openForReading } from '../database/database-file.ts';
import { latestPublication, type Publication, publicationsUpTo } from '../database/publications.ts';
import type { PendingRoute } from '../encode/representation.ts';
import { Failure } from '../failure.ts';
import { retainedPublications } from '../model/retention.ts';
import type { PreviousSite } from '../site/built-site.ts';
import type { RouteChange, RouteTable } from '../site/route-table.ts';

/** The publications of a build: the latest one, and those whose exports the site has, newest first. */
export type BuildTarget = { readonly current: Publication; readonly exported: readonly Publication[] };

/**
 * Reads the publications to build. Throws a Failure when the database holds no publication, or when the existing site
 * is of another database.
 */
export function buildTargetOf(database: string, which: 'retained' | 'current', previous: Pointer | null): BuildTarget {
  const connection = openForReading(database);
  try {
    const current = latestPublication(connection);
    if (!current) throw new Failure(`${database} holds no publication yet: publish a snapshot first`);
    const publications = publicationsUpTo(connection, current.sequence);
    if (previous) refuseForeign(previous, publications, database);
    return { current, exported: which === 'current' ? [current] : retainedPublications(publications, current) };
  } finally {
    connection.close();
  }
}

/** Refuses a site whose current publication is not in the database, and says what to do (docs/recovery.md). */
function refuseForeign(site: Pointer, publications: readonly Publication[], database: string): void {
  const { revision, sequence } = site;
  const known = new Set(publications.map((one) => one.revision));
  if (known.has(revision)) return;
  const isShared = site.publications.some((one) => known.has(one.revision));
  if (isShared && sequence > publications.length) {
    throw new Failure(
      `the folder holds a site of publication ${sequence}: expected revision ${revision} in ${database}, got ${countOf(publications.length, 'publication')} up to ${publications.at(-1)?.revision}; publish the snapshots after these again, or build into an empty folder`,
    );
  }
  const found = publications[sequence - 1];
  const got = found ? `publication ${sequence} is ${found.revision}` : `there is no publication ${sequence}`;
  throw new Failure(
    `the folder holds a site of another database: expected its revision ${revision} (publication ${sequence}) in ${database}, where ${got}; build into an empty folder`,
  );
}

/** Superseded publications whose documents are kept for readers under way. */
export const supersededKept = 2;

type Kept = Pointer['publications'][number];

/** The publications before the current one whose documents stay, newest first. */
export function supersededBy(current: Publication, previous: PreviousSite | null, keepAll: boolean): Kept[] {
  const others = (previous?.pointer.publications ?? []).filter(
    ({ routes, revision }) => routes !== null && revision !== current.revision,
  );
  return keepAll ? others : others.slice(0, supersededKept);
}

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

/** The routes that were made, dated, each with the one of the table before. */
export function madeChanges(before: RouteTable, made: readonly PendingRoute[], current: Publication): RouteChange[] {
  const now = `${current.published_at.slice(0, 19)}Z`;
  return made.map((route) => {
    const old = before.get(route.path);
    return { route: ownRoute(datedRoute(route, old, now)), old };
  });
}

/** Paths of a table, each with whether only an earlier publication had it. */
type Paths = Iterable<[path: string, isCarried: boolean]>;

/** Those of the paths that were not made anew, and that are not taken over as they are. */
export function leftPaths(paths: Paths, made: readonly RouteChange[], taken: TakenOver): [string, boolean][] {
  const madePaths = new Set(made.map(({ route }) => route.path));
  const left: [string, boolean][] = [];
  for (const [path, isCarried] of paths) {
    if (!isCarried && (taken.entities.has(entityIn(path)) || taken.paths.has(path))) continue;
    if (!madePaths.has(path)) left.push([path, isCarried]);
  }
  return left;
}

/** The update of a table with these changes. `left`: all other paths of it that are not taken over as they are. */
export function tableUpdate(
  before: RouteTable,
  made: readonly RouteChange[],
  left: Paths,
  taken: TakenOver,
  superseded: readonly Kept[],
): TableUpdate {
  const set = [...made];
  const removed: Route[] = [];
  for (const [path] of left) {
    const old = before.get(path);
    if (!old) throw new Error(`no route of ${path}`);
    const route = taken.paths.has(path) ? ownRoute(old) : carriedRoute(old, superseded);
    if (route) set.push({ route, old });
    else removed.push(old);
  }
  return { set, removed };
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
function carriedRoute(route: Route, superseded: readonly Kept[]): Route | null {
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

/** The pointer to a publication: retained and kept publications, newest first. */
export function pointerTo(
  current: Publication,
  routes: Pointer['routes'],
  exported: readonly Publication[],
  superseded: readonly Kept[],
): Pointer {
  const listed = new Map<string, Kept>();
  for (const { revision, sequence, published_at } of exported) {
    listed.set(revision, { revision, sequence, published_at, routes: null });
  }
  for (const kept of superseded) listed.set(kept.revision, kept);
  const { revision, sequence, published_at } = current;
  listed.set(revision, { revision, sequence, published_at, routes });
  return {
    format: 'shelfpress-site',
    format_version: 1,
    revision,
    sequence,
    published_at,
    routes,
    publications: [...listed.values()].sort((a, b) => b.sequence - a.sequence),
  };
}
