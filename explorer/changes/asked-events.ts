import { useEffect, useMemo } from 'preact/hooks';
import { RowList } from '../../client/row-list.ts';
import type { ChangeEvent } from '../../contract/schemas/change.ts';
import { usePages } from '../site/paged-list.ts';
import { useLoaded } from '../site/session.ts';
import { countsWhere, type EventCounts, totalEvents } from './activity-chart.tsx';
import {
  askedAfter,
  askedFault,
  askedPresence,
  askedTypes,
  type ChangeFields,
  changesQuestion,
  isAfter,
  isByEvent,
  shownEvents,
} from './asked-changes.ts';
import { changeTypes } from './change-text.ts';
import { wholePublications } from './whole-publications.ts';

/**
 * The changes that an address asks for, read so far. `events`: those of complete publications, unless each change is a
 * row. `rows`: the events that the table shows. `counts`: all kept changes in the time asked for, by publication; null
 * if they are not known. `charted`: the same for the chart, which counts the rows if nothing else is known. `first`:
 * when the first publication was made, if it is still known. `isReadOn`: more pages are read by themselves.
 */
export function useAskedEvents(asked: ChangeFields) {
  const question = changesQuestion(asked);
  const [types, presence, after] = [askedTypes(asked), askedPresence(asked), askedAfter(asked)];
  const key = askedFault(asked) === null ? JSON.stringify([question, after]) : null;
  const paged = usePages(key, (site, signal) => publishedAfter(site.changes(question, { signal }), after));
  const activity = useLoaded('activity', (site, signal) => site.activity({ signal }));
  const published = activity.value?.publications;
  const isAll = paged.state === 'all';
  const whole = useMemo(() => (isAll ? paged.rows : wholePublications(paged.rows)), [paged.rows, isAll]);
  const byEvent = isByEvent(asked);
  const events = byEvent ? paged.rows : whole;
  const rows = useMemo(() => shownEvents(events, asked), [events, presence, asked.until]);
  const isOfAll = asked.sku === '' && asked.store === '';
  const counts = useMemo(
    () => (isOfAll && published ? countsAsked(published, asked) : null),
    [published, isOfAll, asked.since, asked.until, after],
  );
  const isOfKept = isOfAll && presence === null;
  const charted = useMemo(
    () => (isOfKept ? counts : countsByPublication(presence === null ? whole : rows, published)),
    [counts, isOfKept, whole, rows, published],
  );
  // Only the newest change of each product counts, so all pages are read. After a given publication, the number of
  // changes is known. A row of a product needs a complete publication.
  const isReadOn =
    presence !== null ||
    (after !== null && counts !== null && rows.length >= totalEvents(counts, types)) ||
    (!byEvent && rows.length === 0);
  useEffect(() => {
    if (isReadOn && paged.state === 'more') paged.more();
  }, [isReadOn, paged.state, paged.rows]);
  const first = published?.publication[0] === 1 ? (published.published_at[0] ?? null) : null;
  return { paged, isAll, events, rows, counts, charted, isOfKept, isReadOn, first };
}

/** The beginning of a list (newest first): the events of publications after a moment. */
function publishedAfter<Meta>(list: RowList<ChangeEvent, Meta>, after: string | null): RowList<ChangeEvent, Meta> {
  return new RowList(async function* () {
    for await (const page of list.pages()) {
      const end = page.data.findIndex(({ times }) => !isAfter(times.published_at, after));
      yield end < 0 ? page : { ...page, data: page.data.slice(0, end) };
      if (end >= 0) return;
    }
  });
}

/** The counts of the publications that the address asks for. */
function countsAsked(counts: EventCounts, asked: ChangeFields): EventCounts {
  const { since, until } = asked;
  const after = askedAfter(asked);
  return countsWhere(counts, (at) => {
    const day = at.slice(0, 10);
    return isAfter(at, after) && day >= since && (until === '' || day <= until);
  });
}

/**
 * The events shown, counted by publication, oldest first. Publications without events are left out. `known`: the newest
 * publications with their numbers.
 */
function countsByPublication(rows: readonly ChangeEvent[], known: EventCounts | undefined): EventCounts {
  const numbers = new Map(known?.published_at.map((at, index) => [at, known.publication[index] ?? null]));
  const published_at = [...new Set(rows.map(({ times }) => times.published_at))].reverse();
  const positions = new Map(published_at.map((at, index) => [at, index]));
  const events = Object.fromEntries(changeTypes.map((type) => [type, published_at.map(() => 0)]));
  for (const { type, times } of rows) {
    const at = positions.get(times.published_at) ?? 0;
    const counts = events[type];
    if (counts) counts[at] = (counts[at] ?? 0) + 1;
  }
  return {
    publication: published_at.map((at) => numbers.get(at) ?? null),
    published_at,
    events: events as EventCounts['events'],
  };
}
