import { type DataLicense, type ExportObjects, formatChecksums, licenseOf } from '../contract/formats/data-package.ts';
import { exportResource } from '../contract/formats/export.ts';
import { segmentSize } from '../contract/formats/page-index.ts';
import type { ObjectReference } from '../contract/formats/site.ts';
import { ndjsonMediaType, textMediaType } from '../contract/headers.ts';
import { parsePath, pathOf } from '../contract/paths.ts';
import type { Publication } from '../database/publications.ts';
import type { ChangeList } from '../resources/change-list.ts';
import { changePiecesDocument } from '../resources/change-pieces.ts';
import { dataPackageDocument } from '../resources/export-records.ts';
import { indexLayout, type Summary } from '../resources/page-index.ts';
import type { RouteLookup } from '../site/route-table.ts';
import type { DocumentWriter } from './document-writer.ts';

/** Stores a piece of the change history, gzip NDJSON, dated by the publication that sealed the last of its pages. */
export function writeChangePiece(
  writer: DocumentWriter,
  { feed }: ChangeList,
  number: number,
  bytes: Uint8Array,
): void {
  const sealing = writer.state.publicationAt(feed.sealedBy(number * segmentSize));
  writer.writeBytes(bytes, {
    path: pathOf('change_piece', { number: String(number) }),
    mediaType: ndjsonMediaType,
    encoding: 'gzip',
    cache: 'immutable',
    since: sealing.published_at,
  });
}

/**
 * Makes the document that lists the pieces, after the pieces are made. An address that exists already keeps its file,
 * whatever was made, so `previous` comes first.
 */
export function writeChangePieces(
  writer: DocumentWriter,
  list: ChangeList,
  segments: readonly Summary[],
  previous: RouteLookup,
): void {
  const made = new Map<string, ObjectReference>();
  for (const { path, sha256, size } of writer.made.routes) {
    if (parsePath(path)?.kind === 'change_piece') made.set(path, { sha256, size });
  }
  const fileOf = (path: string): ObjectReference => {
    const file = previous.get(path) ?? made.get(path);
    if (!file) throw new Error(`no piece ${path} was made`);
    return { sha256: file.sha256, size: file.size };
  };
  const { lastSegment } = indexLayout(writer.state, list);
  writer.write([changePiecesDocument(segments, lastSegment, fileOf, writer)]);
}

/**
 * Makes checksums and data package of the export files of each publication, after the files are made, because both
 * describe the bytes as they are downloaded. `license`: instead of the one that was stated in a publication. Returns the
 * paths of companions that exist already; they are not made again.
 */
export function makeExportCompanions(
  writer: DocumentWriter,
  publications: readonly Publication[],
  previous: RouteLookup,
  license: DataLicense | null,
): string[] {
  const made = new Map<string, ObjectReference>();
  for (const { path, sha256, size } of writer.made.routes) {
    if (parsePath(path)?.kind === 'export') made.set(path, { sha256, size });
  }
  return publications.flatMap((publication) => {
    const { revision } = publication;
    const paths = [pathOf('export_checksums', { revision }), pathOf('export_package', { revision })];
    if (paths.every((path) => previous.get(path))) return paths;
    make(writer, publication, objectsOf(revision, made, previous), license);
    return [];
  });
}

function make(
  writer: DocumentWriter,
  publication: Publication,
  files: ExportObjects,
  license: DataLicense | null,
): void {
  const about = writer.state.aboutAt(publication.sequence);
  writer.write([dataPackageDocument(publication, files, about, license ?? licenseOf(about))]);
  writer.writeBytes(Buffer.from(formatChecksums(files)), {
    path: pathOf('export_checksums', { revision: publication.revision }),
    mediaType: textMediaType,
    encoding: null,
    cache: 'immutable',
    since: publication.published_at,
  });
}

function objectsOf(revision: string, made: ReadonlyMap<string, ObjectReference>, previous: RouteLookup): ExportObjects {
  const entries = exportResource.options.map((resource) => {
    const path = pathOf('export', { revision, resource });
    const object = made.get(path) ?? previous.get(path);
    if (!object) throw new Error(`no export file ${path} was made`);
    return [resource, { sha256: object.sha256, size: object.size }] as const;
  });
  return Object.fromEntries(entries) as ExportObjects;
}
