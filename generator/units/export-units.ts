import type { CsvProduct } from '../../contract/columns/csv-tables.ts';
import { exportResource } from '../../contract/columns/export.ts';
import { describeTable } from '../../contract/columns/parquet.ts';
import { segmentSize } from '../../contract/pages.ts';
import { exportFiles, exportObjects, formatPath } from '../../contract/paths.ts';
import { withUnpacked } from '../../contract/routes.ts';
import { eventsInPiece } from '../../contract/schemas/change-pieces.ts';
import {
  formatChecksums,
  formatCitation,
  makeDataPackage,
  statedLicense,
} from '../../contract/schemas/data-package.ts';
import type { ExportResource, PublicationTable } from '../../contract/vocabulary.ts';
import type { EventRow } from '../database/events.ts';
import { allChangesPaths, changeEvent } from '../documents/change-list.ts';
import { historyHeader } from '../documents/change-pieces.ts';
import { csvProductMaker } from '../documents/csv-rows.ts';
import { exportRows, makeExportHeader, publicationHeader } from '../documents/export-records.ts';
import { indexLayout, numbers } from '../documents/page-index.ts';
import { GzipWriter } from '../tables/compression.ts';
import { csvFile } from '../tables/csv.ts';
import { exportWriter, recordLine } from '../tables/export.ts';
import { ParquetTable } from '../tables/parquet.ts';
import { Pieces } from '../tables/pieces.ts';
import { writeSegment } from './change-lists.ts';
import type { DocumentWriter, SiteFile } from './document-writer.ts';
import { type BuildContext, digest, type Unit } from './kind.ts';

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
  for (const row of daily.at(sequence)) table.add(row);
  const fields = describeTable('daily', state.profile);
  table.end(publicationHeader(state, sequence, { resource: 'daily', record_count: table.rows, fields }, license));
  return pieces.bytes();
}

/** Roughly how many documents take as long to make as a segment, with its pages and its piece. */
const documentsPerSegment = 1_000;

/** A unit for each sealed segment of the list of all changes. Its expired pages are left out. */
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
  const piece = new GzipWriter(file.write);
  const table = eventsTable(writer, events, (line) => piece.write(line));
  piece.end();
  file.end();
  writer.writeFile(tablePath, table, published_at);
}

function piecePaths(number: number): [ndjson: string, parquet: string] {
  const parameters = { number: String(number) };
  return [formatPath('change_piece', parameters), formatPath('change_piece_parquet', parameters)];
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
  const files = withUnpacked(publication, stored, (path) =>
    writer.unpackedFile(path, found.get(path) ?? { sha256: '', size: 0 }),
  );
  const about = writer.state.aboutAt(sequence);
  const license = writer.license ?? statedLicense(about);
  const value = makeDataPackage(publication, files, about, license, writer.state.profile);
  writer.write([{ path: formatPath('export_package', { revision }), cache: 'immutable', since: published_at, value }]);
  writer.writeFile(formatPath('export_checksums', { revision }), Buffer.from(formatChecksums(files)), published_at);
  const home = writer.address(writer.hasExplorer ? formatPath('explorer') : formatPath('service_index'));
  const citation = formatCitation(publication, about, license, URL.canParse(home) ? home : null);
  writer.writeFile(formatPath('export_citation', { revision }), Buffer.from(citation), published_at);
}
