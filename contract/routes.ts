import { addressTable } from './addresses.ts';
import type { ExportObjects } from './export-names.ts';
import { exportFiles, parsePath, placeholder } from './paths.ts';
import type { ObjectReference, Route } from './schemas/site-files.ts';

/**
 * Whether the current publication must answer an address that a kept publication had (contract.md 11), so that a reader
 * who began with the kept publication can follow its lists and rows without a 404.
 */
export function staysForReaders(path: string): boolean {
  const kind = parsePath(path)?.kind;
  return kind !== undefined && !addressTable[kind].expires;
}

/**
 * The Content-Disposition of a route (RFC 6266), with the name under which a browser saves the answer; null where the
 * browser shows it. Browsers decode a file that has a Content-Encoding before they save it, so NDJSON gets the name of
 * the decoded file. The date is from the publication in which the bytes last changed; for a file that never changes,
 * that is its own publication.
 */
export function contentDisposition({ path, last_modified }: Pick<Route, 'path' | 'last_modified'>): string | null {
  const name = savedName({ path, last_modified });
  return name && `attachment; filename="${name}"`;
}

function savedName({ path, last_modified }: Pick<Route, 'path' | 'last_modified'>): string | null {
  const address = parsePath(path);
  const template = address && addressTable[address.kind].savedAs;
  if (!template) return null;
  const values: Readonly<Record<string, string>> = { ...address.parameters, date: last_modified.slice(0, 10) };
  return template.replace(placeholder, (_, name: string) => values[name] ?? name);
}

/**
 * Adds the names that browsers give to files. Also adds the content of compressed files, under the names that gunzip
 * and browsers give it. `unpackedAt` finds that content by the address of the compressed file.
 */
export function withUnpacked(
  { revision, published_at }: { readonly revision: string; readonly published_at: string },
  files: ReadonlyMap<string, ObjectReference>,
  unpackedAt: (path: string) => ObjectReference,
): ExportObjects {
  const paths = exportFiles(revision);
  return new Map(
    [...files].map(([name, file]) => {
      const path = paths.get(name);
      if (path === undefined) return [name, file];
      const saved = savedName({ path, last_modified: published_at });
      if (!name.endsWith('.gz')) return [name, saved === null ? file : { ...file, names: [saved] }];
      const names = [name.slice(0, -'.gz'.length), saved ?? []].flat();
      return [name, { ...file, unpacked: { ...unpackedAt(path), names } }];
    }),
  );
}
