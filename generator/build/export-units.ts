import { eventsOfPiece, eventsPerPiece } from '../contract/formats/change-pieces.ts';
import { formatCitation } from '../contract/formats/citation.ts';
import { formatChecksums, licenseOf } from '../contract/formats/data-package.ts';
import { type ExportResource, exportResource, exportSchemaVersion } from '../contract/formats/export.ts';
import { segmentSize } from '../contract/formats/page-index.ts';
import { describeTable, type PublicationTable, type TableHeader } from '../contract/formats/parquet.ts';
import { pathOf } from '../contract/paths.ts';
import { exportFiles, exportObjects } from '../contract/publication-files.ts';
import type { Publication } from '../database/publications.ts';
import { PiecewiseGzip } from '../encode/compression.ts';
import { dailyParts, dailyPublications } from '../encode/daily-parts.ts';
import { encodeExport } from '../encode/documents.ts';
import { hasColumnsOf, joinTables, ParquetTable, partsOf } from '../encode/parquet.ts';
import { allChangesPaths } from '../resources/change-list.ts';
import { changeLinesOf, changesHeader } from '../resources/change-pieces.ts';
import { dataPackageDocument, exportHeaderOf, exportLinesOf, recordCount } from '../resources/export-records.ts';
import { indexLayout, numbers } from '../resources/page-index.ts';
import type { TableFacts } from '../resources/service.ts';
import { writeSegment } from './change-lists.ts';
import type { DocumentWriter } from './document-writer.ts';
import { digest } from './entity-units.ts';
import type { BuildContext, SiteFile, Unit } from './ledger.ts';

type ExportFacts = { readonly sequence: number; readonly resource: ExportResource };

/** About how many records of an export take as long as one document. */
const recordsPerDocument: Readonly<Record<ExportResource, number>> = { products: 6, stores: 6, inventory: 60 };

/** A unit for each export file of each publication whose exports the site has. */
export function* exportUnits({ exported }: BuildContext): Generator<Unit<ExportFacts>> {
  for (const publication of exported) {
    const { sequence, revision } = publication;
    for (const resource of exportResource.options) {
      const weight = Math.ceil(recordCount(publication, resource) / recordsPerDocument[resource]);
      yield { name: `${resource} of ${sequence}`, inputs: { revision }, facts: { sequence, resource }, weight };
    }
  }
}

/** Makes an export as gzip NDJSON and as Parquet. */
export function makeExport(writer: DocumentWriter, { sequence, resource }: ExportFacts): void {
  const state = writer.stateAt(sequence);
  const { revision, published_at } = state.publication;
  const path = pathOf('export', { revision, resource });
  const header = exportHeaderOf(state, resource, writer.license);
  const table = new ParquetTable(resource);
  const bytes = encodeExport(path, header, exportLinesOf(state, resource, table));
  writer.writeFile(path, bytes, published_at);
  const parquet = table.end({ ...header.header, fields: describeTable(resource) });
  writer.writeFile(partPath(revision, resource), parquet, published_at);
}

function partPath(revision: string, table: PublicationTable): string {
  return pathOf('export_parquet', { revision, table });
}

/** About how many documents take as long as a segment: its pages, and its events as compressed files. */
const documentsPerSegment = 1_000;

/** A unit for each sealed segment of the list of all changes. Its pages leave it as they expire. */
export function* segmentUnits({ writer }: BuildContext): Generator<Unit<number>> {
  const { firstPage, firstSegment, lastSegment } = indexLayout(writer.state, writer.changes);
  for (const number of numbers(firstSegment, lastSegment)) {
    const expired = number === firstSegment ? firstPage : 0;
    yield { name: `segment ${number}`, inputs: { expired }, facts: number, weight: documentsPerSegment };
  }
}

/** Makes 100 sealed pages of the list of all changes with their summaries, and the piece with their events, checked. */
export function makeSegment(writer: DocumentWriter, number: number): void {
  const [path, tablePath] = piecePaths(number);
  if (writer.keeps([path, tablePath])) {
    writeSegment(writer, writer.changes, number);
    return;
  }
  const piece = new PiecewiseGzip();
  const table = new ParquetTable('changes');
  writeSegment(writer, writer.changes, number, (events) => {
    for (const line of changeLinesOf(allChangesPaths.list, events, writer.texts, table)) piece.write(`${line}\n`);
  });
  const { published_at } = writer.state.publicationAt(writer.changes.feed.sealedBy(number * segmentSize));
  writer.writeFile(path, piece.end(), published_at);
  writer.writeFile(tablePath, table.end(changesHeader(table.rows)), published_at);
}

function piecePaths(number: number): [ndjson: string, parquet: string] {
  const parameters = { number: String(number) };
  return [pathOf('change_piece', parameters), pathOf('change_piece_parquet', parameters)];
}

/** Parts of `daily` in a unit: the first is read whole, and of the others what each changed. */
const partsPerUnit = 16;

/** About how many rows of `daily` take as long as one document. */
const dailyRowsPerDocument = 500;

/** Units for the parts of `daily`, a file for each publication whose exports the site has. `facts`: their sequences. */
export function* dailyUnits({ exported }: BuildContext): Generator<Unit<readonly number[]>> {
  const groups = new Map<number, Publication[]>();
  for (const one of [...exported].reverse()) {
    const group = Math.ceil(one.sequence / partsPerUnit);
    groups.set(group, [...(groups.get(group) ?? []), one]);
  }
  for (const [group, publications] of groups) {
    const rows = publications.reduce((sum, { product_count }) => sum + product_count, 0);
    const facts = publications.map(({ sequence }) => sequence);
    const inputs = { publications: facts.join(' ') };
    yield { name: `daily, part ${group}`, inputs, facts, weight: Math.ceil(rows / dailyRowsPerDocument) };
  }
}

export function makeDaily(writer: DocumentWriter, sequences: readonly number[]): void {
  const { publicationAt } = writer.state;
  const pathAt = (sequence: number) => partPath(publicationAt(sequence).revision, 'daily');
  const missing = sequences.filter((sequence) => !writer.keeps([pathAt(sequence)]));
  for (const [sequence, bytes] of dailyParts(writer.state, writer.daily, writer.license, missing)) {
    writer.writeFile(pathAt(sequence), bytes, publicationAt(sequence).published_at);
  }
}

/** A part of a table over time: a piece, or a publication; with the hash of its file, null where it is no file of the site. */
type TablePart = { readonly number: number; readonly sha256: string | null };

/** The unit of the table of all pieces. */
export function* changesTableUnits({ writer, fileOf }: BuildContext): Generator<Unit<readonly TablePart[]>> {
  const { firstSegment, lastSegment } = indexLayout(writer.state, writer.changes);
  const sha256Of = (number: number) => fileOf(piecePaths(number)[1]).sha256;
  const facts = numbers(firstSegment, lastSegment).map((number) => ({ number, sha256: sha256Of(number) }));
  yield { name: 'changes.parquet', inputs: { pieces: digest(facts) }, facts, weight: facts.length };
}

export function makeChangesTable(writer: DocumentWriter, parts: readonly TablePart[]): void {
  const bytes = parts.map(({ number, sha256 }) => {
    const sound = sha256 === null ? null : writer.soundObject(sha256);
    if (sound && hasColumnsOf('changes', sound)) return sound;
    const { first, last } = eventsOfPiece(number);
    return eventsTable(writer, first, last).end(changesHeader(eventsPerPiece));
  });
  const header = changesHeader(parts.length * eventsPerPiece);
  writer.writeFile(pathOf('changes_parquet'), joinTables('changes', bytes, header));
}

function eventsTable({ changes, texts }: DocumentWriter, first: number, last: number): ParquetTable {
  const table = new ParquetTable('changes');
  changeLinesOf(allChangesPaths.list, changes.events(first, last), texts, table);
  return table;
}

/** The events after the last piece: the positions of the first and the last. */
function newestEvents({ state, changes }: DocumentWriter): { first: number; last: number } {
  const retained = changes.feed.retained(state.publication.sequence);
  const first = indexLayout(state, changes).lastSegment * eventsPerPiece + 1;
  return retained ? { first: Math.max(first, retained.first), last: retained.last } : { first, last: first - 1 };
}

/** Makes the table of the events after the last piece. */
export function makeNewestChanges(writer: DocumentWriter): void {
  const { first, last } = newestEvents(writer);
  const table = eventsTable(writer, first, last);
  writer.writeFile(pathOf('newest_changes_parquet'), table.end(changesHeader(table.rows)));
}

/** The unit of `daily` over time. */
export function* dailyTableUnits({ writer, exported, fileOf }: BuildContext): Generator<Unit<readonly TablePart[]>> {
  const files = new Set(exported.map(({ sequence }) => sequence));
  const facts = dailyPublications(writer.state, writer.changes, exported).map(({ sequence, revision }) => ({
    number: sequence,
    sha256: files.has(sequence) ? fileOf(partPath(revision, 'daily')).sha256 : null,
  }));
  yield { name: 'daily.parquet', inputs: { parts: digest(facts) }, facts, weight: facts.length };
}

/**
 * Puts the parts of `daily` together. A publication whose exports left has no file: its part is taken from the table as it was,
 * since making it again means to read the state of each past publication at each build.
 */
export function makeDailyTable(writer: DocumentWriter, parts: readonly TablePart[]): void {
  const path = pathOf('daily_parquet');
  const before = writer.previousBytes(path);
  const partsBefore = before ? partsOf('daily', before, dailyHeader) : new Map<number, Uint8Array>();
  const made = new Map<number, Uint8Array>();
  const find = ({ number, sha256 }: TablePart) =>
    sha256 === null ? partsBefore.get(number) : writer.soundObject(sha256);
  const found = parts.map((part) => {
    const bytes = find(part);
    return bytes && hasColumnsOf('daily', bytes) ? bytes : null;
  });
  const missing = parts.filter((_, index) => found[index] === null).map(({ number }) => number);
  for (const [sequence, bytes] of dailyParts(writer.state, writer.daily, writer.license, missing))
    made.set(sequence, bytes);
  const bytes = parts.map(({ number }, index) => found[index] ?? (made.get(number) as Uint8Array));
  const rows = parts.reduce((sum, { number }) => sum + writer.state.publicationAt(number).product_count, 0);
  writer.writeFile(path, joinTables('daily', bytes, dailyHeader(rows)));
}

function dailyHeader(rows: number): TableHeader {
  return { resource: 'daily', schema_version: exportSchemaVersion, record_count: rows, fields: describeTable('daily') };
}

/** The files of the site, and how many rows the tables over time have. */
export function tableFacts({ writer, exported, fileOf }: BuildContext): TableFacts {
  const { firstSegment, lastSegment } = indexLayout(writer.state, writer.changes);
  const { first, last } = newestEvents(writer);
  const days = dailyPublications(writer.state, writer.changes, exported);
  return {
    fileOf,
    historyRows: {
      changes: Math.max(0, lastSegment - firstSegment + 1) * eventsPerPiece,
      newest_changes: last - first + 1,
      daily: days.reduce((sum, { product_count }) => sum + product_count, 0),
    },
  };
}

type PackageFacts = { readonly sequence: number; readonly files: ReadonlyMap<string, SiteFile> };

/**
 * Units for checksums, data package and citation of the exports of each publication. They follow the files, because they
 * describe the bytes as they are downloaded.
 */
export function* packageUnits({ exported, fileOf }: BuildContext): Generator<Unit<PackageFacts>> {
  for (const { sequence, revision } of exported) {
    const files = new Map([...exportFiles(revision).values()].map((path) => [path, fileOf(path)]));
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
  const files = exportObjects(revision, (path) => found.get(path) ?? null);
  const about = writer.state.aboutAt(sequence);
  const license = writer.license ?? licenseOf(about);
  writer.write([dataPackageDocument(publication, files, about, license)]);
  writer.writeFile(pathOf('export_checksums', { revision }), Buffer.from(formatChecksums(files)), published_at);
  const citation = formatCitation(publication, about, license);
  writer.writeFile(pathOf('export_citation', { revision }), Buffer.from(citation), published_at);
}
