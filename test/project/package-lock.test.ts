import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readText, root } from './repository.ts';

/*
 * `npm ci` takes what it knows of a package from the lock alone. There npm does not write that a package with a binding.gyp wants
 * no build, so it would call make and Python, which a machine may lack. After an update, add the line again.
 */
test('npm ci builds nothing: the lock says `"gypfile": false` of every package that has sources and brings its builds', () => {
  const { packages } = JSON.parse(readText('package-lock.json')) as {
    packages: Record<string, { gypfile?: boolean; hasInstallScript?: boolean }>;
  };
  const withSources = Object.entries(packages).filter(
    ([path, { hasInstallScript }]) => path !== '' && !hasInstallScript && existsSync(join(root, path, 'binding.gyp')),
  );
  expect(withSources.map(([path, { gypfile }]) => [path, gypfile])).toEqual([['node_modules/better-sqlite3', false]]);
});
