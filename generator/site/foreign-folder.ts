import { existsSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pointerFile, siteLink } from '../contract/paths.ts';
import { explainFile, Failure, printable } from '../failure.ts';
import { buildLock } from './lock.ts';

/** Every site has one of these, also one whose first build was killed or whose pointer was moved away. */
const marks = [pointerFile, 'objects', buildLock];

/** File systems have this folder from the beginning. */
const ignored = ['lost+found'];

/**
 * Refuses a folder that holds something other than a site, so that a mistyped path does not mix a site with other files.
 * A missing folder, an empty one and anything that is no folder pass.
 */
export function refuseForeignFolder(folder: string): void {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return;
  const names = explainFile(folder, 'a folder that can be read', () => readdirSync(folder)).sort();
  const [first] = names.filter((name) => !ignored.includes(name));
  if (first === undefined || marks.some((name) => names.includes(name))) return;
  const what = statSync(join(folder, first), { throwIfNoEntry: false })?.isDirectory() ? 'the folder' : 'the file';
  throw new Failure(
    `${folder}: expected a site or an empty folder, got one that holds something else: ${what} ${printable(first)}`,
  );
}

/** Refuses anything but the folder of a site, so that a mistyped path does not pass for a site without a publication. */
export function requireSite(folder: string): void {
  const stats = explainFile(folder, 'the folder of a site', () => statSync(folder));
  if (!stats.isDirectory()) throw new Failure(`${folder}: expected the folder of a site, got a file`);
  const names = explainFile(folder, 'a folder that can be read', () => readdirSync(folder));
  if (marks.some((name) => names.includes(name))) return;
  throw new Failure(`${folder}: expected the folder of a site, got one without ${pointerFile}`);
}

/**
 * Refuses a site with something else where the link to the current checkout belongs. A copy that follows links, such as
 * `cp -rL`, leaves a folder there.
 */
export function refuseFollowedLink(site: string): void {
  const link = join(site, siteLink);
  const found = lstatSync(link, { throwIfNoEntry: false });
  if (!found || found.isSymbolicLink()) return;
  const got = found.isDirectory() ? 'a folder, as a copy leaves that follows links' : 'a file';
  throw new Failure(
    `${link}: expected a symbolic link to the current checkout, got ${got}; delete it, and the next run makes the link`,
  );
}
