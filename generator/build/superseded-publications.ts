import type { Pointer, Route } from '../contract/formats/site.ts';
import { staysForReaders } from '../contract/paths.ts';
import type { Publication } from '../database/publications.ts';
import type { PreviousSite } from '../site/previous-site.ts';

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

/** Routes as the current publication's own, also where one before had lost them. */
export function ownRoutes(routes: readonly Route[]): Route[] {
  return routes.map((route) => {
    if (route.last_sequence === undefined) return route;
    const { last_sequence: _, ...own } = route;
    return own;
  });
}

/**
 * Addresses that the current publication no longer has, but a kept one had. A reader who began with that one still holds
 * pages and rows that lead there, so each address stays as it was for as long as the publication is kept. The table of the
 * publication before has them all.
 */
export function carriedRoutes(
  own: readonly Route[],
  previous: PreviousSite | null,
  superseded: readonly Kept[],
): Route[] {
  const ownPaths = new Set(own.map(({ path }) => path));
  const kept = new Set(superseded.map(({ sequence }) => sequence));
  // A publication that is built again finds itself in the pointer: what it lacks is of the one before.
  const newestKept = superseded[0]?.sequence ?? 0;
  const carried: Route[] = [];
  for (const route of previous?.routes.values() ?? []) {
    if (ownPaths.has(route.path) || !staysForReaders(route.path)) continue;
    const last_sequence = route.last_sequence ?? newestKept;
    if (kept.has(last_sequence)) carried.push({ ...route, last_sequence });
  }
  return carried;
}
