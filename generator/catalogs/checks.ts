import { formatPath } from '../../contract/paths.ts';
import type { Croissant } from '../../contract/schemas/croissant.ts';
import type { TablesPackage } from '../../contract/schemas/tables-package.ts';
import type { Choices } from '../units/document-writer.ts';
import { documentAt, ofEverySite, requireRoute, type SiteUnderCheck } from '../verify/documents.ts';
import { compareFields } from '../verify/publications.ts';
import { checkIceberg, icebergLocation } from './iceberg-check.ts';
import { packagedTables } from './tables-package.ts';

export function check(site: SiteUnderCheck): void {
  for (const kind of ['tables_package', 'croissant', 'api_catalog'] as const) {
    requireRoute(site, formatPath(kind), ofEverySite);
  }
  checkTablesPackage(site);
  checkIceberg(site);
}

export function choicesOf(site: SiteUnderCheck): Choices {
  const iceberg = icebergLocation(site);
  return iceberg === null ? {} : { iceberg };
}

/** Checks the package of the tables, and also the dataset, which has the same tables. */
function checkTablesPackage(site: SiteUnderCheck): void {
  const [path, dataset] = [formatPath('tables_package'), formatPath('croissant')];
  const stated = documentAt<TablesPackage>(site, path)?.resources ?? [];
  const objects = documentAt<Croissant>(site, dataset)?.distribution ?? [];
  for (const { name, path: file } of packagedTables) {
    const route = site.table.find(`${formatPath('exports')}/${file}`);
    if (typeof route === 'string') continue;
    const { bytes, hash, path: named } = stated.find((resource) => resource.name === name) ?? {};
    const expected = { path: file, bytes: route.size, hash: `sha256:${route.sha256}` };
    compareFields(site.faults, path, expected, { path: named, bytes, hash }, `resource ${name}`);
    const object = objects.find(({ '@id': id }) => id === `${name}.parquet`) ?? {};
    const facts = { contentSize: `${route.size} B`, ...('sha256' in object ? { sha256: route.sha256 } : {}) };
    compareFields(site.faults, dataset, facts, object, `file ${name}.parquet`);
  }
}
