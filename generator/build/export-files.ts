import { type ExportObjects, formatChecksums } from '../contract/formats/data-package.ts';
import { exportResource } from '../contract/formats/export.ts';
import { segmentSize } from '../contract/formats/page-index.ts';
import type { ObjectReference, Route } from '../contract/formats/site.ts';
import { ndjsonMediaType, textMediaType } from '../contract/headers.ts';
import { parsePath, pathOf } from '../contract/paths.ts';
import type { Publication } from '../database/publications.ts';
import { encodeLines } from '../encode/ndjson-gzip.ts';
import type { ChangeList } from '../resources/change-list.ts';
import { changePiecesDocument } from '../resources/change-pieces.ts';
import { dataPackageDocument } from '../resources/export-records.ts';
import { indexLayout, type Summary } from '../resources/page-index.ts';
import type { Workshop } from './document-writer.ts';

/** Stores a piece of the change history. It is of the publication that sealed the last of its pages. */
export function publishChangePiece(
  workshop: Workshop,
  { feed }: ChangeList,
  number: number,
  lines: readonly string[],
): void {
  const sealing = workshop.state.publicationAt(feed.sealedBy(number * segmentSize));
  workshop.publishBytes(encodeLines(lines), {
    path: pathOf('change_piece', { number: String(number) }),
    mediaType: ndjsonMediaType,
    encoding: 'gzip',
    cache: 'immutable',
    since: sealing.published_at,
  });
}

/**
 * Makes the document that lists the pieces, once they are made. An address that stands keeps the file it has, whatever
 * was made: so what stands counts first.
 */
export function publishChangePieces(
  workshop: Workshop,
  list: ChangeList,
  segments: readonly Summary[],
  standing: ReadonlyMap<string, Route>,
): void {
  const made = new Map<string, ObjectReference>();
  for (const { path, sha256, size } of workshop.made.routes) {
    if (parsePath(path)?.kind === 'change_piece') made.set(path, { sha256, size });
  }
  const fileOf = (path: string): ObjectReference => {
    const file = standing.get(path) ?? made.get(path);
    if (!file) throw new Error(`no piece ${path} was made`);
    return { sha256: file.sha256, size: file.size };
  };
  const { lastSegment } = indexLayout(workshop.state, list);
  workshop.publish([changePiecesDocument(segments, lastSegment, fileOf, workshop)]);
}

/**
 * Makes what stands beside the export files of each publication, once these are made: checksums and package speak of
 * the bytes as they are downloaded. `reused`: the export files that stand already, among others. What stands is taken over,
 * and given back.
 */
export function makeExportCompanions(
  workshop: Workshop,
  publications: readonly Publication[],
  reused: readonly Route[],
  standing: ReadonlyMap<string, Route>,
): Route[] {
  const objects = new Map<string, ObjectReference>();
  for (const { path, sha256, size } of [...reused, ...workshop.made.routes]) {
    if (parsePath(path)?.kind === 'export') objects.set(path, { sha256, size });
  }
  return publications.flatMap((publication) => {
    const { revision } = publication;
    const paths = [pathOf('export_checksums', { revision }), pathOf('export_package', { revision })];
    const routes = paths.flatMap((path) => standing.get(path) ?? []);
    if (routes.length === paths.length) return routes;
    make(workshop, publication, objectsOf(revision, objects));
    return [];
  });
}

function make(workshop: Workshop, publication: Publication, files: ExportObjects): void {
  workshop.publish([dataPackageDocument(publication, files)]);
  workshop.publishBytes(Buffer.from(formatChecksums(files)), {
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
