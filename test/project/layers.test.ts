import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readText, root, sourcesIn } from './repository.ts';

/** Small files of the generator, and the contract. All its rooms may import them. */
const small = [
  'failure',
  'durable-files',
  'file-lock',
  'new-file',
  'package-files',
  'regular-file',
  'temporary-folder',
];
const basis = ['generator/contract', ...small.map((name) => `generator/${name}.ts`)];

/** What a room of the generator may import besides the basis, as words. */
const rooms: Readonly<Record<string, string>> = {
  database: '',
  publish: 'database',
  import: 'publish',
  model: 'database',
  resources: 'model',
  encode: 'database model resources',
  remote: '',
  site: 'remote',
  build: 'database model resources encode site',
  verify: 'database build remote site',
  inspect: 'database model remote site verify',
  diff: 'database model resources remote site inspect',
  mirror: 'remote site',
  deploy: 'remote site',
  follow: 'remote',
  bundle: 'site',
  explorer: 'client-bundle.ts',
  hosts: 'site shim',
  commands:
    'database publish import remote site build verify inspect diff mirror deploy follow bundle explorer hosts shim shim/node preview.ts',
};
const placeOf = (name: string) => (name.startsWith('shim') ? name : `generator/${name}`);

/** What a layer may import of the project: whole layers or single files. A layer may always import itself. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(basis.map((file) => [file, ['generator/failure.ts']])),
  'generator/file-lock.ts': ['generator/failure.ts', 'generator/durable-files.ts'],
  'generator/new-file.ts': ['failure', 'durable-files', 'file-lock'].map((name) => `generator/${name}.ts`),
  ...Object.fromEntries(
    Object.entries(rooms).map(([room, below]) => [`generator/${room}`, [...basis, ...below.split(' ').map(placeOf)]]),
  ),
  'generator/cli.ts': ['generator/commands'],
  'generator/preview.ts': [...basis, ...['database', 'publish', 'build', 'explorer'].map(placeOf)],
  bin: ['generator/cli.ts'],
  client: ['generator/contract', 'shim'],
  'generator/client-bundle.ts': ['client', 'generator/package-files.ts'],
  packaging: [...basis, ...['client-bundle.ts', 'commands', 'explorer', 'hosts'].map(placeOf)],
  'shim/node': ['generator/contract', 'shim'],
  shim: ['generator/contract'],
  'serve.ts': ['generator/commands', 'generator/preview.ts'],
};

/**
 * Layers whose types a layer may import, although it may not import their code. Types of rows are used above the layer
 * that reads them.
 */
const alsoAsTypes: Readonly<Record<string, readonly string[]>> = {
  'generator/resources': ['generator/database'],
};

/** Layers that run on any host with the Web's own interfaces, and so import no Node module. */
const withoutNode = ['client', 'generator/contract', 'shim'];

/**
 * The only files or folders that may import a package. The command line is one program in several places.
 */
const homes: Readonly<Record<string, readonly string[]>> = {
  '@pnpm/tabtab': ['generator/commands/completion.ts'],
  '@streamparser/json': ['generator/import/tables/json-rows.ts'],
  'awesome-phonenumber': ['generator/import/values/conversions.ts'],
  'better-sqlite3': ['generator/database', 'generator/file-lock.ts'],
  'brotli-wasm': ['generator/encode/compression.ts'],
  commander: ['generator/commands', 'serve.ts'],
  'fast-glob': ['generator/commands/paths.ts'],
  fflate: ['generator/encode/compression.ts', 'generator/bundle/zip-writer.ts'],
  'geographiclib-geodesic': ['shim/comparison'],
  // One writes, the other reads for checks.
  hyparquet: ['generator/encode/parquet.ts', 'generator/site/table-file.ts'],
  'hyparquet-writer': ['generator/encode/parquet.ts', 'generator/encode/parquet-columns.ts'],
  'iso-3166': ['generator/explorer/atlas.ts'],
  luxon: ['generator/import/values/conversions.ts'],
  micromatch: ['generator/site/mirror-holding.ts'],
  minisearch: ['shim/search.ts'],
  'p-map': [
    'generator/mirror',
    'generator/deploy/deploy.ts',
    'generator/site/remote-table.ts',
    'generator/verify/live-site.ts',
  ],
  pino: ['shim/node'],
  'prom-client': ['shim/node'],
  'proxy-addr': ['shim/node'],
  saxes: ['generator/import/tables/xml.ts'],
  'serve-handler': ['generator/commands/plain-server.ts'],
  'topojson-client': ['generator/explorer/atlas.ts'],
  'us-atlas': ['generator/explorer/atlas.ts'],
  uuid: ['generator/publish/draft.ts', 'generator/resources/atom.ts'],
  'world-atlas': ['generator/explorer/atlas.ts'],
  yauzl: ['generator/import/tables/workbook-archive.ts'],
  // Schemas are defined with their formats: the service's own, that of snapshots, that of recipes and that of settings. Other
  // layers only import the schemas; one file prints them.
  zod: [
    ...['generator/contract', 'generator/publish', 'generator/import'],
    ...['settings-file', 'schema'].map((name) => `generator/commands/${name}.ts`),
    // Sets how schemas work in a page.
    'client/without-eval.ts',
  ],
};

/** The same for a package that users install themselves, where they need it. */
const optionalHomes: Readonly<Record<string, readonly string[]>> = { '@aws-sdk/client-s3': ['generator/deploy'] };

/** The same for packages that are needed only in a clone. */
const developmentHomes: Readonly<Record<string, readonly string[]>> = {
  esbuild: ['generator/client-bundle.ts', 'generator/explorer/explorer-bundle.ts', 'generator/hosts/worker-bundle.ts'],
};

type Import = { readonly file: string; readonly target: string; readonly isType: boolean };

/** The site of the docs has packages of its own. */
const isElsewhere = (file: string) => file.startsWith('packaging/docs-site/');

const sources = ['bin', 'client', 'generator', 'packaging', 'shim']
  .flatMap(sourcesIn)
  .filter((file) => !isElsewhere(file));
sources.push('serve.ts');
const imports = sources.flatMap((file) => importsOf(file));

/** Static, re-exporting, bare and dynamic imports, and required data. The code is formatted, so each kind has only one spelling. */
function importsOf(file: string): Import[] {
  const text = readText(file);
  const statements = text.matchAll(/^(?:import|export)\s(type\s)?(?:[^'";]*?\sfrom\s)?'([^']+)';/gm);
  const dynamic = text.matchAll(/\b(?:import|require)\('([^']+)'\)|\bnew URL\('(\.[^']+\.m?[jt]s)'/g);
  return [
    ...[...statements].map(([, type, target = '']) => ({ file, target, isType: type !== undefined })),
    ...[...dynamic].map(([, imported, located]) => ({ file, target: imported ?? located ?? '', isType: false })),
  ];
}

const own = imports
  .filter(({ target }) => target.startsWith('.'))
  .map(({ target, ...rest }) => ({ ...rest, target: sourceOf(join(dirname(rest.file), target)) }));
const foreign = imports.filter(({ target }) => !target.startsWith('.'));

/** The source of a file in the compiled package. */
function sourceOf(target: string): string {
  return target.replace(/^lib\/(.+)\.js$/, '$1.ts');
}

function isIn(file: string, place: string): boolean {
  return file === place || file.startsWith(`${place}/`);
}

function isInAny(file: string, places: readonly string[]): boolean {
  return places.some((place) => isIn(file, place));
}

function layerOf(file: string): string {
  return Object.keys(allowed).find((layer) => isIn(file, layer)) ?? file;
}

/** The package of an import: `@scope/name` for `@scope/name/entry`. */
function packageOf(target: string): string {
  return target.split('/', target.startsWith('@') ? 2 : 1).join('/');
}

function printed(found: readonly Import[]): string[] {
  return found.map(({ file, target, isType }) => `${file} imports ${isType ? 'types of ' : ''}${target}`).sort();
}

test('every file belongs to a layer, and every import leads to a file', () => {
  expect(sources.filter((file) => !(layerOf(file) in allowed))).toEqual([]);
  expect(printed(own.filter(({ target }) => !existsSync(join(root, target))))).toEqual([]);
});

test.each(Object.keys(allowed))('%s imports its own files and those of the layers below it', (layer) => {
  const within = [layer, ...(allowed[layer] ?? [])];
  const types = [...within, ...(alsoAsTypes[layer] ?? [])];
  const violations = own.filter(
    ({ file, target, isType }) => layerOf(file) === layer && !(isType ? types : within).includes(layerOf(target)),
  );
  expect(printed(violations)).toEqual([]);
});

test.each(withoutNode)('%s has no module of Node', (layer) => {
  const violations = foreign.filter(({ file, target }) => layerOf(file) === layer && /^node:|^[a-z_]+$/.test(target));
  expect(printed(violations.filter(({ target }) => !(packageOf(target) in homes)))).toEqual([]);
});

describe('packages', () => {
  const used = foreign.filter(({ target }) => !target.startsWith('node:'));

  test.each(Object.entries({ ...homes, ...optionalHomes, ...developmentHomes }))(
    '%s is imported by %j alone',
    (name, places) => {
      const violations = used.filter(
        ({ file, target, isType }) => packageOf(target) === name && !isType && !isInAny(file, places),
      );
      expect(printed(violations)).toEqual([]);
    },
  );

  test('have a home each, and are the dependencies of package.json', () => {
    const all = { ...homes, ...optionalHomes, ...developmentHomes };
    expect([...new Set(used.map(({ target }) => packageOf(target)))].sort()).toEqual(Object.keys(all).sort());
    const { dependencies, peerDependencies, devDependencies } = JSON.parse(readText('package.json'));
    expect(Object.keys(peerDependencies)).toEqual(Object.keys(optionalHomes));
    expect(Object.keys(dependencies).sort()).toEqual(Object.keys(homes).sort());
    expect(Object.keys(devDependencies)).toEqual(expect.arrayContaining(Object.keys(developmentHomes)));
  });
});

test('files get content and names only where it is known when that is on the disk', () => {
  const writes =
    /\b(?:writeFileSync|appendFileSync|createWriteStream|renameSync|linkSync|symlinkSync|copyFileSync|cpSync)\(/;
  const writers = sources.filter((file) => file.startsWith('generator/') && writes.test(readText(file)));
  expect(writers.sort()).toEqual([
    'generator/durable-files.ts',
    // Appends, and syncs what it appended.
    'generator/follow/event-sinks.ts',
    // Syncs each file of a snapshot, and its folder.
    'generator/import/snapshot-writer.ts',
    // Unpacks into a temporary folder.
    'generator/import/tables/packed-files.ts',
    // Downloads the objects of a mirror, which flushes them together.
    'generator/remote/receivers.ts',
    // Flushes the files of a site together.
    'generator/site/storage.ts',
  ]);
});

test('test/support/installed-programs.ts alone names the places of programs', () => {
  const programs = ['bench', 'packaging', 'test'].flatMap(sourcesIn);
  expect(programs.filter((file) => /\/usr\/s?bin['/]/.test(readText(file)))).toEqual([
    'test/support/installed-programs.ts',
  ]);
});
