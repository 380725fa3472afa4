import { dataPackageOf, type ExportObjects, formatChecksums } from '../../contract/data-package.ts';
import { type ExportResource, exportResource } from '../../contract/export.ts';
import type { RetainedPublication } from '../../contract/metadata.ts';
import { pathOf } from '../../contract/paths.ts';
import type { ObjectReference } from '../../contract/site.ts';
import { shown } from './fault.ts';
import type { ObjectLedger } from './object-ledger.ts';
import { checkValidators } from './route-check.ts';
import { documentAt, type SiteUnderCheck } from './site-check.ts';

/** Checks what stands beside the export files of each retained publication: it says of them what their routes say. */
export function checkExportCompanions(site: SiteUnderCheck, ledger: ObjectLedger): void {
  const publications = documentAt<{ data: RetainedPublication[] }>(site, pathOf('publications'));
  for (const publication of publications?.data ?? []) {
    checkChecksumValidators(site, ledger, publication);
    const files = exportObjects(site, publication);
    if (files === null) continue;
    checkChecksums(site, ledger, publication, files);
    checkPackage(site, publication, files);
  }
}

/** The export files as the route table has them; null where one is missing, which is reported there. */
function exportObjects({ table }: SiteUnderCheck, { revision }: RetainedPublication): ExportObjects | null {
  const files: Partial<Record<ExportResource, ObjectReference>> = {};
  for (const resource of exportResource.options) {
    const route = table.find(pathOf('export', { revision, resource }));
    if (typeof route === 'string') return null;
    files[resource] = route;
  }
  return files as ExportObjects;
}

function checkChecksumValidators(site: SiteUnderCheck, ledger: ObjectLedger, { revision }: RetainedPublication): void {
  const route = site.table.find(pathOf('export_checksums', { revision }));
  if (typeof route === 'string') return;
  const object = ledger.check(route.sha256, route.path);
  if (object) checkValidators(route, object, site.faults);
}

function checkChecksums(
  { table, faults }: SiteUnderCheck,
  ledger: ObjectLedger,
  { revision }: RetainedPublication,
  files: ExportObjects,
): void {
  const route = table.find(pathOf('export_checksums', { revision }));
  const bytes = typeof route === 'string' ? null : ledger.read(route.sha256, route.path);
  if (typeof route === 'string' || bytes === null) return;
  const [expected, got] = [formatChecksums(files).split('\n'), Buffer.from(bytes).toString().split('\n')];
  const line = expected.findIndex((text, i) => text !== got[i]);
  if (line >= 0 || got.length !== expected.length) {
    const at = line >= 0 ? line : expected.length;
    faults.add('export_companion', route.path, `line ${at + 1} ${shown(expected[at])}`, shown(got[at]));
  }
}

function checkPackage(site: SiteUnderCheck, publication: RetainedPublication, files: ExportObjects): void {
  const path = pathOf('export_package', { revision: publication.revision });
  const document = documentAt<Record<string, unknown>>(site, path);
  if (document === null) return;
  for (const [key, expected] of Object.entries(dataPackageOf(publication, files))) {
    if (JSON.stringify(document[key]) === JSON.stringify(expected)) continue;
    site.faults.add('export_companion', path, `${key} ${shown(expected)}`, shown(document[key]));
  }
}
