import type { Pointer, Route } from '../contract/formats/site.ts';
import type { Publication } from '../database/publications.ts';
import type { PendingRoute } from '../encode/representation.ts';

type Kept = Pointer['publications'][number];

/**
 * Gives every route its Last-Modified: that of the previous route if the bytes are the same, else the route's own time
 * if it has one, else the time of this publication. An immutable address keeps the object it has.
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
