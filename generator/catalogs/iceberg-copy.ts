import { statSync } from 'node:fs';
import { formatPath, icebergFilePath, objectPath, siteLink } from '../../contract/paths.ts';
import { type IcebergMetadata, icebergTable } from '../../contract/schemas/iceberg.ts';
import { Failure } from '../files/failure.ts';
import { readPreviousSite } from '../site/built-site.ts';
import { documentIn } from '../site/route-table.ts';
import type { Storage } from '../site/storage.ts';
import { type IcebergFile, icebergFiles } from './iceberg-table.ts';

/**
 * The folder of a mirror's own Iceberg tables. They are not part of the site, whose hashes cover tables with other
 * URLs.
 */
const folder = 'iceberg';

/**
 * Writes the Iceberg tables of a mirror for engines that find its folder at `url`. They are the site's tables with
 * other URLs, made from the mirrored files. The file that leads to the rest comes last. Throws a Failure if the site
 * has no such tables, or if the mirror does not hold their files.
 */
export function writeIcebergTables(storage: Storage, url: string): void {
  const site = readPreviousSite(storage);
  if (site === null) throw new Error('a mirror without a pointer');
  const kept = new Set<string>();
  const write = (name: string, bytes: Uint8Array) => {
    kept.add(name);
    if (!storage.read(name)?.equals(bytes)) storage.replace(name, bytes);
  };
  const objectAt = (path: string) => {
    const object = site.routes.get(path);
    const name = object && objectPath(object.sha256);
    if (name !== undefined && storage.exists(name)) return storage.locate(name);
    throw new Failure(
      'site_missing',
      `${path}: expected it in the mirror, for its Iceberg tables, got none; the operator adds them with build --iceberg, and --only must select '/v1/iceberg/**' and exports`,
    );
  };
  for (const table of icebergTable.options) {
    const number = String(site.pointer.sequence);
    const path = formatPath('iceberg_metadata', { iceberg_table: table, number });
    objectAt(path);
    const stated = documentIn<IcebergMetadata>(storage, site.routes, path);
    const [schema] = stated?.schemas ?? [];
    if (!stated || !schema) throw new Failure('site_damaged', `${path}: expected metadata of Iceberg, got other bytes`);
    const files = stated.snapshots.map((snapshot): IcebergFile => {
      const revision = snapshot.summary['publication-revision'];
      const file = icebergFilePath(table, revision);
      const stored = objectAt(file);
      const [sequence, published_ms] = [snapshot['snapshot-id'], snapshot['timestamp-ms']];
      return { path: file, stored, size: statSync(stored).size, revision, sequence, published_ms };
    });
    const location = { site: `${url}/${siteLink}`, folder: `${url}/${folder}/${table}` };
    const { metadata, manifests } = icebergFiles(table, files, schema, location);
    const metadataFolder = `${folder}/${table}/metadata`;
    for (const [name, bytes] of manifests) write(`${metadataFolder}/${name}`, bytes);
    write(`${metadataFolder}/v${number}.metadata.json`, Buffer.from(`${JSON.stringify(metadata)}\n`));
    storage.flush();
    write(`${metadataFolder}/version-hint.text`, Buffer.from(number));
  }
  for (const name of storage.list(folder)) if (!kept.has(name)) storage.remove(name);
  storage.flush();
}
