import type { ObjectReference } from './schemas/site-files.ts';
import type { ExportResource, PublicationTable } from './vocabulary.ts';

/** The content of a compressed file, with the names under which clients save it. */
export type UnpackedFile = ObjectReference & { readonly names: readonly string[] };

/** The files of exports by name. `names`: other names under which clients save the file itself. */
export type ExportObjects = ReadonlyMap<
  string,
  ObjectReference & { readonly names?: readonly string[]; readonly unpacked?: UnpackedFile }
>;

/** The name of an export's file in the folder of its data package. */
export function exportFileName(resource: ExportResource): string {
  return `${resource}.ndjson.gz`;
}

export const csvFileName = 'products.csv.gz';

export function tableFileName(table: PublicationTable): string {
  return `${table}.parquet`;
}
