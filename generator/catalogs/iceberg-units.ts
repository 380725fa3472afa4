import { formatPath, icebergFilePath, icebergFolder, objectPath } from '../../contract/paths.ts';
import { icebergTable } from '../../contract/schemas/iceberg.ts';
import type { IcebergTable } from '../../contract/vocabulary.ts';
import { changing } from '../documents/document.ts';
import type { DocumentWriter } from '../units/document-writer.ts';
import { type BuildContext, digest, type Unit } from '../units/kind.ts';
import { icebergSchema } from './iceberg-schema.ts';
import { type IcebergFile, icebergFiles, locationInSite } from './iceberg-table.ts';

type Facts = { readonly table: IcebergTable; readonly files: readonly IcebergFile[] };

/** The units of the Iceberg tables. They are made after the files that the tables list. */
export function* icebergUnits({ writer, exported, fileAt }: BuildContext): Generator<Unit<Facts>> {
  const location = writer.choices.iceberg;
  if (location === undefined) return;
  const oldestFirst = exported.toSorted((a, b) => a.sequence - b.sequence);
  for (const table of icebergTable.options) {
    const files = oldestFirst.map(({ sequence, revision, published_at }) => {
      const path = icebergFilePath(table, revision);
      const { sha256, size } = fileAt(path);
      const stored = writer.storage.locate(objectPath(sha256));
      return { path, stored, sha256, size, sequence, revision, published_ms: Date.parse(published_at) };
    });
    // The inputs leave out where files are stored, because the folder of the site may have been moved.
    const inputs = { location, files: digest(files.map(({ stored: _, ...file }) => file)) };
    yield { name: `Iceberg table ${table}`, inputs, facts: { table, files }, weight: 2 * files.length };
  }
}

export function makeIcebergTable(writer: DocumentWriter, { table, files }: Facts): void {
  const site = writer.choices.iceberg;
  const newest = files.at(-1);
  if (site === undefined || !newest) return;
  const schema = icebergSchema(table, writer.state.profile);
  const { metadata, manifests } = icebergFiles(table, files, schema, locationInSite(site, table));
  for (const [name, bytes] of manifests) writer.writeFile(`${icebergFolder(table)}/metadata/${name}`, bytes);
  const number = String(newest.sequence);
  writer.write([changing(formatPath('iceberg_metadata', { iceberg_table: table, number }), metadata)]);
  // Engines take the whole file for the number, so no line ends here.
  writer.writeFile(formatPath('iceberg_version', { iceberg_table: table }), Buffer.from(number));
}
