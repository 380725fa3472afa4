import { existsSync } from 'node:fs';
import fastGlob from 'fast-glob';
import { Failure } from '../files/failure.ts';

/**
 * Paths as their user meant them. A path that exists is itself; any other is a pattern, which a shell may have left as it
 * was, as cmd.exe, cron and systemd do: it stands for the paths that match, in order. Throws a Failure for one that matches
 * nothing.
 */
export function expandedPaths(paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    if (existsSync(path) || !fastGlob.isDynamicPattern(path)) return [path];
    const found = fastGlob.sync(path, { onlyFiles: false }).sort();
    if (found.length === 0)
      throw new Failure('wrong_value', `${path}: expected a path or a pattern that matches one, got none`);
    return found;
  });
}
