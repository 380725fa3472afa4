import { checkoutFolder, checkoutPath, siteLink } from '../../contract/paths.ts';
import type { Route } from '../../contract/site.ts';
import type { FaultList } from './fault.ts';
import type { ObjectLedger } from './object-ledger.ts';
import type { RouteTable } from './route-table.ts';
import { type SiteFiles, UnreadableFile } from './site-files.ts';

type Surroundings = { readonly files: SiteFiles; readonly ledger: ObjectLedger; readonly faults: FaultList };

/** Holds the checkout of a publication against its route table: what a plain host serves, file by file. */
export function checkCheckout(surroundings: Surroundings, revision: string, table: RouteTable): void {
  const { files, faults } = surroundings;
  const folder = checkoutFolder(revision);
  const expected = new Map<string, Route>();
  for (const route of table.routes.values()) expected.set(`${folder}/${checkoutPath(route.path)}`, route);
  try {
    for (const { path, isFile } of walkFolder(files, folder)) {
      const route = expected.get(path);
      expected.delete(path);
      if (route) checkFile(surroundings, path, isFile, route);
      else if (table.isComplete) faults.add('checkout_stray', path, 'only files that a route names', 'one of no route');
    }
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    faults.add('checkout_missing', folder, `the checkout of revision ${revision}`, error.message);
    return;
  }
  for (const [path, route] of expected)
    faults.add('checkout_missing', path, `the file of ${route.path}`, 'no such file');
}

/** A second name of a sound object needs no reading; a copy does. */
function checkFile({ files, ledger, faults }: Surroundings, path: string, isFile: boolean, route: Route): void {
  if (!isFile) {
    faults.add('checkout_content', path, `a file with the bytes of ${route.path}`, 'something else than a file');
    return;
  }
  const object = ledger.check(route.sha256, route.path);
  try {
    const { dev, ino } = files.stat(path);
    if (object && object.dev === dev && object.ino === ino) return;
    const { sha256 } = files.digest(path);
    if (sha256 === route.sha256) return;
    faults.add('checkout_content', path, `the bytes of ${route.path}, SHA-256 ${route.sha256}`, `SHA-256 ${sha256}`);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    faults.add('checkout_content', path, `the bytes of ${route.path}`, error.message);
  }
}

/** The link that makes one checkout the site: relative, so that the folder can be moved. */
export function checkSiteLink(files: SiteFiles, revision: string, faults: FaultList): void {
  const expected = checkoutFolder(revision);
  try {
    const target = files.linkTarget(siteLink);
    if (target !== expected) faults.add('site_link', siteLink, `a link to ${expected}`, `one to ${target}`);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    faults.add('site_link', siteLink, `a symbolic link to ${expected}`, error.message);
  }
}

function* walkFolder(files: SiteFiles, folder: string): Generator<{ path: string; isFile: boolean }> {
  for (const entry of files.list(folder)) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* walkFolder(files, path);
    else yield { path, isFile: entry.isFile() };
  }
}
