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
  type Summary,
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
  /** Sealed pages that are in no segment. */
  readonly pages: ReadonlyMap<number, Summary>;
};

/**
 * The list of changes of a product or a family. The log is only added to, so what the previous publication says of its
 * events stays true: only those are read that came since, or that the head and the new pages show.
 */
export type EntityChanges = { readonly list: ChangeList; readonly known: KnownList | null };

/** The list of the events of these products. `all` reads all of them, oldest first. */
export function entityChanges(
  writer: DocumentWriter,
  listPaths: ChangeListPaths,
  products: readonly number[],
  all: () => readonly EventRow[],
): EntityChanges {
  const { state, events } = writer;
  const { sequence, last_event } = state.publication;
  const batches = batchesOf(products.map((product) => events.countsOf(product, sequence)));
  const total = batches.at(-1)?.last ?? 0;
  const known = knownList(writer, listPaths);
  let read: readonly EventRow[] = [];
  const run = (first: number, last: number) => {
    const count = total - first + 1;
    if (count > read.length) {
      read = known
        ? inOrder(products.flatMap((product) => events.lastOf(product, last_event, count))).slice(-count)
        : all();
    }
    const offset = total - read.length + 1;
    return read.slice(first - offset, last - offset + 1);
  };
  const span = (first: number, last: number) => {
    if (known?.first !== first || known.last > last) return spanOfEvents(run(first, last));
    return joinSpans([known.span, spanOfEvents(run(known.last + 1, last))]);
  };
  return { list: { listPaths, feed: new Feed({ batches, span }, state.publicationAt), events: run }, known };
}

/** Events of several products, oldest first. */
export function inOrder(events: EventRow[]): EventRow[] {
  return events.sort((a, b) => a.number - b.number);
}

/** The batches of the events of some products together. `counts`: how many events each has after each publication. */
function batchesOf(counts: readonly (readonly EventCountRow[])[]): Batch[] {
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

/** Null when the previous publication has no such list, or one of other members, or has no event of it left. */
function knownList(writer: DocumentWriter, listPaths: ChangeListPaths): KnownList | null {
  const index = writer.previousDocument(listPaths.index) as PageIndex | null;
  if (index?.page_path !== writer.address(pageTemplate(listPaths))) return null;
  const text = writer.previousText(listPaths.list);
  if (text === null) return null;
  const head = headOf(text);
  const { earliest_available_at, latest_available_at, ...history } = head.history;
  const count = history.retained_event_count;
  if (count === 0) return null;
  const first = (index.first_page - 1) * pageSize + 1;
  // How many events have a source time matters only as all or not all.
  const dated = history.source_update_time_known ? count : 0;
  return {
    first,
    last: first + count - 1,
    span: { ...spanOf([earliest_available_at, latest_available_at]), dated },
    head,
    pages: new Map(summariesIn(index).map((summary) => [summary.number, summary])),
  };
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
  const layout = indexLayout(state, list);
  const expired = expiredPagesDocument(state, list);
  if (expired) writer.write([expired]);
  writer.write(pages.map((number) => sealedPageDocument(state, list, texts, writer, number)));
  const summarize = (number: number) =>
    known?.pages.get(number) ??
    summarizePage(number, list.events((number - 1) * pageSize + 1, number * pageSize), texts);
  const segments = numbers(layout.firstSegment, layout.lastSegment).map((number) => {
    const sealed = writer.previousDocument(list.listPaths.segment(number)) as PageSegment | null;
    const summaries = sealed
      ? summariesIn(sealed)
      : numbers((number - 1) * segmentSize + 1, number * segmentSize).map(summarize);
    writer.write([segmentDocument(state, list, number, summaries)]);
    return summarizeSegment(number, summaries);
  });
  const loosePages = numbers(layout.firstLoosePage, layout.lastPage).map(summarize);
  const isHeadKnown =
    known?.last === list.feed.total(state.publication.sequence) &&
    known.head.frame === `${JSON.stringify(headValue(state, list, writer, warnings))}\n`;
  if (isHeadKnown) writer.keep(list.listPaths.list);
  else
    writer.write([
      headDocument(state, list, texts, writer, warnings, known && { last: known.last, rows: known.head.rows }),
    ]);
  writer.write([indexDocument(state, list, segments, loosePages, writer)]);
}
