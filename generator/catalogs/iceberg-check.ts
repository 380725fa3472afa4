import { formatPath, icebergFilePath, icebergFolder, objectPath, parsePath } from '../../contract/paths.ts';
import { type IcebergMetadata, icebergTable } from '../../contract/schemas/iceberg.ts';
import type { RetainedPublication } from '../../contract/schemas/metadata.ts';
import type { IcebergTable } from '../../contract/vocabulary.ts';
import { BrokenFile } from '../tables/broken-file.ts';
import { documentAt, type SiteUnderCheck } from '../verify/documents.ts';
import { firstDifference } from '../verify/field-difference.ts';
import { icebergSchema } from './iceberg-schema.ts';
import { type IcebergFile, icebergFiles, locationInSite } from './iceberg-table.ts';

/** Where a site's Iceberg tables say that they are; null for a site without them. */
export function icebergLocation(site: SiteUnderCheck): string | null {
  for (const table of icebergTable.options) {
    const { location = '' } = metadataOf(site, table) ?? {};
    if (location.endsWith(icebergFolder(table))) return location.slice(0, -icebergFolder(table).length);
  }
  return null;
}

function metadataPath({ pointer }: SiteUnderCheck, table: IcebergTable): string {
  return formatPath('iceberg_metadata', { iceberg_table: table, number: String(pointer.sequence) });
}

function metadataOf(site: SiteUnderCheck, table: IcebergTable): IcebergMetadata | null {
  return documentAt<IcebergMetadata>(site, metadataPath(site, table));
}

/**
 * Makes the Iceberg tables again from the Parquet files, and compares them with those in the site. A table that differs
 * lists wrong files, counts or bounds, so that engines would skip rows or refuse the table.
 */
export function checkIceberg(site: SiteUnderCheck): void {
  const isIceberg = (path: string) => parsePath(path)?.kind.startsWith('iceberg_') ?? false;
  const stated = [...site.table.routes.values()].filter(
    ({ path, last_sequence }) => isIceberg(path) && last_sequence === undefined,
  );
  if (stated.length === 0) return;
  const location = icebergLocation(site);
  const retained = documentAt<{ data: RetainedPublication[] }>(site, formatPath('publications'))?.data;
  if (location === null) {
    const path = metadataPath(site, 'products');
    site.faults.add('iceberg_mismatch', path, `a location that ends with ${icebergFolder('products')}`, 'none');
  }
  if (location === null || !retained) return;
  const expected = new Set<string>();
  for (const table of icebergTable.options) {
    for (const path of checkTable(site, table, location, retained)) expected.add(path);
  }
  for (const { path } of stated) {
    if (!expected.has(path)) site.faults.add('iceberg_mismatch', path, 'no such file of a table', 'a route');
  }
}

function checkTable(
  site: SiteUnderCheck,
  table: IcebergTable,
  location: string,
  retained: readonly RetainedPublication[],
): string[] {
  const { faults, files: stored } = site;
  const path = metadataPath(site, table);
  const files = retained.toReversed().flatMap(({ revision, sequence, published_at }): IcebergFile[] => {
    const file = icebergFilePath(table, revision);
    const route = site.table.routes.get(file);
    const object = route && site.ledger.check(route.sha256, file);
    if (!object) {
      if (!route) faults.add('iceberg_mismatch', path, `the file ${file}`, 'no route');
      return [];
    }
    const place = stored.locate(objectPath(route.sha256));
    return [
      { path: file, stored: place, size: object.size, revision, sequence, published_ms: Date.parse(published_at) },
    ];
  });
  if (files.length < retained.length) return [path];
  try {
    const schema = icebergSchema(table, site.profile);
    const { metadata, manifests } = icebergFiles(table, files, schema, locationInSite(location, table));
    const found = firstDifference(metadata, metadataOf(site, table) ?? {});
    if (found) {
      const [wanted = '', got = ''] = found.values;
      faults.add('iceberg_mismatch', path, `${found.field} ${wanted}, as its files give it`, got);
    }
    const hint = formatPath('iceberg_version', { iceberg_table: table });
    compareBytes(site, hint, Buffer.from(String(site.pointer.sequence)));
    const folder = `${icebergFolder(table)}/metadata`;
    for (const [name, bytes] of manifests) compareBytes(site, `${folder}/${name}`, bytes);
    return [path, hint, ...[...manifests.keys()].map((name) => `${folder}/${name}`)];
  } catch (error) {
    // Reading the exports reports the file.
    if (!(error instanceof BrokenFile)) throw error;
    return [path];
  }
}

function compareBytes({ table, ledger, faults }: SiteUnderCheck, path: string, expected: Buffer): void {
  const route = table.routes.get(path);
  const bytes = route && ledger.read(route.sha256, path);
  if (route && !bytes) return;
  if (bytes && expected.equals(bytes)) return;
  const got = bytes ? `${bytes.length} other bytes` : 'no route';
  faults.add('iceberg_mismatch', path, `${expected.length} bytes that follow from the files of the table`, got);
}
