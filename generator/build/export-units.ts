import { eventsInPiece, eventsPerPiece } from '../../contract/formats/change-pieces.ts';
import type { CsvProduct } from '../../contract/formats/csv-tables.ts';
import {
  formatChecksums,
  formatCitation,
  makeDataPackage,
  statedLicense,
} from '../../contract/formats/data-package.ts';
import { type ExportResource, exportResource } from '../../contract/formats/export.ts';
import { segmentSize } from '../../contract/formats/pages.ts';
import { describeTable, type PublicationTable } from '../../contract/formats/parquet.ts';
import { exportFiles, exportObjects, formatPath, objectPath, withUnpacked } from '../../contract/paths.ts';
import type { EventRow } from '../database/events.ts';
import type { Publication } from '../database/publications.ts';
import { allChangesPaths, changeEvent } from '../documents/change-list.ts';
import { historyHeader } from '../documents/change-pieces.ts';
import { csvPrices, csvProductMaker } from '../documents/csv-rows.ts';
import { exportRows, makeExportHeader, publicationHeader } from '../documents/export-records.ts';
import { indexLayout, numbers } from '../documents/page-index.ts';
import { priceSteps } from '../documents/product-series.ts';
import { lastExpired } from '../documents/retention.ts';
import type { TableFacts } from '../documents/service.ts';
import { Failure } from '../files/failure.ts';
import { PiecewiseGzip, unpacking } from '../site/encoding/compression.ts';
import { csvFile, csvPart, joinCsvParts, readCsvParts } from '../site/encoding/csv.ts';
import { exportWriter, recordLine } from '../site/encoding/export.ts';
import { joinTables, ParquetTable, splitTable } from '../site/encoding/parquet.ts';
import { Pieces } from '../site/encoding/pieces.ts';
import { writeSegment } from './change-lists.ts';
import type { DocumentWriter } from './document-writer.ts';
import { digest } from './entity-units.ts';
import type { BuildContext, SiteFile, Unit } from './ledger.ts';

/** Roughly how many rows of a table take as long to make as one document. */
const rowsPerDocument = 60;

/** A unit for the exports of each publication whose exports the site keeps. Its `facts` are the sequence. */
export function* exportUnits({ exported }: BuildContext): Generator<Unit<number>> {
  for (const { sequence, revision, product_count, inventory_pair_count } of exported) {
    const weight = Math.ceil((product_count * 10 + inventory_pair_count) / rowsPerDocument);
    yield { name: `exports of ${sequence}`, inputs: { revision }, facts: sequence, weight };
  }
}

/** Makes the exports of a publication as gzipped NDJSON, Parquet and CSV, and its part of `daily`. */
export function makeExports(writer: DocumentWriter, sequence: number): void {
  const state = writer.stateAt(sequence);
  const { revision, published_at } = state.publication;
  const day = partPath(revision, 'daily');
  const exportPaths = (resource: ExportResource) =>
    [formatPath('export', { revision, resource }), partPath(revision, resource)] as const;
  if (!writer.keeps([day])) writer.writeFile(day, dailyPart(writer, sequence), published_at);
  const sheet = formatPath('products_csv', { revision });
  if (writer.keeps([sheet, ...exportResource.options.flatMap(exportPaths)])) return;
  const openExport = (resource: ExportResource) => {
    const [path, tablePath] = exportPaths(resource);
    const [ndjson, parquet] = [writer.openFile(path, published_at), writer.openFile(tablePath, published_at)];
    const sinks = { ndjson: ndjson.write, parquet: parquet.write };
    const rows = exportWriter(path, makeExportHeader(state, resource, writer.license), state.profile, sinks);
    const end = () => {
      rows.end();
      for (const file of [ndjson, parquet]) file.end();
    };
    return { add: rows.add, end };
  };
  const files = { products: openExport('products'), stores: openExport('stores'), inventory: openExport('inventory') };
  const sheetRows: CsvProduct[] = [];
  const sheetRow = csvProductMaker(state);
  for (const row of exportRows(state)) {
    files[row.resource].add(row.source as never);
    if (row.resource === 'products') sheetRows.push(sheetRow(row.source, row.reportedQuantity));
  }
  const bySku = sheetRows.sort((a, b) => (a.detail.source_ids.agency_sku < b.detail.source_ids.agency_sku ? -1 : 1));
  writer.writeFile(sheet, csvFile('products', state.profile, bySku), published_at);
  for (const resource of exportResource.options) files[resource].end();
}

function partPath(revision: string, table: PublicationTable): string {
  return formatPath('export_parquet', { revision, table });
}

/** The rows of `daily` of a publication. */
function dailyPart({ state, daily, license }: DocumentWriter, sequence: number): Uint8Array {
  const pieces = new Pieces();
  const table = new ParquetTable('daily', state.profile, formatPath('daily_parquet'), pieces.add);
  for (const row of daily(sequence)) table.add(row);
  const fields = describeTable('daily', state.profile);
  table.end(publicationHeader(state, sequence, { resource: 'daily', record_count: table.rows, fields }, license));
  return pieces.bytes();
}

/** Roughly how many documents take as long to make as a segment, with its pages and its piece. */
const documentsPerSegment = 1_000;

/** A unit for each sealed segment of the list of all changes. Expired pages are dropped from it. */
export function* segmentUnits({ writer }: BuildContext): Generator<Unit<number>> {
  const { firstPage, firstSegment, lastSegment } = indexLayout(writer.state, writer.changes);
  for (const number of numbers(firstSegment, lastSegment)) {
    const expired = number === firstSegment ? firstPage : 0;
    yield { name: `segment ${number}`, inputs: { expired }, facts: number, weight: documentsPerSegment };
  }
}

/** Makes a segment of the list of all changes: 100 sealed pages, their summaries, and the piece with their events. */
export function makeSegment(writer: DocumentWriter, number: number): void {
  const { first, last } = eventsInPiece(number);
  const events = writer.changes.events(first, last);
  const list = { ...writer.changes, events: (from: number, to: number) => events.slice(from - first, to - first + 1) };
  writeSegment(writer, list, number);
  const [path, tablePath] = piecePaths(number);
  if (writer.keeps([path, tablePath])) return;
  const { published_at } = writer.state.publicationAt(writer.changes.feed.sealedBy(number * segmentSize));
  const file = writer.openFile(path, published_at);
  const piece = new PiecewiseGzip(file.write);
  const table = eventsTable(writer, events, (line) => piece.write(line));
  piece.end();
  file.end();
  writer.writeFile(tablePath, table, published_at);
}

function piecePaths(number: number): [ndjson: string, parquet: string] {
  const parameters = { number: String(number) };
  return [formatPath('change_piece', parameters), formatPath('change_piece_parquet', parameters)];
}

/**
 * A part of a table over time: a piece, or the rows of a publication. `sha256`: its file; null if the site has none.
 */
type TablePart = { readonly number: number; readonly sha256: string | null };

/** The unit of `changes.parquet`, which joins all pieces. */
export function* changesTableUnits({ writer, fileAt }: BuildContext): Generator<Unit<readonly TablePart[]>> {
  const { firstSegment, lastSegment } = indexLayout(writer.state, writer.changes);
  const sha256Of = (number: number) => fileAt(piecePaths(number)[1]).sha256;
  const facts = numbers(firstSegment, lastSegment).map((number) => ({ number, sha256: sha256Of(number) }));
  yield { name: 'changes.parquet', inputs: { pieces: digest(facts) }, facts, weight: facts.length };
}

export function makeChangesTable(writer: DocumentWriter, parts: readonly TablePart[]): void {
  const { profile } = writer.state;
  // One part is in memory at a time: all of them may be larger than a buffer can be.
  const bytes = Iterator.from(parts).map(({ number, sha256 }) => {
    const { first, last } = eventsInPiece(number);
    return (sha256 && writer.soundObject(sha256)) || eventsTable(writer, writer.changes.events(first, last));
  });
  const header = historyHeader('changes', parts.length * eventsPerPiece, profile);
  const file = writer.openFile(formatPath('changes_parquet'));
  joinTables('changes', profile, bytes, header, file.write);
  file.end();
}

/** A table of events. `writeLine` gets each record as a line of JSON, for a file that needs them. */
function eventsTable(
  { state }: DocumentWriter,
  events: readonly EventRow[],
  writeLine?: (line: string) => void,
): Uint8Array {
  const pieces = new Pieces();
  const table = new ParquetTable('changes', state.profile, allChangesPaths.list, pieces.add);
  for (const row of events) {
    const source = { number: row.number, event: changeEvent(row, state.publicationAt) };
    const members = table.add(source);
    writeLine?.(recordLine('change', members));
  }
  table.end(historyHeader('changes', table.rows, state.profile));
  return pieces.bytes();
}

/** The first and the last position of the events after the last piece. */
function newestEvents({ state, changes }: DocumentWriter): { first: number; last: number } {
  const retained = changes.feed.retained(state.publication.sequence);
  const first = indexLayout(state, changes).lastSegment * eventsPerPiece + 1;
  return retained ? { first: Math.max(first, retained.first), last: retained.last } : { first, last: first - 1 };
}

/** Makes the table with the events after the last piece. */
export function makeNewestChanges(writer: DocumentWriter): void {
  const { first, last } = newestEvents(writer);
  const table = eventsTable(writer, writer.changes.events(first, last));
  writer.writeFile(formatPath('newest_changes_parquet'), table);
}

/** The publications in `daily`, oldest first: those whose change events or exports are retained. */
function dailyPublications({ writer: { state, changes }, exported }: BuildContext): Publication[] {
  const { feed } = changes;
  const retained = feed.retained(state.publication.sequence);
  // A page is retained as long as its newest event, so it may hold events of publications past retention.
  const ofOldestEvent = retained ? [feed.publicationAtPosition(retained.first)] : [];
  const first = Math.min(lastExpired(state) + 1, ...ofOldestEvent, ...exported.map(({ sequence }) => sequence));
  return state.publications.filter(({ sequence }) => sequence >= first);
}

/** The unit of `daily.parquet`. */
export function* dailyTableUnits(context: BuildContext): Generator<Unit<readonly TablePart[]>> {
  const { exported, fileAt } = context;
  const files = new Set(exported.map(({ sequence }) => sequence));
  const facts = dailyPublications(context).map(({ sequence, revision }) => ({
    number: sequence,
    sha256: files.has(sequence) ? fileAt(partPath(revision, 'daily')).sha256 : null,
  }));
  yield { name: 'daily.parquet', inputs: { parts: digest(facts) }, facts, weight: facts.length };
}

/**
 * Joins the parts of `daily`. A publication whose exports have expired has no file of its own. Its part is copied from
 * the previous table, because making it again would mean reading the state of every past publication in every build.
 */
export function makeDailyTable(writer: DocumentWriter, parts: readonly TablePart[]): void {
  const path = formatPath('daily_parquet');
  const { profile } = writer.state;
  const header = (rows: number) => historyHeader('daily', rows, profile);
  const previous = writer.previousBytes(path);
  const previousParts = previous ? splitTable('daily', profile, previous, header) : new Map<number, Uint8Array>();
  const files = Iterator.from(parts).map(({ number, sha256 }) => {
    const reused = sha256 === null ? previousParts.get(number) : writer.soundObject(sha256);
    return reused ?? dailyPart(writer, number);
  });
  const rows = parts.reduce((sum, { number }) => sum + writer.state.publicationAt(number).product_count, 0);
  const file = writer.openFile(path);
  joinTables('daily', profile, files, header(rows), file.write);
  file.end();
}

/** The unit of `daily.csv`. Its `facts` are the sequences of its publications. */
export function* dailyCsvUnits(context: BuildContext): Generator<Unit<readonly number[]>> {
  const publications = dailyPublications(context);
  const inputs = { parts: digest(publications.map(({ revision }) => revision)) };
  const facts = publications.map(({ sequence }) => sequence);
  yield { name: 'daily.csv', inputs, facts, weight: Math.ceil(facts.length / 10) };
}

/** Makes `daily.csv`. The rows of a publication that the previous file has are copied from it. */
export function makeDailyCsv(writer: DocumentWriter, sequences: readonly number[]): void {
  const path = formatPath('daily_csv');
  const { profile, publicationAt } = writer.state;
  const previous = writer.previousBytes(path);
  const partBefore = previous ? readCsvParts(previous) : () => null;
  const parts = sequences.map((sequence) => {
    const { revision } = publicationAt(sequence);
    return [revision, partBefore(revision) ?? csvPart('daily', profile, writer.daily(sequence))] as const;
  });
  writer.writeFile(path, joinCsvParts('daily', profile, new Map(parts)));
}

/** The unit of `prices.csv`. */
export function* pricesUnits({ writer: { state } }: BuildContext): Generator<Unit> {
  const { revision, product_count } = state.publication;
  const weight = Math.ceil(product_count / rowsPerDocument);
  yield { name: 'prices.csv', inputs: { revision }, facts: null, weight };
}

export function makePrices(writer: DocumentWriter): void {
  const { state, series } = writer;
  const rows = csvPrices(state, priceSteps(series, lastExpired(state)));
  writer.writeFile(formatPath('prices_csv'), csvFile('prices', state.profile, rows));
}

/** The files of the site, and the row counts of the tables over time. */
export function tableFacts(context: BuildContext): TableFacts {
  const { writer, fileAt } = context;
  const { firstSegment, lastSegment } = indexLayout(writer.state, writer.changes);
  const { first, last } = newestEvents(writer);
  const days = dailyPublications(context);
  return {
    fileAt,
    historyRows: {
      changes: Math.max(0, lastSegment - firstSegment + 1) * eventsPerPiece,
      newest_changes: last - first + 1,
      prices: [...priceSteps(writer.series, lastExpired(writer.state)).values()].flat().length,
      daily: days.reduce((sum, { product_count }) => sum + product_count, 0),
    },
  };
}

type PackageFacts = { readonly sequence: number; readonly files: ReadonlyMap<string, SiteFile> };

/**
 * A unit for the checksums, data package and citation of the exports of each publication. They are made after the
 * files, because they describe the bytes as they are downloaded.
 */
export function* packageUnits({ exported, fileAt }: BuildContext): Generator<Unit<PackageFacts>> {
  for (const { sequence, revision } of exported) {
    const files = new Map([...exportFiles(revision).values()].map((path) => [path, fileAt(path)]));
    yield {
      name: `package of ${sequence}`,
      inputs: { files: digest([...files]) },
      facts: { sequence, files },
      weight: 3,
    };
  }
}

export function makePackage(writer: DocumentWriter, { sequence, files: found }: PackageFacts): void {
  const publication = writer.state.publicationAt(sequence);
  const { revision, published_at } = publication;
  const stored = exportObjects(revision, (path) => found.get(path) ?? null);
  const files = withUnpacked(publication, stored, (path) => {
    const sha256 = found.get(path)?.sha256 ?? '';
    if (!writer.hasSound(sha256))
      throw new Failure(
        'site_damaged',
        `${path}: expected its file, got none or a damaged one; build with --full to make it again`,
      );
    const unpacked = unpacking();
    writer.storage.readPieces(objectPath(sha256), unpacked.take);
    return unpacked.end();
  });
  const about = writer.state.aboutAt(sequence);
  const license = writer.license ?? statedLicense(about);
  const value = makeDataPackage(publication, files, about, license, writer.state.profile);
  writer.write([{ path: formatPath('export_package', { revision }), cache: 'immutable', since: published_at, value }]);
  writer.writeFile(formatPath('export_checksums', { revision }), Buffer.from(formatChecksums(files)), published_at);
  const citation = formatCitation(publication, about, license);
  writer.writeFile(formatPath('export_citation', { revision }), Buffer.from(citation), published_at);
}
