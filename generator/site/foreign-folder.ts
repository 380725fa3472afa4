import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { checkoutFolder, pointerFile, siteLink, uuidPattern } from '../../contract/paths.ts';
import { unfinishedFile as mirrorUnfinished, pointer } from '../../contract/schemas/site-files.ts';
import { parseJson } from '../../contract/text.ts';
import { explainFile, Failure } from '../files/failure.ts';
import { buildLock } from '../files/file-lock.ts';
import { checkoutTarget, isLink, linkTarget } from './site-link.ts';
import { spares } from './spare-checkout.ts';
import type { Storage } from './storage.ts';

/** Marks a site while a build is at work, and after a build that was killed, failed or did not clean up. */
export const buildUnfinished = 'build.unfinished';

const marks = [buildUnfinished, mirrorUnfinished];

/** A build or a mirror writes this text first. The next run recognizes the folder by it. */
export const unfinishedText = Buffer.from('shelfpress is at work on this site, or ended early; the next run goes on\n');

/** A run leaves these when it is killed before its mark is renamed into place. */
const beginnings = [buildLock, ...marks.map((name) => `${name}.tmp`)];

/** A new file system contains this folder, which may stay. */
const ignored = 'lost+found';

/** More bytes than any pointer has. */
const mostBytes = 16 * 1024 * 1024;

/**
 * Refuses a folder with other content than a site, so that a mistyped path does not mix the two. A missing or empty
 * folder passes, and so does anything that is not a folder.
 */
export function refuseForeignFolder(folder: string): void {
  const path = resolve(folder);
  if (!existsSync(path) || !statSync(path).isDirectory()) return;
  const first = firstOther(folder);
  if (first === undefined || isSite(path)) return;
  const what = statSync(join(path, first), { throwIfNoEntry: false })?.isDirectory() ? 'the folder' : 'the file';
  throw new Failure(
    'folder_of_something_else',
    `${folder}: expected a site or an empty folder, got one that holds something else: ${what} ${first}`,
  );
}

/** Refuses other folders, so that a mistyped path does not pass for a site without a publication. */
export function requireSite(folder: string): void {
  const stats = explainFile(folder, 'the folder of a site', () => statSync(folder));
  if (!stats.isDirectory()) throw new Failure('site_missing', `${folder}: expected the folder of a site, got a file`);
  const isBeginning = existsSync(join(folder, buildLock)) && firstOther(folder) === undefined;
  if (isBeginning || isSite(folder)) return;
  throw new Failure('site_missing', `${folder}: expected the folder of a site, got one without ${pointerFile}`);
}

/** The first name that a site which has just begun does not have. */
function firstOther(folder: string): string | undefined {
  const names = explainFile(folder, 'a folder that can be read', () => readdirSync(resolve(folder))).sort();
  const isBeginning = (name: string) => beginnings.includes(name) && isBegun(resolve(folder, name));
  return names.find((name) => name !== ignored && !isBeginning(name));
}

/**
 * Looks for something that only a site has: the pointer, a link to a checkout, or the mark of a run. One is enough,
 * because the first build may have been killed, or the pointer moved away. Names alone say nothing: a Git repository
 * has `objects` too.
 */
function isSite(folder: string): boolean {
  const found = readSmallFile(join(folder, pointerFile), mostBytes);
  if (found !== null && pointer.safeParse(parseJson(found.toString())).success) return true;
  const link = join(folder, siteLink);
  if (isLink(link) && checkoutTarget.test(linkTarget(link))) return true;
  return marks.some((name) => readSmallFile(join(folder, name), unfinishedText.length)?.equals(unfinishedText));
}

function isBegun(file: string): boolean {
  const content = readSmallFile(file, unfinishedText.length);
  return content?.equals(unfinishedText.subarray(0, content.length)) ?? false;
}

/** The bytes of a file; null for anything but a regular file of at most `most` bytes. */
function readSmallFile(file: string, most: number): Buffer | null {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  return stats?.isFile() && stats.size <= most ? readFileSync(file) : null;
}

/**
 * Refuses a site with a link where a folder belongs, or something else where the link to the current checkout belongs.
 * A copy that follows links, such as `cp -rL`, leaves a folder there.
 */
export function refuseMisplacedLinks(site: string, storage: Storage): void {
  for (const folder of ['objects', 'checkouts', spares]) storage.requireOwn(folder);
  const link = join(site, siteLink);
  const found = lstatSync(link, { throwIfNoEntry: false });
  if (!found || isLink(link)) return;
  const got = found.isDirectory() ? 'a folder, left by a copy that follows links' : 'a file';
  throw new Failure(
    'folder_of_something_else',
    `${link}: expected a symbolic link to the current checkout, got ${got}; delete it, and the next run makes the link`,
  );
}

/** The names of objects and checkouts, also of half-written ones. Files with other names are not ours. */
const objectFile = /^objects\/([0-9a-f]{2})\/\1[0-9a-f]{62}((\.\d+)?\.tmp)?$/;
const checkoutName = new RegExp(`^${uuidPattern}(\\.next)?$`);

/** Removes checkouts of other publications, and objects that are not named. Returns the number of removed objects. */
export function sweep(storage: Storage, revisions: ReadonlySet<string>, named: ReadonlySet<string>): number {
  for (const revision of storage.entries('checkouts')) {
    if (checkoutName.test(revision) && !revisions.has(revision)) storage.removeFolder(checkoutFolder(revision));
  }
  let removed = 0;
  for (const name of storage.list('objects')) {
    if (!objectFile.test(name) || named.has(name.slice(name.lastIndexOf('/') + 1))) continue;
    storage.remove(name);
    removed += 1;
  }
  return removed;
}
