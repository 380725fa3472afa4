import type { ObjectReference } from './schemas/site-files.ts';
import type { ExportResource, PublicationTable } from './vocabulary.ts';

/** What a compressed file unpacks to, with the names under which clients save it. */
export type UnpackedFile = ObjectReference & { readonly names: readonly string[] };

/** The files of one publication, by name. `names`: other names under which clients save the file itself. */
export type ExportObjects = ReadonlyMap<
  string,
  ObjectReference & { readonly names?: readonly string[]; readonly unpacked?: UnpackedFile }
>;

/** The name of an export file, in the folder of the package. */
export function exportFileName(resource: ExportResource): string {
  return `${resource}.ndjson.gz`;
}

/** The name of the CSV file in that folder. */
export const csvFileName = 'products.csv.gz';

/** The name of a Parquet file in that folder. */
export function tableFileName(table: PublicationTable): string {
  return `${table}.parquet`;
}
