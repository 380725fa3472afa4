import { type ExportObjects, formatChecksums } from '../contract/data-package.ts';
import { exportResource } from '../contract/export.ts';
import { textMediaType } from '../contract/headers.ts';
import { parsePath, pathOf } from '../contract/paths.ts';
import type { ObjectReference, Route } from '../contract/site.ts';
import type { Publication } from '../database/publications.ts';
import { dataPackageDocument } from '../resources/export-companions.ts';
import type { Workshop } from './workshop.ts';

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
