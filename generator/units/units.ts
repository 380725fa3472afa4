import { readFileSync } from 'node:fs';
import { segmentSize } from '../../contract/pages.ts';
import { formatPath, latestFiles } from '../../contract/paths.ts';
import type { ChangePieces } from '../../contract/schemas/change-pieces.ts';
import type { PageSegment } from '../../contract/schemas/pages.ts';
import type { ObjectReference } from '../../contract/schemas/site-files.ts';
import { parseJson } from '../../contract/text.ts';
import { activityDocument } from '../documents/activity.ts';
import { brandDocuments, brandIndexDocument, brandRows } from '../documents/brands.ts';
import { absentDocument, browseDocument, readReports } from '../documents/browse.ts';
import { categoriesDocument } from '../documents/categories.ts';
import { allChangesPaths } from '../documents/change-list.ts';
import { changePiecesDocument } from '../documents/change-pieces.ts';
import { type Document, warningList } from '../documents/document.ts';
import { familyRow } from '../documents/families.ts';
import { nameListDocuments } from '../documents/name-list.ts';
import { indexLayout, numbers, type Summary, summariesIn, summarizeSegment } from '../documents/page-index.ts';
import { productRow } from '../documents/product.ts';
import { publicationsFeed } from '../documents/publications-feed.ts';
import { searchIndexDocument } from '../documents/search-index.ts';
import {
  manifestDocument,
  openApiDocument,
  openApiFacts,
  type ServiceFacts,
  serviceDocuments,
} from '../documents/service.ts';
import { comparisonStoresDocument, directoryWarnings, storeDocuments, storeRows } from '../documents/store.ts';
import { summarizePages, writeHead, writePages } from './change-lists.ts';
import type { DocumentWriter } from './document-writer.ts';
import { familyUnits, makeFamily, makeProduct, productUnits } from './entity-units.ts';
import { exportUnits, makeExports, makePackage, makeSegment, packageUnits, segmentUnits } from './export-units.ts';
import {
  changesTableUnits,
  coverageUnits,
  dailyCsvUnits,
  dailyTableUnits,
  makeChangesTable,
  makeCoverage,
  makeDailyCsv,
  makeDailyTable,
  makeNewestChanges,
  makePrices,
  makeVersions,
  pricesUnits,
  tableFacts,
  versionUnits,
} from './history-units.ts';
import { type BuildContext, digest, onMainThread, type Stages, shared, single, type Unit } from './kind.ts';
import { makeNews, newsUnits } from './news-units.ts';

/** The contents of every site: a row for each kind of unit. */
export const stages: Stages = {
  'making documents': {
    exports: shared(exportUnits, makeExports),
    segment: shared(segmentUnits, makeSegment),
    product: shared(productUnits, makeProduct),
    family: shared(familyUnits, makeFamily),
    news: shared(newsUnits, makeNews),
    changes_table: shared(changesTableUnits, makeChangesTable),
    daily_table: shared(dailyTableUnits, makeDailyTable),
    coverage: shared(coverageUnits, makeCoverage),
    versions: shared(versionUnits, makeVersions),
    daily_csv: shared(dailyCsvUnits, makeDailyCsv),
    prices: shared(pricesUnits, makePrices),
    service: onMainThread('service', (context) => serviceDocuments(context.writer.state, serviceFacts(context))),
    openapi: shared(openApiUnits, makeOpenApi),
    publications_feed: onMainThread('feed of publications', makePublicationsFeed),
    activity: onMainThread('activity', makeActivity),
    categories: single('categories', categoriesDocument),
    brand_index: single('brand index', brandIndexDocument),
    absent: single('products that left', absentDocument),
    product_indexes: onMainThread('search and browse index', makeProductIndexes),
    comparison_stores: single('stores of comparisons', comparisonStoresDocument),
    brands: onMainThread('brands', ({ writer, catalog }) => brandDocuments(writer.state, catalog)),
    stores: onMainThread('stores', ({ writer, catalog }) => storeDocuments(writer.state, catalog)),
    lists: onMainThread('lists', makeLists),
  },
  'joining tables': {
    changes: onMainThread('changes', makeAllChanges),
    newest_changes: onMainThread('newest_changes.parquet', ({ writer }) => void makeNewestChanges(writer)),
    package: shared(packageUnits, makePackage),
  },
  'listing files': {
    manifest: onMainThread('manifest', (context) => [
      manifestDocument(context.writer.state, serviceFacts(context), tableFacts(context)),
    ]),
    change_pieces: onMainThread('change pieces', makeChangePieces),
    latest: onMainThread('latest files', makeLatest),
  },
};

function serviceFacts({ writer: { address, changes, license }, catalog, exported }: BuildContext): ServiceFacts {
  return { address, changes, license, catalog, retained: exported };
}

/** The unit of the OpenAPI description, which hardly ever changes, and takes as long as a hundred other documents. */
function* openApiUnits({ writer: { state, license } }: BuildContext): Generator<Unit> {
  yield { name: 'OpenAPI', inputs: { facts: digest(openApiFacts(state, license)) }, facts: null, weight: 100 };
}

function makeOpenApi(writer: DocumentWriter): void {
  writer.write([openApiDocument(writer.state, writer)]);
}

function makePublicationsFeed({ writer, exported }: BuildContext): undefined {
  const feed = publicationsFeed(writer.state, exported, writer, writer.license);
  writer.writeFile(formatPath('publications_feed'), feed);
}

function makeActivity({ writer: { state, activity } }: BuildContext): Document[] {
  return [activityDocument(state, activity)];
}

function makeProductIndexes({ writer, catalog }: BuildContext): Document[] {
  const reports = readReports(writer.state, catalog.listed);
  return [searchIndexDocument(writer.state, catalog, reports, writer), browseDocument(writer.state, catalog, reports)];
}

function* makeLists({ writer: { state, address }, catalog }: BuildContext): Generator<Document> {
  const general = warningList(state.generalWarnings);
  const lists = [
    { kind: 'products', rows: catalog.listed.map(productRow), warnings: general },
    { kind: 'families', rows: catalog.families.map((family) => familyRow(family, state.profile)), warnings: general },
    { kind: 'brands', rows: brandRows(catalog), warnings: warningList(state.publication.warnings) },
    { kind: 'stores', rows: storeRows(state), warnings: warningList(directoryWarnings(state)) },
  ] as const;
  for (const list of lists) yield* nameListDocuments(list, address);
}

/** Makes the rest of the list of all changes: the pages after its segments, its head and its index. */
function makeAllChanges({ writer, fileAt }: BuildContext): undefined {
  const { state, changes: list } = writer;
  const { firstSegment, lastSegment, firstLoosePage, lastPage } = indexLayout(state, list);
  const loosePages = writePages(writer, list, firstLoosePage, lastPage);
  const segments = numbers(firstSegment, lastSegment).map((number) => segmentSummary(writer, fileAt, number));
  writeHead(writer, list, segments, loosePages, state.publication.warnings);
}

/** Reads the summary of a segment from its document, or from the log where the document is damaged. */
function segmentSummary(writer: DocumentWriter, fileAt: BuildContext['fileAt'], number: number): Summary {
  const bytes = writer.soundObject(fileAt(allChangesPaths.segment(number)).sha256);
  if (bytes) return summarizeSegment(number, summariesIn(parseJson(bytes.toString()) as PageSegment));
  const pages = numbers((number - 1) * segmentSize + 1, number * segmentSize);
  return summarizeSegment(number, summarizePages(writer, writer.changes, pages));
}

/** Gives the files of the current publication their second addresses. */
function makeLatest({ writer, fileAt }: BuildContext): undefined {
  for (const [path, file] of latestFiles(writer.state.publication)) writer.writeAlias(path, fileAt(file));
}

function makeChangePieces(context: BuildContext): Document[] {
  const { writer, fileAt } = context;
  const { firstSegment, lastSegment, firstLoosePage } = indexLayout(writer.state, writer.changes);
  const segments = numbers(firstSegment, lastSegment).map((number) => segmentSummary(writer, fileAt, number));
  const unpackedAt = unpackedPieces(context);
  return [changePiecesDocument(segments, firstLoosePage, fileAt, unpackedAt, writer, writer.state.profile)];
}

/** Looks up a piece's unpacked size and hash, from the last build's list where it can. */
function unpackedPieces({ writer, fileAt }: BuildContext): (path: string) => ObjectReference {
  const before = writer.previousFile(formatPath('change_pieces'));
  const list = before && (parseJson(readFileSync(before.file, 'utf8')) as ChangePieces);
  const known = new Map(list?.pieces.map(({ sha256, unpacked }) => [sha256, unpacked]));
  return (path) => {
    const packed = fileAt(path);
    const { size, sha256 } = known.get(packed.sha256) ?? writer.unpackedFile(path, packed);
    return { size, sha256 };
  };
}
