import { formatCitation } from '../contract/formats/citation.ts';
import { type ExportObjects, formatChecksums, licenseOf } from '../contract/formats/data-package.ts';
import { segmentSize } from '../contract/formats/page-index.ts';
import type { PublicationTable } from '../contract/formats/parquet.ts';
import type { Route } from '../contract/formats/site.ts';
import { isDownloadType, ndjsonMediaType, parquetMediaType, textMediaType } from '../contract/headers.ts';
import { pathOf } from '../contract/paths.ts';
import { exportObjects } from '../contract/publication-files.ts';
import type { Publication } from '../database/publications.ts';
import type { PendingRoute } from '../encode/representation.ts';
import type { ChangeList } from '../resources/change-list.ts';
import { dataPackageDocument } from '../resources/export-records.ts';
import type { RouteLookup } from '../site/route-table.ts';
import type { DocumentWriter } from './document-writer.ts';

/** Stores a piece of the change history, as gzip NDJSON and as Parquet, dated by the publication that sealed the last of its pages. */
export function writeChangePiece(
  writer: DocumentWriter,
  { feed }: ChangeList,
  number: number,
  bytes: Uint8Array,
  table: Uint8Array,
): void {
  const sealing = writer.state.publicationAt(feed.sealedBy(number * segmentSize));
  writer.writeBytes(bytes, {
    path: pathOf('change_piece', { number: String(number) }),
    mediaType: ndjsonMediaType,
    encoding: 'gzip',
    cache: 'immutable',
    since: sealing.published_at,
  });
  writeTable(writer, pathOf('change_piece_parquet', { number: String(number) }), sealing.published_at, table);
}

/** Stores a Parquet file of a publication. */
export function writePublicationTable(
  writer: DocumentWriter,
  { revision, published_at }: Publication,
  table: PublicationTable,
  bytes: Uint8Array,
): void {
  writeTable(writer, pathOf('export_parquet', { revision, table }), published_at, bytes);
}

function writeTable(writer: DocumentWriter, path: string, since: string, bytes: Uint8Array): void {
  writer.writeBytes(bytes, { path, mediaType: parquetMediaType, encoding: null, cache: 'immutable', since });
}

/** A file as it is at its address. */
export type SiteFile = Pick<Route, 'sha256' | 'size' | 'etag'>;
export type FileLookup = (path: string) => SiteFile;

/**
 * Finds files after they are made. An immutable address that exists already keeps its file, whatever was made. Throws when
 * there is no file.
 */
export function siteFiles(writer: DocumentWriter, previous: RouteLookup): FileLookup {
  const made = new Map<string, PendingRoute>();
  for (const route of writer.made.routes) {
    if (isDownloadType(route.media_type)) made.set(route.path, route);
  }
  return (path) => {
    const [own, before] = [made.get(path), previous.get(path)];
    const file = own && before && own.cache === 'revalidate' ? own : (before ?? own);
    if (!file) throw new Error(`no file ${path} was made`);
    return { sha256: file.sha256, size: file.size, etag: file.etag };
  };
}

/**
 * Makes checksums, data package and citation of the export files of each publication, after the files are made, because
 * the first two describe the bytes as they are downloaded. Returns the paths of companions that exist already; they are not made again.
 */
export function makeExportCompanions(
  writer: DocumentWriter,
  publications: readonly Publication[],
  previous: RouteLookup,
  fileOf: FileLookup,
): string[] {
  return publications.flatMap((publication) => {
    const { revision } = publication;
    const kinds = ['export_checksums', 'export_package', 'export_citation'] as const;
    const paths = kinds.map((kind) => pathOf(kind, { revision }));
    if (paths.every((path) => previous.get(path))) return paths;
    make(writer, publication, exportObjects(revision, fileOf));
    return [];
  });
}

function make(writer: DocumentWriter, publication: Publication, files: ExportObjects): void {
  const { revision, published_at, sequence } = publication;
  const about = writer.state.aboutAt(sequence);
  const license = writer.license ?? licenseOf(about);
  writer.write([dataPackageDocument(publication, files, about, license)]);
  const text = { mediaType: textMediaType, encoding: null, cache: 'immutable', since: published_at } as const;
  const citation = formatCitation(publication, about, license);
  writer.writeBytes(Buffer.from(formatChecksums(files)), { path: pathOf('export_checksums', { revision }), ...text });
  writer.writeBytes(Buffer.from(citation), { path: pathOf('export_citation', { revision }), ...text });
}
