import { instantSpan } from '../../contract/instant.ts';
import { pageSize } from '../../contract/pages.ts';
import type { ChangeHistory } from '../../contract/schemas/change.ts';
import type { EventSpanRow } from '../database/events.ts';
import type { Publication } from '../database/publications.ts';
import { historyBound, publishedSeconds } from './retention.ts';

/** The events of one publication in a feed. `last` is the position of the last one. */
export type Batch = { readonly publication: number; readonly last: number };

/** Positions count from 1, oldest first. Batches are in the order of publications. */
export type FeedLog = {
  readonly batches: readonly Batch[];
  readonly span: (first: number, last: number) => EventSpanRow;
};

/**
 * Splits a list of events into sealed pages of 100, numbered from the oldest, and a head with the remaining 1 to 100
 * events. The publication that brings the event after a page seals it; it never changes from then on. Everything here
 * depends only on the log and the retention, so every build splits the list in the same way.
 */
export function pagedFeed({ batches, span }: FeedLog, publicationAt: (sequence: number) => Publication) {
  const histories = new Map<number, ChangeHistory>();

  function total(publication: number): number {
    const after = partition(batches.length, (index) => (batches[index] as Batch).publication > publication);
    return batches[after - 1]?.last ?? 0;
  }

  function publicationAtPosition(position: number): number {
    const found = batches[partition(batches.length, (index) => (batches[index] as Batch).last >= position)];
    if (!found) throw new Error(`no event at position ${position}`);
    return found.publication;
  }

  /** A page expires with its newest event. */
  function isRetained(newestPosition: number, publication: number): boolean {
    const newest = publicationAt(publicationAtPosition(newestPosition));
    return publishedSeconds(newest) >= historyBound(publicationAt(publication), publicationAt);
  }

  const sealedPages = (publication: number) => Math.floor(Math.max(0, total(publication) - 1) / pageSize);

  /** The head counts as the page after the last sealed one. */
  function firstRetainedPage(publication: number): number {
    const pages = sealedPages(publication);
    if (pages === 0 || isRetained(pageSize, publication)) return 1;
    return partition(pages, (index) => isRetained((index + 1) * pageSize, publication)) + 1;
  }

  /** Whether the head has a retained event. False for an empty feed. */
  function isHeadRetained(publication: number): boolean {
    const count = total(publication);
    return count > 0 && isRetained(count, publication);
  }

  /** The first and the last retained position; null if no event is retained. */
  function retained(publication: number): { first: number; last: number } | null {
    if (!isHeadRetained(publication)) return null;
    return { first: (firstRetainedPage(publication) - 1) * pageSize + 1, last: total(publication) };
  }

  /** `meta.history` as of a publication, contract.md 2. */
  function history(publication: number): ChangeHistory {
    const known = histories.get(publication);
    if (known) return known;
    const kept = retained(publication);
    const times = kept && span(kept.first, kept.last);
    const count = kept ? kept.last - kept.first + 1 : 0;
    const found = {
      tracking_started_at: publicationAt(1).published_at,
      earliest_available_at: times?.min ?? null,
      latest_available_at: times?.max ?? null,
      retention_days: publicationAt(publication).history_days,
      retained_event_count: count,
      source_update_time_known: times !== null && times.dated === count,
    };
    histories.set(publication, found);
    return found;
  }

  /** The publication that brings the event after a page seals it. */
  const sealedBy = (page: number) => publicationAtPosition(page * pageSize + 1);

  return { total, publicationAtPosition, sealedPages, sealedBy, firstRetainedPage, isHeadRetained, retained, history };
}
export type Feed = ReturnType<typeof pagedFeed>;

/** Binary search for the first index at which a condition holds. It must hold from there on to `length`. */
function partition(length: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

type LoggedEvent = {
  readonly publication: number;
  readonly retrieved_at: string;
  readonly source_updated_at: string | null;
};

export function spanOfEvents(events: readonly LoggedEvent[]): EventSpanRow {
  const dated = events.filter(({ source_updated_at }) => source_updated_at !== null).length;
  return { ...instantSpan(events.map(({ retrieved_at }) => retrieved_at)), dated };
}

/** `spanInLog` reads the times of part of a batch. Publications have the times of whole batches. */
export function wholeLog(
  publications: readonly Publication[],
  spanInLog: (first: number, last: number) => EventSpanRow,
): FeedLog {
  const batches = publications
    .filter(({ last_event, sequence }) => last_event > (publications[sequence - 2]?.last_event ?? 0))
    .map(({ sequence, last_event }) => ({ publication: sequence, last: last_event }));
  const wholeSpan = (sequence: number): EventSpanRow => {
    const { events_retrieved_min, events_retrieved_max, events_with_source_time } = publications[
      sequence - 1
    ] as Publication;
    return { min: events_retrieved_min, max: events_retrieved_max, dated: events_with_source_time };
  };
  return {
    batches,
    span: (first, last) => {
      const spans: EventSpanRow[] = [];
      let before = 0;
      for (const batch of batches) {
        const from = Math.max(first, before + 1);
        const to = Math.min(last, batch.last);
        if (from <= to) {
          const isWhole = from === before + 1 && to === batch.last;
          spans.push(isWhole ? wholeSpan(batch.publication) : spanInLog(from, to));
        }
        before = batch.last;
      }
      return joinSpans(spans);
    },
  };
}

export function joinSpans(spans: readonly EventSpanRow[]): EventSpanRow {
  const dated = spans.reduce((sum, span) => sum + span.dated, 0);
  return { ...instantSpan(spans.flatMap(({ min, max }) => [min, max])), dated };
}
