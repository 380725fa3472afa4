import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pointerFile } from '../contract/paths.ts';
import { explainFile, Failure, printable } from '../failure.ts';

/** Every site has one of these, also one whose first build was killed or whose pointer was moved away. */
const marks = [pointerFile, 'objects', 'build.lock'];

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
