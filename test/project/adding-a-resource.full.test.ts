import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { readText, root } from './repository.ts';

/*
 * Follows the recipe in CONTRIBUTING.md in a copy of the sources, for `/v1/cities`, the cities that have a store, and
 * for a document of each product, `/v1/products/{product_id}/label.json`.
 */

const copy = temporaryFolder();
afterAll(() => removeFolder(copy));

function edit(file: string, from: string, to: string): void {
  const text = readFileSync(join(copy, file), 'utf8');
  expect(text.split(from).length, `${file} has ${from} once`).toBe(2);
  writeFileSync(join(copy, file), text.replace(from, to));
}

function addImport(file: string, line: string): void {
  writeFileSync(join(copy, file), `${line}\n${readFileSync(join(copy, file), 'utf8')}`);
}

/**
 * Runs command lines of the copy, one after the other in one process, because starting a process takes longer than most
 * of them.
 */
function run(...lines: readonly (readonly string[])[]): void {
  const script = `
    import { Output } from './generator/cli/command-line.ts';
    import { programFor, runProgram } from './generator/cli/program.ts';
    for (const args of ${JSON.stringify(lines)}) {
      process.exitCode ||= await runProgram(args, new Output(), (output) => programFor(args, output));
    }`;
  writeFileSync(join(copy, 'run.ts'), script);
  const { status, stderr } = spawnSync(process.execPath, ['run.ts'], { cwd: copy, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
}

test('a row and a function make a resource of the site or of each product, which is kept from one publication to the next', () => {
  const files = ['package.json', 'package-lock.json', 'tsconfig.json'];
  for (const name of ['client', 'contract', 'explorer', 'generator', 'shim', 'templates', ...files]) {
    cpSync(join(root, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));

  edit(
    'contract/addresses.ts',
    '  categories: document(',
    `  cities: document('/v1/cities', 'Cities that have a store', documentSchema(z.array(z.string()))),
  product_label: document('/v1/products/{product_id}/label.json', 'What to print on a label', z.string()),
  categories: document(`,
  );
  writeFileSync(
    join(copy, 'generator/documents/city.ts'),
    `import { formatPath } from '../../contract/paths.ts';
import { changing, type Document } from './document.ts';
import type { State } from './state.ts';

export function citiesDocument(state: State): Document {
  const cities = new Set(state.stores.map(({ detail }) => detail.address.city));
  return changing(formatPath('cities'), { data: [...cities].sort(), meta: { warnings: [] } });
}
`,
  );
  edit(
    'generator/units/units.ts',
    "    categories: single('categories', categoriesDocument),\n",
    "    categories: single('categories', categoriesDocument),\n    cities: single('cities', citiesDocument),\n",
  );
  addImport('generator/units/units.ts', "import { citiesDocument } from '../documents/city.ts';");
  writeFileSync(
    join(copy, 'generator/documents/label.ts'),
    `import { formatPath } from '../../contract/paths.ts';
import { changing, type Document } from './document.ts';
import type { Product } from './product.ts';
import type { State } from './state.ts';

export function labelDocument(_: State, { id, name }: Product): Document {
  return changing(formatPath('product_label', { product_id: id }), name);
}
`,
  );
  edit(
    'generator/units/entity-units.ts',
    'availabilityDocument, seriesDocument]',
    'availabilityDocument, seriesDocument, labelDocument]',
  );
  addImport('generator/units/entity-units.ts', "import { labelDocument } from '../documents/label.ts';");

  const products = join(copy, 'dist/site/v1/products');
  const labels = () => readdirSync(products).filter((id) => existsSync(join(products, id, 'label.json')));
  const publish = (snapshot: string) => ['publish', join(root, 'fixtures', snapshot), '--db', 'db.sqlite'];
  const build = ['build', '--db', 'db.sqlite', '--out', 'dist', '--no-explorer'];
  run(publish('01-2025-03-03'), build);
  const counts = [labels().length];
  run(publish('02-2025-03-07'), build, ['verify', 'dist'], ['hosts', 'dist']);
  counts.push(labels().length);
  expect(counts[0]).toBeGreaterThan(40);
  // Most products are kept as they were, with all their documents.
  expect(counts.toSorted((a, b) => a - b)).toEqual(counts);

  const read = (name: string) => JSON.parse(readFileSync(join(copy, 'dist/site/v1', name), 'utf8'));
  expect(read('cities.json').data).toContain('Gant');
  expect(Object.keys(read('openapi.json').paths)).toContain('/cities');
  expect(readFileSync(join(copy, 'dist/hosts/static/_headers'), 'utf8')).toMatch(/^\/v1\/cities\n/m);
});

test('the recipe names the files that it changes', () => {
  const [, recipe = ''] = readText('CONTRIBUTING.md').split('## Adding a resource');
  const files = ['build/units.ts', 'build/entity-units.ts', 'documents/'].map((file) => `generator/${file}`);
  for (const file of ['contract/addresses.ts', ...files]) expect(recipe).toContain(`\`${file}\``);
});
