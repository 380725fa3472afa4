import { checkoutFolder } from '../../contract/paths.ts';
import { staysForReaders } from '../../contract/routes.ts';
import { documentedPublications, type Pointer } from '../../contract/schemas/site-files.ts';
import type { PreviousSite } from '../site/built-site.ts';
import { sweep } from '../site/foreign-folder.ts';
import {
  addNamedObjects,
  changesBetween,
  namedObjects,
  type Routes,
  type RouteTable,
  readTable,
} from '../site/route-table.ts';
import { makeSpare, removeSpares } from '../site/spare-checkout.ts';
import type { Storage } from '../site/storage.ts';

/** Readers under way may still need the documents of this many earlier publications. */
export const earlierKept = 2;

type Published = Pick<Pointer, 'revision' | 'sequence' | 'published_at'>;

export type ListedPublication = Pointer['publications'][number];

/** The earlier publications that stay kept, newest first. */
export function keptBefore(current: Published, previous: PreviousSite | null, keepAll: boolean): ListedPublication[] {
  const others = (previous?.pointer.publications ?? []).filter(
    ({ routes, revision }) => routes !== null && revision !== current.revision,
  );
  return keepAll ? others : others.slice(0, earlierKept);
}

/** Lists retained and kept publications, newest first. */
export function pointerTo(
  current: Published,
  routes: Pointer['routes'],
  exported: readonly Published[],
  earlier: readonly ListedPublication[],
): Pointer {
  const identity = ({ revision, sequence, published_at }: Published) => ({ revision, sequence, published_at });
  const all = [...exported.map((one) => ({ ...identity(one), routes: null })), ...earlier];
  const listed = new Map<string, ListedPublication>(all.map((one) => [one.revision, one]));
  listed.set(current.revision, { ...identity(current), routes });
  return {
    format: 'shelfpress-site',
    format_version: 1,
    ...identity(current),
    routes,
    publications: [...listed.values()].sort((a, b) => b.sequence - a.sequence),
  };
}

/**
 * The routes that readers under way may hold: the previous site's. If the same publication is built again, they are the
 * routes of the publication before it, because an address that only the former build had belongs to no publication.
 */
export function routesBefore(
  storage: Storage,
  current: Published,
  { previous, before }: { readonly previous: PreviousSite | null; readonly before: Routes },
  [newest]: readonly ListedPublication[],
): Routes {
  if (previous?.pointer.revision !== current.revision) return before;
  return newest?.routes ? readTable(storage, newest.routes).routes : new Map();
}

/**
 * Adds carried routes to those that the units made or kept. An address that only a kept publication has stays unchanged
 * as long as that publication is kept: a reader who began there still holds pages and rows that link to it.
 */
export function withCarried(routes: Routes, before: Routes, earlier: readonly ListedPublication[]): Routes {
  const all = new Map(routes);
  for (const route of before.values()) {
    if (routes.has(route.path) || !staysForReaders(route.path)) continue;
    const last_sequence = route.last_sequence ?? earlier[0]?.sequence ?? 0;
    if (earlier.some(({ sequence }) => sequence === last_sequence)) all.set(route.path, { ...route, last_sequence });
  }
  return all;
}

/**
 * Runs after the pointer has moved. The newest past checkout becomes the spare one. `table`: the route table of the
 * pointer. Returns the number of deleted objects.
 */
export function removePast(
  storage: Storage,
  pointer: Pointer,
  table: RouteTable,
  previous: PreviousSite | null,
): number {
  const kept = documentedPublications(pointer);
  const inMemory = new Map([[pointer.routes.sha256, table]]);
  if (previous) inMemory.set(previous.pointer.routes.sha256, previous);
  const revisions = new Set(kept.map(({ revision }) => revision));
  const past = (previous ? documentedPublications(previous.pointer) : []).find(
    ({ revision }) => !revisions.has(revision) && storage.exists(checkoutFolder(revision)),
  );
  if (past) {
    const before = inMemory.get(past.routes.sha256) ?? readTable(storage, past.routes);
    makeSpare(storage, past.revision, pointer.routes, changesBetween(before.routes, table.routes));
  } else removeSpares(storage, pointer.routes);
  const named = new Set<string>();
  for (const { routes } of kept) {
    const known = inMemory.get(routes.sha256);
    if (known) for (const sha256 of namedObjects(known)) named.add(sha256);
    else addNamedObjects(storage, routes, named);
  }
  return sweep(storage, revisions, named);
}
