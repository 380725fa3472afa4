import { pathOf } from '../contract/paths.ts';
import type { Pointer, Route } from '../contract/site.ts';
import type { Publication } from '../database/publications.ts';
import type { PendingRoute } from '../representations/representation.ts';
import type { PreviousSite } from '../store/previous-site.ts';
import type { BuildCache } from './build-cache.ts';

/** Superseded publications whose documents are kept for readers under way. */
export const keptPublications = 2;

type Kept = Pointer['publications'][number];

/**
 * Gives every route its Last-Modified: that of the same bytes at the same address in the site before, else the time
 * of this publication. An address that never changes keeps the object it has.
 */
export function datedRoutes(
  pending: readonly PendingRoute[],
  before: ReadonlyMap<string, Route>,
  current: Publication,
): Route[] {
  const now = `${current.published_at.slice(0, 19)}Z`;
  return pending.map((route) => {
    const previous = before.get(route.path);
    const isSame = previous?.sha256 === route.sha256;
    if (!isSame && previous?.cache === 'immutable' && route.cache === 'immutable') return previous;
    return { ...route, last_modified: isSame ? previous.last_modified : (route.last_modified ?? now) };
  });
}

/** The publications whose documents stay beside the current one's, newest first. */
export function supersededBy(current: Publication, previous: PreviousSite | null, keepAll: boolean): Kept[] {
  const others = (previous?.pointer.publications ?? []).filter(
    ({ routes, revision }) => routes !== null && revision !== current.revision,
  );
  return keepAll ? others : others.slice(0, keptPublications);
}

/**
 * Pages that only a superseded list leads to: a plain host serves them at their own address as long as that list's
 * publication is kept. `carried`: the last publication to which each page belonged, by path.
 */
export function carriedPages(
  routes: readonly Route[],
  previous: PreviousSite | null,
  superseded: readonly Kept[],
  cache: BuildCache | null,
): { routes: Route[]; carried: Record<string, number> } {
  const own = new Set(routes.map(({ path }) => path));
  const kept = new Set(superseded.map(({ sequence }) => sequence));
  const pages: Route[] = [];
  const carried: Record<string, number> = {};
  for (const route of previous?.routes.values() ?? []) {
    if (route.cache !== 'immutable' || own.has(route.path) || isOfExports(route)) continue;
    const last = cache?.carried[route.path] ?? previous?.pointer.sequence ?? 0;
    if (!kept.has(last)) continue;
    pages.push(route);
    carried[route.path] = last;
  }
  return { routes: pages, carried };
}

/** Export files and what speaks of them leave with their own publication, and no list leads to them. */
function isOfExports({ path }: Route): boolean {
  return path.startsWith(`${pathOf('exports')}/`);
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
