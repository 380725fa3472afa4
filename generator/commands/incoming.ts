import { existsSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { canonicalInstant, compareInstants } from '../contract/instant.ts';
import { parseJson } from '../contract/text.ts';
import { explainFile } from '../failure.ts';
import { fits } from '../import/import.ts';
import { readRecipe } from '../import/recipe/recipe-file.ts';
import { makeFolder } from '../make-folder.ts';
import { openSnapshot } from '../publish/snapshot/folder.ts';
import { SnapshotError } from '../publish/snapshot/problem.ts';
import { replaceFile } from '../replace-file.ts';

/** What was delivered at one time: a snapshot folder, or files of the agency. */
export type Delivery = {
  readonly path: string;
  readonly name: string;
  /** When it is of, UTC. */
  readonly time: string;
  /** The files of the agency, in a folder of their own or not; null for a snapshot folder. */
  readonly files: readonly string[] | null;
  readonly hasFolder: boolean;
};

/** The deliveries in a folder, oldest first, and the files there that are none. `recipe` says which files are of the agency. */
export function deliveriesIn(incoming: string, recipe: string | undefined) {
  const names = visibleIn(incoming);
  const inFolders = names.filter((name) => isFolder(join(incoming, name))).map((name) => deliveryOf(incoming, name));
  const others = names.filter((name) => !isFolder(join(incoming, name)));
  const patterns =
    recipe === undefined || others.length === 0
      ? []
      : Object.values(readRecipe(recipe).files).map(({ match }) => match);
  const files = others.filter((name) => patterns.some((pattern) => fits(pattern, name)));
  const paths = files.map((name) => join(incoming, name));
  const time = lastChange(paths);
  const loose = { path: incoming, name: time.slice(0, 10), time, files: paths, hasFolder: false };
  const deliveries: Delivery[] = files.length === 0 ? inFolders : [...inFolders, loose];
  return {
    deliveries: deliveries.sort((a, b) => compareInstants(a.time, b.time) || (a.name < b.name ? -1 : 1)),
    others: others.filter((name) => !files.includes(name)).map((name) => join(incoming, name)),
  };
}

function deliveryOf(incoming: string, name: string): Delivery {
  const path = join(incoming, name);
  const header = join(path, 'snapshot.json');
  const files = existsSync(header) ? null : visibleIn(path).map((file) => join(path, file));
  const time = (files === null ? publishedAt(header) : null) ?? timeOfName(name);
  return { path, name, time: time ?? lastChange(files?.length ? files : [path]), files, hasFolder: true };
}

/** A name that begins with a dot is of something that is not complete. */
export function visibleIn(folder: string): string[] {
  const names = explainFile(folder, 'a folder that can be read', () => readdirSync(folder));
  return names.filter((name) => !name.startsWith('.')).sort();
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** What a header says, which `publish` checks. Null if it does not say when the snapshot is of. */
function publishedAt(header: string): string | null {
  const value = parseJson(explainFile(header, 'a file that can be read', () => readFileSync(header, 'utf8')));
  const time = (value as { published_at?: unknown } | null)?.published_at;
  return typeof time === 'string' ? canonicalInstant(time) : null;
}

/** Noon in UTC has the same date in every time zone of America. */
function timeOfName(name: string): string | null {
  return canonicalInstant(/^\d{4}-\d\d-\d\d$/.test(name) ? `${name}T12:00:00Z` : name);
}

function lastChange(paths: readonly string[]): string {
  const times = paths.map((path) => explainFile(path, 'a file', () => statSync(path).mtimeMs));
  return `${new Date(Math.max(0, ...times)).toISOString().slice(0, 19)}Z`;
}

/** A number that names begin with, so that `publish published/*` + `/` takes the folders in their order. */
export function numbered(sequence: number, name: string): string {
  return `${String(sequence).padStart(6, '0')}-${name}`;
}

/**
 * Looks in a folder of published snapshots for one with this content among those with the number of its publication.
 * `strangers` have the number and another content, or none.
 */
export async function findPublished(published: string, snapshot: string, sequence: number) {
  const names = existsSync(published) ? readdirSync(published).sort() : [];
  const [content, strangers] = [await contentOf(snapshot), [] as string[]];
  for (const name of names.filter((one) => one.startsWith(numbered(sequence, '')))) {
    const path = join(published, name);
    if ((await contentOf(path)) === content) return { found: path, strangers };
    strangers.push(path);
  }
  return { found: null, strangers };
}

/** The hash of a snapshot's content; null for what is no snapshot. */
async function contentOf(folder: string): Promise<string | null> {
  try {
    return (await openSnapshot(folder)).contentHash;
  } catch (error) {
    if (error instanceof SnapshotError) return null;
    throw error;
  }
}

/** A path with this name, or with a number behind it if there is something of that name. */
export function freePath(folder: string, name: string): string {
  for (let count = 1; ; count += 1) {
    const path = join(folder, count === 1 ? name : `${name}-${count}`);
    if (!isThere(path)) return path;
  }
}

type Move = readonly [from: string, to: string];

/** Makes moves that belong together. A run that is killed meanwhile leaves their list, and the next one goes on with it. */
export function moveAll(list: string, moves: readonly Move[]): void {
  // The next run may know the same folder by another path.
  const named = moves.map((paths) => paths.map((path) => relative(dirname(list), path)));
  replaceFile(list, (append) => append(JSON.stringify(named)));
  finishMoves(list);
}

/** Makes the moves of a list that were not made. What came later under a name that was moved stays. */
export function finishMoves(list: string): void {
  if (!existsSync(list)) return;
  const moves: Move[] = JSON.parse(readFileSync(list, 'utf8'));
  for (const [from, to] of moves.map(
    ([one, other]) => [join(dirname(list), one), join(dirname(list), other)] as const,
  )) {
    if (!isThere(from) || isThere(to)) continue;
    makeFolder(dirname(to));
    explainFile(to, 'a folder that can be written', () => renameSync(from, to));
  }
  rmSync(list);
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
