import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { folderForFile, removeFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { readText, root } from './repository.ts';

/*
 * Follows the recipe in CONTRIBUTING.md in a copy of the sources, for `/v1/cities`, the cities that have a store, and
 * for a document of each product, `/v1/products/{product_id}/label.json`.
 */

const copy = folderForFile();

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
  runIn(copy, lines);
}

function runIn(folder: string, lines: readonly (readonly string[])[]): string {
  const script = `
    import { Output } from './generator/terminal/output.ts';
    import { programFor, runProgram } from './generator/cli/program.ts';
    for (const args of ${JSON.stringify(lines)}) {
      process.exitCode ||= await runProgram(args, new Output(), (output) => programFor(args, output));
    }`;
  writeFileSync(join(folder, 'run.ts'), script);
  const { status, stdout, stderr } = spawnSync(process.execPath, ['run.ts'], { cwd: folder, encoding: 'utf8' });
  expect({ status, stderr: stderr.replace(notices, '') }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

/** What an import says of an agency's files that are right. */
const notices = /^.*(?:columns not used|left out|notice|a row of).*\n/gm;

/** A copy of the sources in a folder of its own. */
function copySources(to: string): void {
  const files = ['package.json', 'package-lock.json', 'tsconfig.json'];
  for (const name of ['client', 'contract', 'explorer', 'generator', 'shim', 'templates', ...files]) {
    cpSync(join(root, name), join(to, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(to, 'node_modules'));
}

test('a row and a function make a resource of the site or of each product, which is kept from one publication to the next', () => {
  copySources(copy);
  edit(
    'contract/address-paths.ts',
    "  categories: '/v1/categories',",
    `  cities: '/v1/cities',
  product_label: '/v1/products/{product_id}/label.json',
  categories: '/v1/categories',`,
  );
  edit(
    'contract/addresses.ts',
    '  categories: document(',
    `  cities: document('Cities that have a store'),
  product_label: document('What to print on a label'),
  categories: document(`,
  );
  edit(
    'contract/schemas/documents.ts',
    '  categories: categoryDocument,',
    `  cities: documentSchema(z.array(z.string())),
  product_label: z.string(),
  categories: categoryDocument,`,
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
  const publish = (snapshot: string) => ['publish', join(root, 'fixtures', snapshot), '--db', 'db.sqlite', '--quiet'];
  const build = ['build', '--db', 'db.sqlite', '--out', 'dist', '--no-explorer', '--quiet'];
  run(publish('01-2025-03-03'), build);
  const counts = [labels().length];
  run(publish('02-2025-03-07'), build, ['verify', 'dist', '--quiet'], ['hosts', 'dist']);
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
  const files = ['units/units.ts', 'units/entity-units.ts', 'documents/'].map((file) => `generator/${file}`);
  const declared = ['address-paths.ts', 'addresses.ts', 'schemas/documents.ts'].map((file) => `contract/${file}`);
  for (const file of [...declared, ...files]) expect(recipe).toContain(`\`${file}\``);
});

test('a row makes a fact that an agency delivers, and that documents and exports have', () => {
  const own = temporaryFolder();
  try {
    copySources(own);
    const table = join(own, 'contract/product-facts.ts');
    const text = readFileSync(table, 'utf8');
    const [start, row] = [
      "  vintage: { type: 'year',",
      "  grape: { type: 'text', meaning: 'Grape', delivered: 'its grape' },",
    ];
    expect(text.split(start)).toHaveLength(2);
    writeFileSync(table, text.replace(start, `${row}\n${start}`));
    const imports = join(root, 'fixtures/imports/british-columbia');
    const recipe = JSON.parse(readFileSync(join(root, 'templates/recipes/british-columbia.json'), 'utf8'));
    recipe.snapshot.profile.product_facts.push('grape');
    recipe.products.fields.grape = 'name';
    writeFileSync(join(own, 'recipe.json'), JSON.stringify(recipe));
    const files = ['bc-skus.csv', 'bc.csv'].map((name) => join(imports, name));
    const time = '2025-03-03T22:00:00Z';
    const times = ['--published-at', time, '--retrieved-at', time];
    const lines = [
      ['import', 'recipe.json', ...files, '--out', 'snapshot', ...times],
      ['publish', 'snapshot', '--db', 'db.sqlite'],
      ['build', '--db', 'db.sqlite', '--out', 'dist', '--no-explorer'],
      ['verify', 'dist'],
    ];
    runIn(own, lines);
    const product = JSON.parse(readFileSync(join(own, 'dist/site/v1/products/by-sku/62801.json'), 'utf8'));
    expect(product.data.facts.grape).toBe(product.data.name);
    const exported = gunzipSync(readFileSync(join(own, 'dist/site/v1/exports/latest/products.ndjson.gz'))).toString();
    expect(exported).toContain(`"grape":"${product.data.name}"`);
  } finally {
    removeFolder(own);
  }
});

test('a row and a condition make a warning, in what publish prints, in the answers that it concerns, and in OpenAPI', () => {
  const own = temporaryFolder();
  const insert = (file: string, before: string, added: string) => {
    const text = readFileSync(join(own, file), 'utf8');
    expect(text.split(before).length, `${file} has ${before} once`).toBe(2);
    writeFileSync(join(own, file), text.replace(before, `${added}${before}`));
  };
  try {
    copySources(own);
    insert(
      'contract/warnings.ts',
      '  CATALOG_BATCH_OLD: {',
      `  CATALOG_SMALL: {
    of: 'catalog',
    meaning: 'the catalog has fewer than a thousand products',
    publishing: 'the catalog in force is small',
    short: 'small catalog',
  },
`,
    );
    insert(
      'generator/publish/publish.ts',
      '    CATALOG_BATCH_OLD: age(',
      '    CATALOG_SMALL: facts.product_count < 1000,\n',
    );
    const published = runIn(own, [
      ['publish', join(root, 'fixtures/01-2025-03-03'), '--db', 'db.sqlite'],
      ['build', '--db', 'db.sqlite', '--out', 'dist', '--no-explorer', '--quiet'],
      ['verify', 'dist'],
    ]);
    expect(published).toContain('warning CATALOG_SMALL: the catalog in force is small');
    const read = (name: string) => readFileSync(join(own, 'dist/site/v1', name), 'utf8');
    const codesOf = (name: string) => JSON.parse(read(name)).meta.warnings.map((one: { code: string }) => one.code);
    expect(codesOf('products.json')).toContain('CATALOG_SMALL');
    expect(codesOf('stores.json')).not.toContain('CATALOG_SMALL');
    expect(read('openapi.json')).toContain('CATALOG_SMALL');
  } finally {
    removeFolder(own);
  }
});
