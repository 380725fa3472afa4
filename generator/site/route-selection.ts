import fastGlob from 'fast-glob';
import type { Route } from '../contract/formats/site.ts';
import { checkoutPath } from '../contract/paths.ts';

const root = '/site';

/** Words for patterns that many ask for. */
const words: Readonly<Record<string, readonly string[]>> = { exports: ['v1/exports.json', 'v1/exports/**'] };

/**
 * What was asked for as patterns of files in a checkout, sorted. An address stands for its file: `/v1/brands` is
 * `v1/brands.json`. A pattern that begins with `!` leaves out.
 */
export function selectionPatterns(asked: readonly string[]): string[] {
  const patterns = asked.flatMap((text) => words[text] ?? [text.replace(/^(!?)\/+/, '$1')]);
  return [...new Set(patterns)].sort();
}

/** The routes whose file in the checkout one of the patterns matches, in the syntax of fast-glob. */
export function selectRoutes(routes: Iterable<Route>, patterns: readonly string[]): Route[] {
  const byFile = new Map<string, Route>();
  for (const route of routes) byFile.set(checkoutPath(route.path), route);
  const written = patterns.flatMap((pattern) => [pattern, pattern === 'v1' ? 'v1/index.json' : `${pattern}.json`]);
  const matched = fastGlob.sync(written, { cwd: root, fs: treeOf(byFile.keys()), dot: true });
  return matched.sort().flatMap((file) => byFile.get(file) ?? []);
}

/** fast-glob matches what it finds in a file system: this one has the files of a checkout, and no disk. */
function treeOf(files: Iterable<string>) {
  const folders = new Map<string, Map<string, boolean>>([['', new Map()]]);
  for (const file of files) {
    let folder = '';
    const parts = file.split('/');
    for (const [index, name] of parts.entries()) {
      const isFile = index === parts.length - 1;
      folders.get(folder)?.set(name, isFile);
      if (isFile) break;
      folder = folder === '' ? name : `${folder}/${name}`;
      if (!folders.has(folder)) folders.set(folder, new Map());
    }
  }
  const stat = (path: string) => {
    const place = placeOf(path);
    const slash = place.lastIndexOf('/');
    const name = place.slice(slash + 1);
    const isFile = place === '' ? false : folders.get(slash < 0 ? '' : place.slice(0, slash))?.get(name);
    if (isFile === undefined) throw notThere(path);
    return entryOf(name, isFile);
  };
  const readdirSync = (path: string) => {
    const entries = folders.get(placeOf(path));
    if (!entries) throw notThere(path);
    return [...entries].map(([name, isFile]) => entryOf(name, isFile));
  };
  return { lstatSync: stat, statSync: stat, readdirSync } as unknown as NonNullable<fastGlob.Options['fs']>;
}

function placeOf(path: string): string {
  return path.slice(root.length).replace(/^\/|\/$/g, '');
}

function entryOf(name: string, isFile: boolean) {
  const no = () => false;
  return {
    name,
    isFile: () => isFile,
    isDirectory: () => !isFile,
    isSymbolicLink: no,
    isBlockDevice: no,
    isCharacterDevice: no,
    isFIFO: no,
    isSocket: no,
  };
}

function notThere(path: string): Error {
  return Object.assign(new Error(`${path}: not there`), { code: 'ENOENT' });
}
