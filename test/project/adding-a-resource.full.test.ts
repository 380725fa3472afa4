import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { readText, root } from './repository.ts';

/* Follows the recipe of CONTRIBUTING.md in a copy of the sources, for `/v1/cities`: the cities that have a store. */

const copy = temporaryFolder();
afterAll(() => removeFolder(copy));

function edit(file: string, from: string, to: string): void {
  const text = readFileSync(join(copy, file), 'utf8');
  expect(text.split(from).length, `${file} has ${from} once`).toBe(2);
  writeFileSync(join(copy, file), text.replace(from, to));
}

function run(...args: string[]): void {
  const command = ['--import', import.meta.resolve('tsx'), 'generator/cli.ts', ...args];
  const { status, stderr } = spawnSync(process.execPath, command, { cwd: copy, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
}

test('a row and a function make a resource', () => {
  for (const name of [
    'client',
    'generator',
    'shim',
    'templates',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
  ]) {
    cpSync(join(root, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));

  edit(
    'generator/contract/addresses.ts',
    '  categories: document(',
    `  cities: document('/v1/cities', 'Cities that have a store', documentOf(z.array(z.string()))),
  categories: document(`,
  );
  writeFileSync(
    join(copy, 'generator/resources/city.ts'),
    `import { pathOf } from '../contract/paths.ts';
import type { State } from '../model/state.ts';
import { changing, type Document } from './document.ts';

/** Cities that have a store, each once and in order. */
export function citiesDocument(state: State): Document {
  const cities = new Set(state.stores.map(({ detail }) => detail.address.city));
  return changing(pathOf('cities'), { data: [...cities].sort(), meta: { warnings: [] } });
}
`,
  );
  edit('generator/build/single-documents.ts', '  categoriesDocument,\n', '  categoriesDocument,\n  citiesDocument,\n');
  edit(
    'generator/build/single-documents.ts',
    "import { searchIndexDocument } from '../resources/search-index.ts';\n",
    "import { searchIndexDocument } from '../resources/search-index.ts';\nimport { citiesDocument } from '../resources/city.ts';\n",
  );

  run('publish', join(root, 'fixtures/01-2025-03-03'), '--db', 'db.sqlite');
  run('build', '--db', 'db.sqlite', '--out', 'dist');
  run('verify', 'dist');
  run('hosts', 'dist');

  const read = (name: string) => JSON.parse(readFileSync(join(copy, 'dist/site/v1', name), 'utf8'));
  expect(read('cities.json').data).toContain('Gant');
  expect(Object.keys(read('openapi.json').paths)).toContain('/cities');
  expect(readFileSync(join(copy, 'dist/hosts/static/_headers'), 'utf8')).toMatch(/^\/v1\/cities\n/m);
});

test('the recipe names the files that it is about', () => {
  const [, recipe = ''] = readText('CONTRIBUTING.md').split('## Adding a resource');
  for (const file of [
    'generator/contract/addresses.ts',
    'generator/build/single-documents.ts',
    'generator/resources/',
  ]) {
    expect(recipe).toContain(`\`${file}\``);
  }
});
