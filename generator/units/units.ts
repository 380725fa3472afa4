import { readFileSync } from 'node:fs';
import { segmentSize } from '../../contract/pages.ts';
import { formatPath, latestFiles } from '../../contract/paths.ts';
import type { ChangePieces } from '../../contract/schemas/change-pieces.ts';
import { makeDataset } from '../../contract/schemas/dataset.ts';
import type { PageSegment } from '../../contract/schemas/pages.ts';
import type { ObjectReference } from '../../contract/schemas/site-files.ts';
import { parseJson } from '../../contract/text.ts';
import { activityDocument } from '../documents/activity.ts';
import { brandDocuments, brandIndexDocument, brandRows } from '../documents/brands.ts';
import { absentDocument, browseDocument, readReports } from '../documents/browse.ts';
import type { Catalog } from '../documents/catalog.ts';
import { categoriesDocument } from '../documents/categories.ts';
import { allChangesPaths } from '../documents/change-list.ts';
import { changePiecesDocument } from '../documents/change-pieces.ts';
import { type Document, type Site, warningList } from '../documents/document.ts';
import { explorerManifest } from '../documents/explorer-manifest.ts';
import { explorerPage } from '../documents/explorer-page.ts';
import { explorerWorker } from '../documents/explorer-worker.ts';
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
import type { State } from '../documents/state.ts';
import { comparisonStoresDocument, directoryWarnings, storeDocuments, storeRows } from '../documents/store.ts';
import { summarizePages, writeHead, writePages } from './change-lists.ts';
import { datasetFacts, makeDiscovery, makePackageOfTables } from './description-units.ts';
import type { DocumentWriter } from './document-writer.ts';
import { digest, familyUnits, makeFamily, makeProduct, productUnits } from './entity-units.ts';
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
  makePublicationChanges,
  makeVersions,
  pricesUnits,
  publicationChangesUnits,
  tableFacts,
  versionUnits,
} from './history-units.ts';
import { icebergUnits, makeIcebergTable } from './iceberg-units.ts';
import type { BuildContext, Unit } from './ledger.ts';
import { makeNews, newsUnits } from './news-units.ts';

/**
 * A kind of unit: its units, and how to make one. Any thread can make a unit with `makeShared`, from its facts. Only
 * the main thread makes a unit with `makeOwn`, from everything that it has in memory.
 */
type Kind = { readonly units: (context: BuildContext) => Iterable<Unit> } & (
  | { readonly makeShared: (writer: DocumentWriter, facts: unknown) => void; readonly makeOwn?: undefined }
  | { readonly makeOwn: (context: BuildContext) => void; readonly makeShared?: undefined }
);

function shared<Facts>(
  units: (context: BuildContext) => Iterable<Unit<Facts>>,
  make: (writer: DocumentWriter, facts: Facts) => void,
): Kind {
  return { units, makeShared: (writer, facts) => make(writer, facts as Facts) };
}

/** A single unit, which may change with every publication and with the operator's choices. */
function onMainThread(name: string, make: (context: BuildContext) => Iterable<Document> | undefined): Kind {
  return {
    units: ({ writer, exported, explorer }) => {
      const { state, license } = writer;
      const inputs = {
        revision: state.publication.revision,
        exports: digest(exported.map(({ revision }) => revision)),
        license: digest(license),
        explorer: digest(explorer && [explorer.worker, ...explorer.files.map(({ name }) => name)]),
      };
      return [{ name, inputs, facts: null, weight: 1 }];
    },
    makeOwn: (context) => context.writer.write(make(context) ?? []),
  };
}

/** A unit that makes a single document. */
function single(name: string, document: (state: State, catalog: Catalog, site: Site) => Document): Kind {
  return onMainThread(name, ({ writer, catalog }) => [document(writer.state, catalog, writer)]);
}

/**
 * The contents of a site: a row for each kind of unit. A build makes the kinds of a stage together. Kinds of the next
 * stage may read what they wrote.
 */
export const stages: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
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
    publication_changes: shared(publicationChangesUnits, makePublicationChanges),
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
    iceberg: shared(icebergUnits, makeIcebergTable),
  },
  'listing files': {
    manifest: onMainThread('manifest', (context) => [
      manifestDocument(context.writer.state, serviceFacts(context), tableFacts(context)),
    ]),
    change_pieces: onMainThread('change pieces', makeChangePieces),
    latest: onMainThread('latest files', makeLatest),
    tables_package: onMainThread('package of the tables', makePackageOfTables),
    discovery: onMainThread('discovery', makeDiscovery),
    explorer: onMainThread('explorer', makeExplorer),
  },
};

export const kinds: Readonly<Record<string, Kind>> = Object.assign({}, ...Object.values(stages));

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

/** The kind of address of a file of the explorer, by its extension. */
const assetKinds = { js: 'explorer_script', css: 'explorer_style', json: 'explorer_data' } as const;

/** Writes the explorer and its files. Their names are hashes of their content, so they never change. */
function makeExplorer(context: BuildContext): undefined {
  const { writer, explorer } = context;
  if (explorer === null) return;
  const worker = explorerWorker(explorer);
  const manifest = worker && explorerManifest(writer.state);
  for (const { name, text } of [...explorer.files, ...(manifest ? [manifest] : [])]) {
    const [asset = '', extension] = name.split('.');
    const kind = assetKinds[extension as keyof typeof assetKinds];
    if (kind === undefined) throw new Error(`expected a file of the explorer, got ${name}`);
    writer.writeFile(formatPath(kind, { asset }), Buffer.from(text));
  }
  if (worker !== null) writer.writeFile(formatPath('explorer_worker'), Buffer.from(worker.text));
  const facts = datasetFacts(context);
  // The page of a site without absolute URLs may be below a path.
  const address = facts.host === null ? (path: string) => `.${path}` : facts.address;
  writer.writeFile(formatPath('explorer'), explorerPage(writer.state, explorer, makeDataset({ ...facts, address })));
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
  for (const [path, file] of latestFiles(writer.state.publication.revision)) writer.writeAlias(path, fileAt(file));
}

function makeChangePieces(context: BuildContext): Document[] {
  const { writer, fileAt } = context;
  const { firstSegment, lastSegment, firstLoosePage } = indexLayout(writer.state, writer.changes);
  const segments = numbers(firstSegment, lastSegment).map((number) => segmentSummary(writer, fileAt, number));
  const unpackedAt = unpackedPieces(context);
  return [changePiecesDocument(segments, firstLoosePage, fileAt, unpackedAt, writer, writer.state.profile)];
}

/** Returns a function that tells what a piece unpacks to. The last build's list has that of all pieces but new ones. */
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
