import type * as z from 'zod';
import { addressTable } from '../contract/addresses.ts';
import { compileCheck } from '../contract/checked-value.ts';
import { mostActiveProducts, mostActivePublications } from '../contract/documents/activity.ts';
import { atomMediaType } from '../contract/headers.ts';
import { type InstantSpan, spanOf } from '../contract/instant.ts';
import { pathOf } from '../contract/paths.ts';
import type { Publication } from '../database/publications.ts';
import { type NameList, nameListDocuments } from '../encode/documents.ts';
import { activityOf } from '../model/activity.ts';
import type { Catalog } from '../model/catalog.ts';
import type { State } from '../model/state.ts';
import { activityDocument, knownCounts } from '../resources/activity.ts';
import { browseDocument } from '../resources/browse.ts';
import { expiredPagesDocument, headDocument } from '../resources/change-list.ts';
import { changePiecesDocument } from '../resources/change-pieces.ts';
import { comparisonStoresDocument } from '../resources/comparison-input.ts';
import { brandDocuments, brandIndexDocument, brandRows, categoriesDocument, familyRow } from '../resources/curation.ts';
import { type Document, type Site, warningList } from '../resources/document.ts';
import { indexDocument, indexLayout, type Summary } from '../resources/page-index.ts';
import { rowOf } from '../resources/product.ts';
import { publicationsFeed } from '../resources/publications-feed.ts';
import { searchIndexDocument } from '../resources/search-index.ts';
import { manifestDocument, type ServiceFacts, serviceDocuments, type TableFacts } from '../resources/service.ts';
import { directoryWarnings, storeDocuments, storeRows } from '../resources/store.ts';
import { allChanges } from './all-changes.ts';
import type { DocumentWriter } from './document-writer.ts';
import type { Finished } from './worker-pool.ts';

/** Resources of one document each, made anew by every build. */
const singleDocuments: readonly ((state: State, catalog: Catalog, site: Site) => Document)[] = [
  categoriesDocument,
  searchIndexDocument,
  brandIndexDocument,
  browseDocument,
  comparisonStoresDocument,
];

/** Documents with a row for each product or brand, and from how many products on compiling their schemas takes less than it saves. */
const largeDocuments = ['search_index', 'browse', 'brand_index', 'store_availability'] as const;
const worthCompiling = 1_000;

/**
 * Makes the documents that are few or small: lists by name, brands, stores, categories, indexes and the service itself.
 */
export function makeSmallDocuments(writer: DocumentWriter, catalog: Catalog, exported: readonly Publication[]): void {
  const { state, address, license } = writer;
  if (catalog.listed.length >= worthCompiling) {
    for (const kind of largeDocuments) compileCheck(addressTable[kind].schema as z.ZodType);
  }
  writer.write(serviceDocuments(state, serviceFacts(writer, catalog, exported)));
  writer.writeBytes(publicationsFeed(state, exported, address, license), {
    path: pathOf('publications_feed'),
    mediaType: atomMediaType,
    encoding: null,
    cache: 'revalidate',
    since: null,
  });
  const activity = activityOf(
    writer.activity,
    state,
    mostActivePublications,
    mostActiveProducts,
    knownCounts(writer.previousDocument(pathOf('activity'))),
  );
  writer.write([activityDocument(state, writer.texts, activity)]);
  writer.write(singleDocuments.map((documentOf) => documentOf(state, catalog, writer)));
  writer.write(brandDocuments(state, catalog));
  writer.write(storeDocuments(state, catalog));
  for (const list of nameLists(writer, catalog)) writer.write(nameListDocuments(list, address));
}

/**
 * Makes what lists the files: the manifest and the list of pieces. `segments`: summaries of the pieces. Files must be made
 * before, because both state sizes and hashes.
 */
export function makeFileLists(
  writer: DocumentWriter,
  catalog: Catalog,
  exported: readonly Publication[],
  segments: readonly Summary[],
  files: TableFacts,
): void {
  const { state } = writer;
  const { firstLoosePage } = indexLayout(state, allChanges(writer));
  writer.write([
    manifestDocument(state, serviceFacts(writer, catalog, exported), files),
    changePiecesDocument(segments, firstLoosePage, files.fileOf, writer),
  ]);
}

function serviceFacts(writer: DocumentWriter, catalog: Catalog, retained: readonly Publication[]): ServiceFacts {
  const { state, address, license } = writer;
  const changeEventCount = allChanges(writer).feed.history(state.publication.sequence).retained_event_count;
  return { address, catalog, changeEventCount, retrieved: retrievedSpan(writer, catalog), retained, license };
}

function nameLists({ state }: DocumentWriter, catalog: Catalog): NameList[] {
  const general = warningList(state.generalWarnings);
  return [
    { kind: 'products', rows: catalog.listed.map(rowOf), warnings: general },
    { kind: 'families', rows: catalog.families.map(familyRow), warnings: general },
    { kind: 'brands', rows: brandRows(catalog), warnings: warningList(state.publication.warnings) },
    { kind: 'stores', rows: storeRows(state), warnings: warningList(directoryWarnings(state)) },
  ];
}

function retrievedSpan({ state }: DocumentWriter, catalog: Catalog): InstantSpan {
  const successes = catalog.products.map(({ success }) => success?.retrievedAt ?? null);
  const older = [...state.older.values()].flatMap((stores) => [...stores.values()]);
  return spanOf([...successes, ...older]);
}

/**
 * Makes the head, the index and the expired pages of the list of all changes, after its sealed pages are made. Returns the
 * summaries of its segments, oldest first.
 */
export function makeWholeChangeList(
  writer: DocumentWriter,
  known: ReadonlyMap<number, Summary>,
  finished: readonly Finished[],
): Summary[] {
  const { state, texts } = writer;
  const list = allChanges(writer);
  const byNumber = new Map(known);
  let loosePages: readonly Summary[] = [];
  for (const { result } of finished) {
    if (result.segment) byNumber.set(result.segment.number, result.segment);
    if (result.loosePages) loosePages = result.loosePages;
  }
  const segments = [...byNumber.values()].sort((a, b) => a.number - b.number);
  const firstPage = list.feed.firstRetainedPage(state.publication.sequence);
  const expired = expiredPagesDocument(state, list);
  writer.write([...(expired ? [expired] : []), headDocument(state, list, texts, writer, state.publication.warnings)]);
  if (indexLayout(state, list).lastPage > 0) {
    const retained = loosePages.filter(({ number }) => number >= firstPage);
    writer.write([indexDocument(state, list, segments, retained, writer)]);
  }
  return segments;
}
