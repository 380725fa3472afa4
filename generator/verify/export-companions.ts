import type { Metadata, RetainedPublication } from '../contract/documents/metadata.ts';
import {
  type DataPackage,
  dataPackageOf,
  type ExportObjects,
  exportFileName,
  formatChecksums,
  formatCitation,
} from '../contract/formats/data-package.ts';
import { describeFields, type ExportResource, exportResource } from '../contract/formats/export.ts';
import { pathOf } from '../contract/paths.ts';
import { exportFiles, exportObjects } from '../contract/publication-files.ts';
import type { ObjectLedger } from '../site/checked-files.ts';
import { checkValidators } from '../site/checked-table.ts';
import { shownApart } from '../site/fault.ts';
import { documentAt, type SiteUnderCheck } from './documents.ts';
import type { ExportResult } from './exports.ts';

/**
 * Checks the checksums, data package and citation of the export files of each retained publication against the route table.
 * `exports`: what the files themselves say, by path.
 */
export function checkExportCompanions(
  site: SiteUnderCheck,
  ledger: ObjectLedger,
  exports: ReadonlyMap<string, ExportResult>,
): void {
  const publications = documentAt<{ data: RetainedPublication[] }>(site, pathOf('publications'));
  for (const publication of publications?.data ?? []) {
    const files = listedFiles(site, ledger, publication);
    checkChecksums(site, ledger, publication, files);
    if (files) checkPackage(site, publication, files, exports);
    checkCitation(site, ledger, publication);
  }
}

/**
 * The files that the companions of a publication should list, as the route table has them. Companions never change, so
 * those that were made before there was Parquet list the other files alone. Null when one of these is missing, which the
 * check of addresses reports, or when a damaged route table cannot tell.
 */
function listedFiles(
  site: SiteUnderCheck,
  ledger: ObjectLedger,
  publication: RetainedPublication,
): ExportObjects | null {
  const { revision } = publication;
  if ([...exportFiles(revision).values()].some((path) => site.table.find(path) === 'unknown')) return null;
  const all = exportObjects(revision, (path) => {
    const route = site.table.find(path);
    return typeof route === 'string' ? null : route;
  });
  const names = exportResource.options.map(exportFileName);
  if (!names.every((name) => all.has(name))) return null;
  const ndjson = new Map([...all].filter(([name]) => names.includes(name)));
  return checksumsOf(site, ledger, publication)?.toString() === formatChecksums(ndjson) ? ndjson : all;
}

function checksumsOf(
  { table }: SiteUnderCheck,
  ledger: ObjectLedger,
  { revision }: RetainedPublication,
): Buffer | null {
  const route = table.find(pathOf('export_checksums', { revision }));
  return typeof route === 'string' ? null : ledger.read(route.sha256, route.path);
}

function checkChecksums(
  site: SiteUnderCheck,
  ledger: ObjectLedger,
  publication: RetainedPublication,
  files: ExportObjects | null,
): void {
  const route = site.table.find(pathOf('export_checksums', publication));
  if (typeof route === 'string') return;
  const object = ledger.check(route.sha256, route.path);
  if (object) checkValidators(route, object, site.faults);
  const bytes = files && checksumsOf(site, ledger, publication);
  if (files === null || bytes === null) return;
  checkLines(site, route.path, formatChecksums(files), bytes);
}

/** Members that say what the operator stated in a publication. The site knows that of the current publication alone. */
const stated = ['title', 'description', 'sources', 'contributors'];

function checkPackage(
  site: SiteUnderCheck,
  publication: RetainedPublication,
  files: ExportObjects,
  exports: ReadonlyMap<string, ExportResult>,
): void {
  const { revision } = publication;
  const path = pathOf('export_package', { revision });
  const columnsOf = (resource: ExportResource) =>
    exports.get(pathOf('export', { revision, resource }))?.columns ?? describeFields(resource);
  const document = documentAt<Record<string, unknown>>(site, path);
  if (document === null) return;
  const metadata = metadataOf(site, publication);
  // A build may have named another license than the curation does.
  const expectedPackage = dataPackageOf(publication, files, metadata?.about, null, columnsOf);
  for (const [key, expected] of Object.entries(expectedPackage)) {
    if (metadata === null && stated.includes(key)) continue;
    if (JSON.stringify(document[key]) === JSON.stringify(expected)) continue;
    const [wanted, got] = shownApart(expected, document[key]);
    site.faults.add('export_companion', path, `${key} ${wanted}`, got);
  }
}

/** The metadata of a publication; null for any but the current one. */
function metadataOf(site: SiteUnderCheck, { revision }: RetainedPublication): Metadata | null {
  const metadata = documentAt<{ data: Metadata }>(site, pathOf('metadata'))?.data;
  return metadata?.publication.revision === revision ? metadata : null;
}

/** Checks the citation of the current publication. Its license is that of the data package. */
function checkCitation(site: SiteUnderCheck, ledger: ObjectLedger, publication: RetainedPublication): void {
  const route = site.table.find(pathOf('export_citation', publication));
  if (typeof route === 'string') return;
  const object = ledger.check(route.sha256, route.path);
  if (object) checkValidators(route, object, site.faults);
  const metadata = metadataOf(site, publication);
  const dataPackage = documentAt<DataPackage>(site, pathOf('export_package', publication));
  const bytes = ledger.read(route.sha256, route.path);
  if (!metadata || !dataPackage || !bytes) return;
  const [license = null] = dataPackage.licenses ?? [];
  const expected = formatCitation(publication, metadata.about, license);
  checkLines(site, route.path, expected, bytes);
}

/** Reports the first line of a text that is another than expected. */
function checkLines({ faults }: SiteUnderCheck, path: string, text: string, bytes: Buffer): void {
  const [expected, got] = [text.split('\n'), bytes.toString().split('\n')];
  const differs = expected.findIndex((line, i) => line !== got[i]);
  const at = differs < 0 && got.length > expected.length ? expected.length : differs;
  if (at < 0) return;
  faults.expectEqual('export_companion', path, expected[at], got[at], (line) => `line ${at + 1} ${line}`);
}
