import { objectPath } from '../../contract/paths.ts';
import type { ObjectLedger } from './object-ledger.ts';
import { type SiteFiles, UnreadableFile } from './site-files.ts';

/** What a killed build may leave: no reader ever meets it, so it is counted and is no fault. */
export type Leftovers = { readonly unnamed_objects: number; readonly unnamed_checkouts: number };

export function countLeftovers(files: SiteFiles, ledger: ObjectLedger, revisions: ReadonlySet<string>): Leftovers {
  const objects = objectFiles(files);
  const checkouts = namesIn(files, 'checkouts');
  return {
    unnamed_objects: objects.filter((path) => !ledger.isNamed(nameOf(path))).length,
    unnamed_checkouts: checkouts.filter((revision) => !revisions.has(revision)).length,
  };
}

/** Without a pointer or its route table nothing says which objects count: each is held against its own name. */
export function checkObjectNames(files: SiteFiles, ledger: ObjectLedger): void {
  for (const path of objectFiles(files)) {
    const name = nameOf(path);
    if (path === objectPath(name) && /^[0-9a-f]{64}$/.test(name)) ledger.check(name, 'an object of an unknown route');
  }
}

function objectFiles(files: SiteFiles): string[] {
  return namesIn(files, 'objects').flatMap((folder) =>
    namesIn(files, `objects/${folder}`).map((name) => `objects/${folder}/${name}`),
  );
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function namesIn(files: SiteFiles, folder: string): string[] {
  try {
    return files.list(folder).map(({ name }) => name);
  } catch (error) {
    if (error instanceof UnreadableFile) return [];
    throw error;
  }
}
