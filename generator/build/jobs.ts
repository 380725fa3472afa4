import type { ExportResource } from '../contract/formats/export.ts';
import { pageSize, segmentSize } from '../contract/formats/page-index.ts';
import { describeTable } from '../contract/formats/parquet.ts';
import { ndjsonMediaType } from '../contract/headers.ts';
import { pathOf } from '../contract/paths.ts';
import type { EventRow } from '../database/events.ts';
import type { ProductTotalsRow } from '../database/state-reader.ts';
import { PiecewiseGzip } from '../encode/compression.ts';
import { encodeExport } from '../encode/documents.ts';
import { ParquetTable } from '../encode/parquet.ts';
import type { Family } from '../model/catalog.ts';
import type { Feed } from '../model/page-sealing.ts';
import { seriesOf } from '../model/product-series.ts';
import { lastExpired } from '../model/retention.ts';
import {
  allChangesPaths,
  type ChangeList,
  familyChangesPaths,
  productChangesPaths,
  sealedPageDocument,
} from '../resources/change-list.ts';
import { changeLinesOf, changesHeader } from '../resources/change-pieces.ts';
import { type FeedCounts, familyDocument, familyWarnings, type MemberFacts } from '../resources/curation.ts';
import { exportHeaderOf, exportLinesOf } from '../resources/export-records.ts';
import {
  indexLayout,
  numbers,
  type Summary,
  segmentDocument,
  summarizePage,
  summarizeSegment,
} from '../resources/page-index.ts';
import { availabilityDocument, productDocument, productWarnings } from '../resources/product.ts';
import { seriesDocument } from '../resources/product-series.ts';
import type { TableFacts } from '../resources/service.ts';
import { allChanges } from './all-changes.ts';
import { type DailyPart, dailyParts } from './daily-part.ts';
import type { DocumentWriter } from './document-writer.ts';
import { entityChanges, eventCounts, inOrder, writeEntityChanges } from './entity-changes.ts';
import { writeChangePiece, writePublicationTable } from './export-files.ts';
import type { HistoryParts } from './history-parts.ts';
import { makeHistoryTables } from './history-tables.ts';

/** A product whose documents are made anew. `pages`: the sealed pages of its history that no build has made yet. */
export type ProductUnit = { readonly key: number; readonly pages: readonly number[] };

export type FamilyUnit = Omit<Family, 'members'> & {
  readonly memberKeys: readonly number[];
  readonly totals: readonly (ProductTotalsRow | undefined)[];
  /** Events of its members published in the 30 days up to this publication. */
  readonly recentEvents: number;
  readonly pages: readonly number[];
};

/** A publication whose part of `daily` is made. `isExported`: whether the site has its exports. */
export type DailyUnit = { readonly sequence: number; readonly isExported: boolean };

/** A part of a build that one thread does by itself. */
export type Job =
  | { readonly kind: 'export'; readonly sequence: number; readonly resource: ExportResource; readonly records: number }
  | { readonly kind: 'daily'; readonly publications: readonly DailyUnit[]; readonly records: number }
  | { readonly kind: 'entities'; readonly products: readonly ProductUnit[]; readonly families: readonly FamilyUnit[] }
  | { readonly kind: 'segment'; readonly number: number }
  | { readonly kind: 'loose_pages' }
  | ({ readonly kind: 'history_tables' } & HistoryParts);

/** About how many rows of `daily` take as long as one document. */
const dailyRowsPerDocument = 500;

/** About how many records of an export take as long as one document. */
const recordsPerDocument: Readonly<Record<ExportResource, number>> = { products: 6, stores: 6, inventory: 60 };

/** About how many documents take as long as a segment: its pages, and its events as a compressed piece. */
const documentsPerSegment = 1_000;

/** About how many documents a job makes, or takes as long as. */
export function weightOf(job: Job): number {
  switch (job.kind) {
    case 'export':
      return Math.ceil(job.records / recordsPerDocument[job.resource]);
    case 'daily':
      return Math.ceil(job.records / dailyRowsPerDocument);
    case 'segment':
      return documentsPerSegment;
    case 'entities':
      return job.products.length * 6 + job.families.length * 4;
    case 'loose_pages':
    case 'history_tables':
      return 0;
  }
}

/** What a job returns besides the routes it made. */
export type JobResult = {
  readonly segment?: Summary;
  readonly loosePages?: readonly Summary[];
  /** The parts of `daily` of publications whose exports the site does not have. */
  readonly daily?: readonly DailyPart[];
  /** How many rows each table over time has. */
  readonly historyRows?: TableFacts['historyRows'];
};

export function runJob(writer: DocumentWriter, job: Job): JobResult {
  switch (job.kind) {
    case 'export':
      return makeExport(writer, job.sequence, job.resource);
    case 'daily':
      return makeDaily(writer, job);
    case 'entities':
      return makeEntities(writer, job);
    case 'segment':
      return makeSegment(writer, job.number);
    case 'loose_pages':
      return makeLoosePages(writer);
    case 'history_tables':
      return { historyRows: joinHistory(writer, job) };
  }
}

function makeExport(writer: DocumentWriter, sequence: number, resource: ExportResource): JobResult {
  const state = writer.stateAt(sequence);
  const { revision, published_at } = state.publication;
  const path = pathOf('export', { revision, resource });
  const header = exportHeaderOf(state, resource, writer.license);
  const table = new ParquetTable(resource);
  const bytes = encodeExport(path, header, exportLinesOf(state, resource, table));
  writer.writeBytes(bytes, {
    path,
    mediaType: ndjsonMediaType,
    encoding: 'gzip',
    cache: 'immutable',
    since: published_at,
  });
  writePublicationTable(
    writer,
    state.publication,
    resource,
    table.end({ ...header.header, fields: describeTable(resource) }),
  );
  return {};
}

/** Parts of `daily`, in ascending order. A part is a file of its own where the site has the exports beside it. */
function makeDaily(writer: DocumentWriter, { publications }: Extract<Job, { kind: 'daily' }>): JobResult {
  const exported = new Set(publications.filter(({ isExported }) => isExported).map(({ sequence }) => sequence));
  const sequences = publications.map(({ sequence }) => sequence);
  const daily: DailyPart[] = [];
  for (const part of dailyParts(writer, sequences)) {
    const { sequence, bytes } = part;
    if (exported.has(sequence)) writePublicationTable(writer, writer.state.publicationAt(sequence), 'daily', bytes);
    else daily.push(part);
  }
  return { daily };
}

function joinHistory(
  writer: DocumentWriter,
  { pieces, exported, daily, files }: HistoryParts,
): TableFacts['historyRows'] {
  return makeHistoryTables(writer, pieces, exported, daily, (path) => {
    const file = files.get(path);
    if (!file) throw new Error(`no file ${path} was made`);
    return file;
  });
}

/** Makes products, and families that may have members among them. All events of a member are read once for both. */
function makeEntities(writer: DocumentWriter, { products, families }: Extract<Job, { kind: 'entities' }>): JobResult {
  const members = new Set(families.flatMap(({ memberKeys }) => memberKeys));
  const kept = new Map<number, readonly EventRow[]>();
  const eventsOf: EventsOf = (key) => {
    const events = kept.get(key) ?? writer.events.ofProduct(key, writer.state.publication.last_event);
    if (members.has(key)) kept.set(key, events);
    return events;
  };
  const expired = lastExpired(writer.state);
  for (const unit of products) makeProduct(writer, unit, eventsOf, expired);
  for (const unit of families) makeFamily(writer, unit, eventsOf);
  return {};
}

/** Events of a product, oldest first. */
type EventsOf = (key: number) => readonly EventRow[];

/** `expired`: the last publication that is past retention. */
function makeProduct(writer: DocumentWriter, { key, pages }: ProductUnit, eventsOf: EventsOf, expired: number): void {
  const { state } = writer;
  const product = state.product(key);
  const { availability, series, counts } = writer.reading(() => ({
    availability: writer.availabilities.of(product),
    series: seriesOf(writer.series, key, expired),
    counts: eventCounts(writer, [key]),
  }));
  writer.write([
    productDocument(state, product, availability),
    availabilityDocument(state, product, availability),
    seriesDocument(state, product, availability, series),
  ]);
  const changes = entityChanges(writer, productChangesPaths(product.id), counts, pages, () => eventsOf(key));
  writeEntityChanges(writer, changes, pages, productWarnings(state, product, availability));
}

function makeFamily(writer: DocumentWriter, unit: FamilyUnit, eventsOf: EventsOf): void {
  const { state } = writer;
  const { members, counts } = writer.reading(() => ({
    members: unit.memberKeys.map((key, index): MemberFacts => {
      const product = state.product(key);
      return { product, summary: writer.availabilities.summaryOf(product), totals: unit.totals[index] };
    }),
    counts: eventCounts(writer, unit.memberKeys),
  }));
  const memberIds = members.map(({ product }) => product.id);
  const changes = entityChanges(writer, familyChangesPaths(unit.id, memberIds), counts, unit.pages, () =>
    inOrder(unit.memberKeys.flatMap((key) => [...eventsOf(key)])),
  );
  const family = { ...unit, members: members.map(({ product }) => product) };
  writer.write([familyDocument(state, family, members, countsOf(changes.list.feed, state.publication.sequence, unit))]);
  writeEntityChanges(writer, changes, unit.pages, familyWarnings(state, members));
}

function countsOf(feed: Feed, at: number, { recentEvents }: FamilyUnit): FeedCounts {
  const retained = feed.history(at).retained_event_count;
  return { retained, recent: Math.min(retained, recentEvents) };
}

/**
 * Makes 100 sealed pages of the list of all changes with their summaries, and the piece with their events. Checks each
 * event.
 */
function makeSegment(writer: DocumentWriter, number: number): JobResult {
  const list = allChanges(writer);
  const piece = new PiecewiseGzip();
  const table = new ParquetTable('changes');
  const pages = makePages(writer, list, (number - 1) * segmentSize + 1, number * segmentSize, (events) => {
    for (const line of changeLinesOf(allChangesPaths.list, events, writer.texts, table)) piece.write(`${line}\n`);
  });
  writeChangePiece(writer, list, number, piece.end(), table.end(changesHeader(table.rows)));
  writer.write([segmentDocument(writer.state, list, number, pages)]);
  return { segment: summarizeSegment(number, pages) };
}

/**
 * Makes the sealed pages of the list of all changes that are in no segment yet. Checks their events and those on the
 * head.
 */
function makeLoosePages(writer: DocumentWriter): JobResult {
  const list = allChanges(writer);
  const { lastSegment, lastPage } = indexLayout(writer.state, list);
  const loosePages = makePages(writer, list, lastSegment * segmentSize + 1, lastPage, (events) =>
    checkEvents(writer, events),
  );
  checkEvents(writer, list.events(lastPage * pageSize + 1, writer.state.publication.last_event));
  return { loosePages };
}

function makePages(
  writer: DocumentWriter,
  list: ChangeList,
  first: number,
  last: number,
  check: (events: readonly EventRow[]) => void,
): Summary[] {
  const { state, texts } = writer;
  const firstRetained = list.feed.firstRetainedPage(state.publication.sequence);
  return numbers(first, last).map((number) => {
    const events = list.events((number - 1) * pageSize + 1, number * pageSize);
    check(events);
    if (number >= firstRetained) {
      const page = { ...list, events: () => events };
      writer.write([sealedPageDocument(state, page, texts, writer, number)]);
    }
    return summarizePage(number, events, texts);
  });
}

/**
 * Checks events against their schema. Every event is in the list of all changes once, so this check covers all lists.
 */
function checkEvents({ texts }: DocumentWriter, events: readonly EventRow[]): void {
  for (const event of events) texts.check(event, allChangesPaths.list);
}
