import { type ExportFiles, type ExportManifestDocument, exportResource } from '../../contract/export.ts';
import type { RetainedPublication } from '../../contract/metadata.ts';
import { parsePath, pathOf, pointerFile } from '../../contract/paths.ts';
import type { Pointer } from '../../contract/site.ts';
import type { ExportResult } from './export-check.ts';
import { shown } from './fault.ts';
import { documentAt, type SiteUnderCheck } from './site-check.ts';

/** What was found in each export file, by its path. */
export type ExportResults = ReadonlyMap<string, ExportResult>;

/** Checks the retained publications: the document that lists them, the pointer, the manifest, and their export files. */
export function checkRetention(site: SiteUnderCheck, pointer: Pointer, exports: ExportResults): void {
  const path = pathOf('publications');
  const document = documentAt<{ data: RetainedPublication[] }>(site, path);
  if (!document) return;
  const retained = document.data;
  const add = (expected: string, got: string) => site.faults.add('publication_mismatch', path, expected, got);
  for (const [i, { revision, sequence, current }] of retained.entries()) {
    const newer = retained[i - 1];
    if (newer && newer.sequence <= sequence) add('newest first', `sequence ${sequence} after ${newer.sequence}`);
    const isCurrent = revision === pointer.revision;
    if (current !== isCurrent) add(`current ${isCurrent} at revision ${revision}`, String(current));
  }
  if (!retained.some(({ current }) => current))
    add('the current publication among the retained', 'none that is current');
  checkPointed(site, pointer, retained);
  for (const publication of retained) checkFiles(site, publication, exports);
  checkManifest(site, retained);
  checkSurplus(site, retained);
}

/** The pointer has every retained publication as the document has it, and beyond them only those still kept whole. */
function checkPointed({ faults }: SiteUnderCheck, pointer: Pointer, retained: readonly RetainedPublication[]): void {
  const add = (expected: string, got: string) => faults.add('publication_mismatch', pointerFile, expected, got);
  for (const { revision, sequence, published_at } of retained) {
    const listed = pointer.publications.find((other) => other.revision === revision);
    const expected = `revision ${revision}, sequence ${sequence}, ${published_at}, as ${pathOf('publications')} has it`;
    if (!listed) add(expected, 'nothing of that revision');
    else if (listed.sequence !== sequence || listed.published_at !== published_at) {
      add(expected, `sequence ${listed.sequence}, ${listed.published_at}`);
    }
  }
  for (const { revision, routes } of pointer.publications) {
    if (routes !== null || retained.some((other) => other.revision === revision)) continue;
    add('publications that are retained or kept whole', `revision ${revision}, which is neither`);
  }
}

function checkFiles(site: SiteUnderCheck, publication: RetainedPublication, exports: ExportResults): void {
  const { revision, published_at } = publication;
  for (const resource of exportResource.options) {
    const { url, record_count } = publication.exports[resource];
    const path = pathOf('export', { revision, resource });
    const add = (expected: string, got: string) => {
      site.faults.add('publication_mismatch', pathOf('publications'), `${expected} of revision ${revision}`, got);
    };
    if (site.addresses.pathOf(url) !== path) add(`url ${path} for the ${resource}`, url);
    const found = exports.get(path);
    if (!found) continue;
    if (found.records !== record_count) {
      const expected = `record_count ${found.records}, the records of the ${resource} export of revision ${revision}`;
      site.faults.add('export_count', pathOf('publications'), expected, String(record_count));
    }
    if (found.publishedAt !== null && found.publishedAt !== published_at) {
      site.faults.add('export_header', path, `published_at ${published_at} in its header`, found.publishedAt);
    }
  }
}

/** The manifest has the files of the current publication. */
function checkManifest(site: SiteUnderCheck, retained: readonly RetainedPublication[]): void {
  const path = pathOf('exports');
  const manifest = documentAt<ExportManifestDocument>(site, path);
  const current = retained.find((publication) => publication.current);
  if (!manifest || !current) return;
  for (const resource of exportResource.options) {
    const [expected, got] = [fileText(current.exports, resource), fileText(manifest.data.files, resource)];
    if (expected === got) continue;
    const claim = `${resource} ${expected}, as ${pathOf('publications')} has them`;
    site.faults.add('export_count', path, claim, got);
  }
}

function fileText(files: ExportFiles, resource: keyof ExportFiles): string {
  const { record_count, url } = files[resource];
  return shown({ record_count, url });
}

/** Exports can be downloaded only while their publication is retained. */
function checkSurplus({ table, faults }: SiteUnderCheck, retained: readonly RetainedPublication[]): void {
  const revisions = new Set(retained.map(({ revision }) => revision));
  for (const path of table.routes.keys()) {
    const parsed = parsePath(path);
    const { revision } = parsed?.parameters ?? {};
    if (revision === undefined || revisions.has(revision)) continue;
    faults.add('publication_mismatch', path, 'an export of a retained publication', 'one of another revision');
  }
}
