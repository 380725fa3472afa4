import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import type FastGlob from 'fast-glob';
import { Failure } from './failure.ts';

/** `require` runs at first use: the package has 70 modules, and most commands meet no pattern. */
const require = createRequire(import.meta.url);
const fastGlob = (): typeof FastGlob => require('fast-glob');

/**
 * Expands patterns in paths that the shell did not expand, as cmd.exe, cron and systemd do not. A path that exists
 * stands for itself; any other is a pattern, and stands for the paths that match, in order. Throws a Failure if none
 * matches.
 */
export function expandedPaths(paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    if (existsSync(path) || !fastGlob().isDynamicPattern(path)) return [path];
    const found = fastGlob().sync(path, { onlyFiles: false }).sort();
    if (found.length === 0)
      throw new Failure('wrong_value', `${path}: no such path, and no path matches it as a pattern`);
    return found;
  });
}

/**
 * The files below a folder that match one of the patterns, as paths below it with slashes, in order. Names that begin
 * with a dot are left out, and links are followed.
 */
export function filesBelow(folder: string, patterns: string | readonly string[] = '**'): string[] {
  return fastGlob().sync([patterns].flat(), { cwd: folder }).sort();
}
