import { type IcebergTable, icebergSchema, icebergTable } from '../../contract/formats/iceberg.ts';
import { formatPath, icebergFilePath, icebergFolder, objectPath } from '../../contract/paths.ts';
import { changing } from '../documents/document.ts';
import { type IcebergFile, icebergFiles } from '../site/iceberg-table.ts';
import { TableFile } from '../site/table-file.ts';
import type { DocumentWriter } from './document-writer.ts';
import { digest } from './entity-units.ts';
import type { BuildContext, Unit } from './ledger.ts';

type Facts = { readonly table: IcebergTable; readonly files: readonly (IcebergFile & { readonly sha256: string })[] };

/** A unit for each Iceberg table, on a site that has them. They are made after the files that they list. */
export function* icebergUnits({ writer, exported, fileAt }: BuildContext): Generator<Unit<Facts>> {
  if (writer.iceberg === null) return;
  const oldestFirst = exported.toSorted((a, b) => a.sequence - b.sequence);
  for (const table of icebergTable.options) {
    const files = oldestFirst.map(({ sequence, revision, published_at }) => {
      const path = icebergFilePath(table, revision);
      const { sha256, size } = fileAt(path);
      return { path, sha256, size, sequence, revision, published_ms: Date.parse(published_at) };
    });
    const inputs = { location: writer.iceberg, files: digest(files) };
    yield { name: `Iceberg table ${table}`, inputs, facts: { table, files }, weight: 2 * files.length };
  }
}

export function makeIcebergTable(writer: DocumentWriter, { table, files }: Facts): void {
  const site = writer.iceberg;
  const newest = files.at(-1);
  if (site === null || !newest) return;
  const objects = new Map(files.map(({ path, sha256 }) => [path, writer.storage.locate(objectPath(sha256))]));
  const { metadata, manifests } = icebergFiles(
    table,
    files,
    icebergSchema(table, writer.state.profile),
    { site, folderOf: (one) => site + icebergFolder(one) },
    ({ path, size }) => new TableFile(objects.get(path) ?? '', size),
  );
  for (const [name, bytes] of manifests) writer.writeFile(`${icebergFolder(table)}/metadata/${name}`, bytes);
  const number = String(newest.sequence);
  writer.write([changing(formatPath('iceberg_metadata', { iceberg_table: table, number }), metadata)]);
  // Engines take the whole file for the number, so no line ends here.
  writer.writeFile(formatPath('iceberg_version', { iceberg_table: table }), Buffer.from(number));
}
