import { checkoutFolder, checkoutPath, objectPath, siteLink } from '../../contract/paths.ts';
import type { ObjectReference } from '../../contract/schemas/site-files.ts';
import { parseJson } from '../../contract/text.ts';
import { type ObjectLedger, readable, type SiteFiles, UnreadableFile } from '../site/checked-files.ts';
import type { CheckedTable } from '../site/checked-table.ts';
import type { FaultList } from '../site/fault.ts';
import { absentList, isListOfPaths, spareFolder, spares } from '../site/spare-checkout.ts';
import type { CheckContext } from './documents.ts';

/** Compares the checkout of a publication, which a plain host serves, with its route table, file by file. */
export function checkCheckout(context: CheckContext, revision: string, table: CheckedTable): void {
  checkFolder(context, checkoutFolder(revision), `the checkout of revision ${revision}`, table);
}

/**
 * Compares the spare checkout of this table, if there is one, with the table. The next build would start from it, and
 * add the files of the paths listed as absent.
 */
export function checkSpare(context: CheckContext, root: ObjectReference, table: CheckedTable): void {
  if (!hasSpare(context.files, root)) return;
  const folder = spareFolder(root);
  const list = absentList(root);
  readable(context.faults, ['checkout_missing', list, 'the paths that the spare checkout lacks'], () => {
    const absent = parseJson(context.files.read(list).bytes.toString());
    if (isListOfPaths(absent)) checkFolder(context, folder, 'the spare checkout', table, absent);
    else context.faults.add('checkout_content', list, 'a JSON array of paths', 'something else');
  });
}

/** A killed build may have taken the files and left the list. */
function hasSpare(files: SiteFiles, root: ObjectReference): boolean {
  return namesIn(files, spareFolder(root)).length > 0;
}

/** `what`: the folder in words. `absent`: paths whose files it must not have. */
function checkFolder(
  context: CheckContext,
  folder: string,
  what: string,
  table: CheckedTable,
  absent: readonly string[] = [],
): void {
  const { files, faults } = context;
  const expected = expectedFiles(folder, table, new Set(absent));
  const isWalked = readable(faults, ['checkout_missing', folder, what], () => {
    for (const { path, isFile } of walkFolder(files, folder)) {
      const file = expected.get(path);
      expected.delete(path);
      if (file) checkFile(context, path, isFile, file);
      else if (table.isComplete)
        faults.add('checkout_stray', path, 'only files that a route names', 'a file without a route');
    }
    return true;
  });
  if (!isWalked) return;
  for (const [path, { owner }] of expected)
    faults.add('checkout_missing', path, `the file of ${owner}`, 'no such file');
}

/** The expected content of a file in a checkout, and the answer that it belongs to. */
type ExpectedFile = { readonly sha256: string; readonly owner: string };

/** The expected files: the answer of each route that is not absent, and its variants beside it. */
function expectedFiles(folder: string, table: CheckedTable, absent: ReadonlySet<string>): Map<string, ExpectedFile> {
  const expected = new Map<string, ExpectedFile>();
  for (const { path, sha256, variants = [] } of table.routes.values()) {
    if (absent.has(path)) continue;
    expected.set(`${folder}/${checkoutPath(path)}`, { sha256, owner: path });
    for (const { encoding, sha256 } of variants) {
      expected.set(`${folder}/${checkoutPath(path, encoding)}`, { sha256, owner: `${path} in ${encoding}` });
    }
  }
  return expected;
}

/** Checks a file of a checkout. A second name of a sound object need not be read; a copy must be. */
function checkFile(
  { files, ledger, faults }: CheckContext,
  path: string,
  isFile: boolean,
  { sha256, owner }: ExpectedFile,
): void {
  if (!isFile) {
    faults.add('checkout_content', path, `a file with the bytes of ${owner}`, 'something other than a file');
    return;
  }
  const object = ledger.check(sha256, owner);
  readable(faults, ['checkout_content', path, `the bytes of ${owner}`], () => {
    const { dev, ino } = files.stat(path);
    if (object && object.dev === dev && object.ino === ino) return;
    const actual = files.digest(path).sha256;
    if (actual === sha256) return;
    faults.add('checkout_content', path, `the bytes of ${owner}, SHA-256 ${sha256}`, `SHA-256 ${actual}`);
  });
}

/** Checks the link that makes one checkout the site. Its target is relative, so that the folder can be moved. */
export function checkSiteLink(files: SiteFiles, revision: string, faults: FaultList): void {
  const expected = checkoutFolder(revision);
  const target = readable(faults, ['site_link', siteLink, `a symbolic link to ${expected}`], () =>
    files.linkTarget(siteLink),
  );
  if (target !== null && target !== expected)
    faults.add('site_link', siteLink, `a link to ${expected}`, `one to ${target}`);
}

function* walkFolder(files: SiteFiles, folder: string): Generator<{ path: string; isFile: boolean }> {
  for (const entry of files.list(folder)) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* walkFolder(files, path);
    else yield { path, isFile: entry.isFile() };
  }
}

/**
 * Counts what a killed build may leave. No reader ever gets it, so it is not a fault. `root`: the current route table;
 * null when there is none.
 */
export function countLeftovers(
  files: SiteFiles,
  ledger: ObjectLedger,
  revisions: ReadonlySet<string>,
  root: ObjectReference | null,
) {
  const objects = objectFiles(files);
  const checkouts = namesIn(files, 'checkouts').filter((revision) => !revisions.has(revision));
  const spare = root && hasSpare(files, root) ? root.sha256 : null;
  const others = namesIn(files, spares).filter((name) => name !== spare);
  return {
    unnamed_objects: objects.filter((path) => !ledger.isNamed(baseName(path))).length,
    unnamed_checkouts: checkouts.length + others.length,
  };
}

/**
 * Checks every object against its own name. Without a pointer or route table, nothing says which objects are needed.
 */
export function checkObjectNames(files: SiteFiles, ledger: ObjectLedger): void {
  for (const path of objectFiles(files)) {
    const name = baseName(path);
    if (path === objectPath(name) && /^[0-9a-f]{64}$/.test(name)) ledger.check(name, 'an object of an unknown route');
  }
}

function objectFiles(files: SiteFiles): string[] {
  return namesIn(files, 'objects').flatMap((folder) =>
    namesIn(files, `objects/${folder}`).map((name) => `objects/${folder}/${name}`),
  );
}

function baseName(path: string): string {
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
