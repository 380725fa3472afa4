import { type DataLicense, type ExportObjects, formatChecksums, licenseOf } from '../contract/formats/data-package.ts';
import { exportResource } from '../contract/formats/export.ts';
import { segmentSize } from '../contract/formats/page-index.ts';
import type { ObjectReference, Route } from '../contract/formats/site.ts';
import { ndjsonMediaType, textMediaType } from '../contract/headers.ts';
import { parsePath, pathOf } from '../contract/paths.ts';
import type { Publication } from '../database/publications.ts';
import { encodeLines } from '../encode/documents.ts';
import type { ChangeList } from '../resources/change-list.ts';
import { changePiecesDocument } from '../resources/change-pieces.ts';
import { dataPackageDocument } from '../resources/export-records.ts';
import { indexLayout, type Summary } from '../resources/page-index.ts';
import type { DocumentWriter } from './document-writer.ts';

/** Stores a piece of the change history, dated by the publication that sealed the last of its pages. */
export function writeChangePiece(
  writer: DocumentWriter,
  { feed }: ChangeList,
  number: number,
  lines: readonly string[],
): void {
  const sealing = writer.state.publicationAt(feed.sealedBy(number * segmentSize));
  writer.writeBytes(encodeLines(lines), {
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
  previous: ReadonlyMap<string, Route>,
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
 * describe the bytes as they are downloaded. `reused`: the routes that are taken over, with the existing export files
 * among them. `license`: instead of the one that was stated in a publication. Returns the routes of companions that
 * exist already; they are not made again.
 */
export function makeExportCompanions(
  writer: DocumentWriter,
  publications: readonly Publication[],
  reused: readonly Route[],
  previous: ReadonlyMap<string, Route>,
  license: DataLicense | null,
): Route[] {
  const objects = new Map<string, ObjectReference>();
  for (const { path, sha256, size } of [...reused, ...writer.made.routes]) {
    if (parsePath(path)?.kind === 'export') objects.set(path, { sha256, size });
  }
  return publications.flatMap((publication) => {
    const { revision } = publication;
    const paths = [pathOf('export_checksums', { revision }), pathOf('export_package', { revision })];
    const routes = paths.flatMap((path) => previous.get(path) ?? []);
    if (routes.length === paths.length) return routes;
    make(writer, publication, objectsOf(revision, objects), license);
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

function objectsOf(revision: string, objects: ReadonlyMap<string, ObjectReference>): ExportObjects {
  const entries = exportResource.options.map((resource) => {
    const path = pathOf('export', { revision, resource });
    const object = objects.get(path);
    if (!object) throw new Error(`no export file ${path} was made`);
    return [resource, object] as const;
  });
  return Object.fromEntries(entries) as ExportObjects;
}
