import { epochSeconds } from '../../contract/instant.ts';
import type { Publication } from '../database/publications.ts';

const day = 86_400;

/**
 * The current publication, and those whose exports have not expired by publication_days, newest first. Expired exports
 * do not come back when publication_days grows: they would be made again, and bytes at their addresses must never
 * change.
 */
export function retainedPublications(publications: readonly Publication[], current: Publication): Publication[] {
  const bound = publications.reduce((latest, one) => Math.max(latest, exportsBound(one)), exportsBound(current));
  return [...publications]
    .reverse()
    .filter((publication) => publication.sequence === current.sequence || publishedSeconds(publication) >= bound);
}

/**
 * The time before which change events have expired, in seconds since 1970. Expired events do not come back when
 * history_days grows: the oldest sealed page links to no earlier one, and it never changes.
 */
export function historyBound(publication: Publication, publicationAt: (sequence: number) => Publication): number {
  const later: Publication[] = [];
  let at = publication;
  while (!bounds.has(at) && at.sequence > 1) {
    later.push(at);
    at = publicationAt(at.sequence - 1);
  }
  let bound = bounds.get(at) ?? ownEventsBound(at);
  for (const one of later.reverse()) {
    bound = Math.max(bound, ownEventsBound(one));
    bounds.set(one, bound);
  }
  return bound;
}

function exportsBound(publication: Publication): number {
  return daysBefore(publication, publication.publication_days);
}

function ownEventsBound(publication: Publication): number {
  return daysBefore(publication, publication.history_days);
}

/** The time some days before a publication, in seconds since 1970. */
function daysBefore(publication: Publication, days: number): number {
  return publishedSeconds(publication) - days * day;
}

const bounds = new WeakMap<Publication, number>();

/**
 * The time of a publication in seconds since 1970. Cached, because every change list asks for the same publications.
 */
export function publishedSeconds(publication: Publication): number {
  const seconds = knownSeconds.get(publication) ?? epochSeconds(publication.published_at);
  knownSeconds.set(publication, seconds);
  return seconds;
}

const knownSeconds = new WeakMap<Publication, number>();

/** The sequence of the last publication whose events have expired; 0 for none. */
export function lastExpired(series: Series): number {
  return countBefore(series.publications, eventsBound(series));
}

function eventsBound({ publications, publication }: Series): number {
  // Sequences count from 1 without gaps.
  return historyBound(publication, (sequence) => publications[sequence - 1] as Publication);
}

/** `publications` are all up to `publication`, oldest first. */
type Series = { readonly publications: readonly Publication[]; readonly publication: Publication };

/** The sequence of the last publication more than `seconds` before the current one; 0 for none. */
export function lastBefore({ publications, publication }: Series, seconds: number): number {
  return countBefore(publications, publishedSeconds(publication) - seconds);
}

/** How many publications are older than an instant in seconds since 1970. This is the newest one's sequence. */
function countBefore(publications: readonly Publication[], bound: number): number {
  return publications.filter((publication) => publishedSeconds(publication) < bound).length;
}

/**
 * What expires next: the exports of one publication, and the events of one publication; null for nothing. Each of them
 * expires with the first publication after the instant `after`. `publications`: all up to the current one, oldest
 * first.
 */
export function nextToExpire(publications: readonly Publication[], current: Publication) {
  const { history_days, publication_days } = current;
  const oldest = retainedPublications(publications, current).at(-1);
  const bound = eventsBound({ publications, publication: current });
  const oldestWithEvents = publications.find(
    (publication, index) =>
      publishedSeconds(publication) >= bound && publication.last_event > (publications[index - 1]?.last_event ?? 0),
  );
  return {
    exports: oldest && oldest.sequence !== current.sequence ? expiry(oldest, publication_days) : null,
    events: oldestWithEvents ? expiry(oldestWithEvents, history_days) : null,
  };
}

/** When what a publication keeps for `days` expires. Null if that would be after the year 9999: then it never does. */
function expiry({ sequence, published_at }: Publication, days: number) {
  const after = later(published_at, days);
  return after === null ? null : { sequence, after };
}

const lastSecond = epochSeconds('9999-12-31T23:59:59Z');

/** A canonical instant in whole seconds; null after the year 9999. */
function later(instant: string, days: number): string | null {
  const seconds = Math.floor(epochSeconds(instant)) + days * day;
  return seconds > lastSecond ? null : `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}
