import type { Pointer } from '../contract/formats/site.ts';
import type { Publication } from '../database/publications.ts';
import type { PreviousSite } from '../site/built-site.ts';

/** Superseded publications whose documents are kept for readers under way. */
export const supersededKept = 2;

/** What the pointer says of a publication. */
export type ListedPublication = Pointer['publications'][number];

/** The publications before the current one whose documents stay, newest first. */
export function supersededBy(
  current: Publication,
  previous: PreviousSite | null,
  keepAll: boolean,
): ListedPublication[] {
  const others = (previous?.pointer.publications ?? []).filter(
    ({ routes, revision }) => routes !== null && revision !== current.revision,
  );
  return keepAll ? others : others.slice(0, supersededKept);
}

/** The pointer to a publication: retained and kept publications, newest first. */
export function pointerTo(
  current: Publication,
  routes: Pointer['routes'],
  exported: readonly Publication[],
  superseded: readonly ListedPublication[],
): Pointer {
  const listed = new Map<string, ListedPublication>();
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
