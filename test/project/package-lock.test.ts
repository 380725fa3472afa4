import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readText, root } from './repository.ts';

/*
 * `npm ci` knows about a package only what is in the lock file. npm does not write there that a package with a
 * binding.gyp needs no build, so it would call make and Python, which a machine may lack. After an update, add the line
 * again.
 */
test('npm ci builds nothing: the lock file says `"gypfile": false` for every package that has sources but also contains builds', () => {
  const { packages } = JSON.parse(readText('package-lock.json')) as {
    packages: Record<string, { gypfile?: boolean; hasInstallScript?: boolean }>;
  };
  const withSources = Object.entries(packages).filter(
    ([path, { hasInstallScript }]) => path !== '' && !hasInstallScript && existsSync(join(root, path, 'binding.gyp')),
  );
  expect(withSources.map(([path, { gypfile }]) => [path, gypfile])).toEqual([['node_modules/better-sqlite3', false]]);
});
