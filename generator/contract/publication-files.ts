import { type ExportObjects, exportFileName, tableFileName } from './formats/data-package.ts';
import { exportResource } from './formats/export.ts';
import { publicationTable } from './formats/parquet.ts';
import type { ObjectReference } from './formats/site.ts';
import { pathOf } from './paths.ts';

/** The names of the files of a publication, in the folder that also has the package, and their addresses. */
export function exportFiles(revision: string): Map<string, string> {
  const ndjson = exportResource.options.map(
    (resource) => [exportFileName(resource), pathOf('export', { revision, resource })] as const,
  );
  const parquet = publicationTable.options.map(
    (table) => [tableFileName(table), pathOf('export_parquet', { revision, table })] as const,
  );
  return new Map([...ndjson, ...parquet]);
}

/** The files of a publication, each as `fileOf` finds it at its address. It gives null for one that does not exist. */
export function exportObjects(revision: string, fileOf: (path: string) => ObjectReference | null): ExportObjects {
  const found = [...exportFiles(revision)].map(([name, path]) => [name, fileOf(path)] as const);
  return new Map(found.flatMap(([name, file]) => (file ? [[name, { sha256: file.sha256, size: file.size }]] : [])));
}
