import type { ChangeHistory } from '../contract/documents/change.ts';
import type { WarningCode } from '../contract/documents/envelope.ts';
import { type PageIndex, type PageSegment, pageSize, segmentSize } from '../contract/formats/page-index.ts';
import { spanOf } from '../contract/instant.ts';
import type { EventCountRow, EventRow, EventSpanRow } from '../database/events.ts';
import { type Batch, Feed, joinSpans, spanOfEvents } from '../model/page-sealing.ts';
import {
  type ChangeList,
  type ChangeListPaths,
  expiredPagesDocument,
  headDocument,
  headValue,
  sealedPageDocument,
} from '../resources/change-list.ts';
import {
  indexDocument,
  indexLayout,
  numbers,
  pageTemplate,
  segmentDocument,
  summariesIn,
  summarizePage,
  summarizeSegment,
} from '../resources/page-index.ts';
import type { DocumentWriter } from './document-writer.ts';

/** The answer of a list: its events as JSON, the newest first, and the JSON of the answer without them. */
type Head = { readonly rows: string; readonly frame: string; readonly history: ChangeHistory };

/** What the previous publication says of a list of changes, whose events it has from position `first` to `last`. */
type KnownList = {
  readonly first: number;
  readonly last: number;
  readonly span: EventSpanRow;
  readonly head: Head;
  /** Its index; null when it was not read, because no page was sealed since. */
  readonly index: PageIndex | null;
};

/**
 * The list of changes of a product or a family. The log is only added to, so what the previous publication says of its
 * events stays true: only those are read that came since, or that the head and the new pages show.
 */
export type EntityChanges = { readonly list: ChangeList; readonly known: KnownList | null };

/** How many events a product has after each publication that brought some. */
type EventCounts = { readonly product: number; readonly rows: readonly EventCountRow[] };

export function eventCounts({ state, events }: DocumentWriter, products: readonly number[]): EventCounts[] {
  const { sequence } = state.publication;
  return products.map((product) => ({ product, rows: events.countsOf(product, sequence) }));
}

/**
 * The list of the events of some products. `newPages`: its sealed pages that no build has made yet. `all` reads all events,
 * oldest first.
 */
export function entityChanges(
  writer: DocumentWriter,
  listPaths: ChangeListPaths,
  counts: readonly EventCounts[],
  newPages: readonly number[],
  all: () => readonly EventRow[],
): EntityChanges {
  const { state, events } = writer;
  const { sequence, last_event } = state.publication;
  const batches = batchesOf(counts.map(({ rows }) => rows));
  const total = batches.at(-1)?.last ?? 0;
  /** All events of the publication that brought the one at a position, and of those after it. */
  const since = (position: number) => {
    const publication = feed.publicationOf(position);
    const touched = counts.flatMap(({ product, rows }) => {
      const count = countSince(rows, publication);
      return count === 0 ? [] : { product, count };
    });
    const read = () => touched.flatMap(({ product, count }) => events.lastOf(product, last_event, count));
    return inOrder(touched.length > 1 ? writer.reading(read) : read());
  };
  let read: readonly EventRow[] = [];
  const run = (first: number, last: number) => {
    if (total - first + 1 > read.length) read = known ? since(first) : all();
    const offset = total - read.length + 1;
    return read.slice(first - offset, last - offset + 1);
  };
  const span = (first: number, last: number) => {
    if (known?.first !== first || known.last > last) return spanOfEvents(run(first, last));
    return joinSpans([known.span, spanOfEvents(run(known.last + 1, last))]);
  };
  const feed = new Feed({ batches, span }, state.publicationAt);
  const sealed = feed.sealedPages(sequence);
  // A page may have expired when it was sealed. Then nobody makes it.
  const wasSealed = sealed === 0 || (sealed >= feed.firstRetainedPage(sequence) && !newPages.includes(sealed));
  const known = knownList(writer, listPaths, wasSealed ? sealed : null);
  return { list: { listPaths, feed, events: run }, known };
}

/** Events of several products, oldest first. */
export function inOrder(events: EventRow[]): EventRow[] {
  return events.sort((a, b) => a.number - b.number);
}

/** How many events a product got since a publication, this one included. */
function countSince(counts: readonly EventCountRow[], publication: number): number {
  const before = counts.findLast((row) => row.publication < publication)?.event_count ?? 0;
  return (counts.at(-1)?.event_count ?? 0) - before;
}

/** The batches of the events of some products together. `counts`: how many events each has after each publication. */
function batchesOf(counts: readonly (readonly EventCountRow[])[]): Batch[] {
  const [only, ...others] = counts;
  if (only && others.length === 0)
    return only.map(({ publication, event_count }) => ({ publication, last: event_count }));
  const brought = counts.flatMap((rows) =>
    rows.map(({ publication, event_count }, index) => ({
      publication,
      events: event_count - (rows[index - 1]?.event_count ?? 0),
    })),
  );
  const batches: { publication: number; last: number }[] = [];
  for (const { publication, events } of brought.sort((a, b) => a.publication - b.publication)) {
    const latest = batches.at(-1);
    if (latest?.publication === publication) latest.last += events;
    else batches.push({ publication, last: (latest?.last ?? 0) + events });
  }
  return batches;
}

/**
 * Null when the previous publication has no such list, or one of other members, or has no event of it left. `sealed`: the
 * number of its sealed pages, null when it had fewer than now.
 */
function knownList(writer: DocumentWriter, listPaths: ChangeListPaths, sealed: number | null): KnownList | null {
  const text = writer.previousText(listPaths.list);
  if (text === null) return null;
  const head = headOf(text);
  const { earliest_available_at, latest_available_at, ...history } = head.history;
  const count = history.retained_event_count;
  if (count === 0) return null;
  // A product has one list for good, whose head has the 1 to 100 events after the sealed pages.
  const isIndexNeeded = sealed === null || listPaths.meta.family !== undefined;
  const index = isIndexNeeded ? previousIndex(writer, listPaths) : null;
  if (isIndexNeeded && index === null) return null;
  const retainedPages = Math.floor((count - 1) / pageSize);
  const firstPage = index?.first_page ?? (sealed ?? 0) - retainedPages + 1;
  const first = (firstPage - 1) * pageSize + 1;
  // How many events have a source time matters only as all or not all.
  const dated = history.source_update_time_known ? count : 0;
  return {
    first,
    last: first + count - 1,
    span: { ...spanOf([earliest_available_at, latest_available_at]), dated },
    head,
    index,
  };
}

/** The index of the previous publication; null when there is none, or one of other members. */
function previousIndex(writer: DocumentWriter, listPaths: ChangeListPaths): PageIndex | null {
  const index = writer.previousDocument(listPaths.index) as PageIndex | null;
  return index?.page_path === writer.address(pageTemplate(listPaths)) ? index : null;
}

/**
 * Splits the JSON of a list's answer. A quote within a JSON string is escaped, so `"meta":` is a key, and the last one is
 * that of the answer.
 */
function headOf(text: string): Head {
  const opening = '{"data":[';
  const end = text.lastIndexOf('],"meta":');
  if (!text.startsWith(opening) || end < 0) throw new Error(`expected a list of changes, got ${text.slice(0, 80)}`);
  const frame = opening + text.slice(end);
  const { meta } = JSON.parse(frame) as { meta: { history: ChangeHistory } };
  return { rows: text.slice(opening.length, end), frame, history: meta.history };
}

/** Writes a list: its expired pages, new pages, head, segments and index. `pages`: the sealed pages to make. */
export function writeEntityChanges(
  writer: DocumentWriter,
  { list, known }: EntityChanges,
  pages: readonly number[],
  warnings: readonly WarningCode[],
): void {
  const { state, texts } = writer;
  const expired = expiredPagesDocument(state, list);
  if (expired) writer.write([expired]);
  writer.write(pages.map((number) => sealedPageDocument(state, list, texts, writer, number)));
  const isHeadKnown =
    known?.last === list.feed.total(state.publication.sequence) &&
    known.head.frame === `${JSON.stringify(headValue(state, list, writer, warnings))}\n`;
  if (isHeadKnown) writer.keep(list.listPaths.list);
  else
    writer.write([
      headDocument(state, list, texts, writer, warnings, known && { last: known.last, rows: known.head.rows }),
    ]);
  writeIndex(writer, { list, known });
}

/** Writes the segments and the index of a list. They only change when a page was sealed or has expired. */
function writeIndex(writer: DocumentWriter, { list, known }: EntityChanges): void {
  const { state, texts } = writer;
  const { listPaths } = list;
  const layout = indexLayout(state, list);
  if (layout.lastPage === 0) return;
  const segmentNumbers = numbers(layout.firstSegment, layout.lastSegment);
  if (known?.index === null && known.first === (layout.firstPage - 1) * pageSize + 1) {
    for (const number of segmentNumbers) writer.keep(listPaths.segment(number));
    writer.keep(listPaths.index);
    return;
  }
  const index = known && (known.index ?? previousIndex(writer, listPaths));
  const knownPages = new Map(index && summariesIn(index).map((summary) => [summary.number, summary]));
  const summarize = (number: number) =>
    knownPages.get(number) ?? summarizePage(number, list.events((number - 1) * pageSize + 1, number * pageSize), texts);
  const segments = segmentNumbers.map((number) => {
    const sealed = writer.previousDocument(listPaths.segment(number)) as PageSegment | null;
    const summaries = sealed
      ? summariesIn(sealed)
      : numbers((number - 1) * segmentSize + 1, number * segmentSize).map(summarize);
    writer.write([segmentDocument(state, list, number, summaries)]);
    return summarizeSegment(number, summaries);
  });
  const loosePages = numbers(layout.firstLoosePage, layout.lastPage).map(summarize);
  writer.write([indexDocument(state, list, segments, loosePages, writer)]);
}
