import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readText, root, sourcesIn } from './repository.ts';

/** What a layer may import of the project: whole layers or single files. A layer may always import itself. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  'generator/failure.ts': [],
  'generator/package-files.ts': [],
  'generator/make-folder.ts': ['generator/failure.ts'],
  'generator/regular-file.ts': ['generator/failure.ts'],
  'generator/replace-file.ts': ['generator/failure.ts'],
  'generator/temporary-folder.ts': [],
  'generator/contract': ['generator/failure.ts'],
  'generator/database': ['generator/contract', 'generator/failure.ts', 'generator/temporary-folder.ts'],
  'generator/publish': ['generator/contract', 'generator/failure.ts', 'generator/database'],
  'generator/import': [
    'generator/contract',
    'generator/failure.ts',
    'generator/make-folder.ts',
    'generator/regular-file.ts',
    'generator/replace-file.ts',
    'generator/publish',
  ],
  'generator/model': ['generator/contract', 'generator/failure.ts', 'generator/database'],
  'generator/resources': ['generator/contract', 'generator/failure.ts', 'generator/model'],
  'generator/encode': [
    'generator/contract',
    'generator/database',
    'generator/failure.ts',
    'generator/model',
    'generator/resources',
  ],
  'generator/remote': ['generator/contract', 'generator/failure.ts'],
  'generator/site': [
    'generator/contract',
    'generator/failure.ts',
    'generator/make-folder.ts',
    'generator/regular-file.ts',
    'generator/remote',
  ],
  'generator/build': [
    'generator/contract',
    'generator/failure.ts',
    'generator/database',
    'generator/model',
    'generator/resources',
    'generator/encode',
    'generator/package-files.ts',
    'generator/site',
  ],
  'generator/verify': [
    'generator/contract',
    'generator/failure.ts',
    'generator/temporary-folder.ts',
    'generator/database',
    'generator/build',
    'generator/remote',
    'generator/site',
  ],
  'generator/inspect': [
    'generator/contract',
    'generator/failure.ts',
    'generator/database',
    'generator/model',
    'generator/remote',
    'generator/site',
    'generator/verify',
  ],
  'generator/diff': [
    'generator/contract',
    'generator/failure.ts',
    'generator/database',
    'generator/model',
    'generator/resources',
    'generator/remote',
    'generator/site',
    'generator/inspect',
  ],
  'generator/mirror': ['generator/contract', 'generator/failure.ts', 'generator/remote', 'generator/site'],
  'generator/deploy': [
    'generator/contract',
    'generator/failure.ts',
    'generator/replace-file.ts',
    'generator/remote',
    'generator/site',
  ],
  'generator/follow': ['generator/contract', 'generator/failure.ts', 'generator/replace-file.ts', 'generator/remote'],
  'generator/bundle': ['generator/contract', 'generator/failure.ts', 'generator/replace-file.ts', 'generator/site'],
  'generator/explorer': [
    'generator/contract',
    'generator/failure.ts',
    'generator/regular-file.ts',
    'generator/client-bundle.ts',
    'generator/package-files.ts',
  ],
  'generator/hosts': [
    'generator/contract',
    'generator/failure.ts',
    'generator/make-folder.ts',
    'generator/package-files.ts',
    'generator/replace-file.ts',
    'generator/site',
    'shim',
  ],
  'generator/commands': [
    'generator/contract',
    'generator/failure.ts',
    'generator/database',
    'generator/publish',
    'generator/import',
    'generator/replace-file.ts',
    'generator/remote',
    'generator/site',
    'generator/build',
    'generator/verify',
    'generator/inspect',
    'generator/diff',
    'generator/mirror',
    'generator/deploy',
    'generator/follow',
    'generator/bundle',
    'generator/explorer',
    'generator/hosts',
    'shim',
    'shim/node',
    'generator/package-files.ts',
  ],
  'generator/cli.ts': ['generator/commands'],
  'generator/preview.ts': [
    'generator/database',
    'generator/publish',
    'generator/build',
    'generator/explorer',
    'generator/package-files.ts',
  ],
  'bin/shelfpress.mjs': ['generator/cli.ts'],
  client: ['generator/contract', 'shim'],
  'generator/client-bundle.ts': ['client', 'generator/package-files.ts'],
  packaging: [
    'generator/client-bundle.ts',
    'generator/import',
    'generator/explorer',
    'generator/hosts',
    'generator/package-files.ts',
  ],
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
  '@aws-sdk/client-s3': ['generator/deploy'],
  '@streamparser/json': ['generator/import/tables/json-rows.ts'],
  'better-sqlite3': ['generator/database', 'generator/site/lock.ts'],
  'brotli-wasm': ['generator/encode/compression.ts'],
  commander: ['generator/commands', 'serve.ts'],
  fflate: ['generator/encode/compression.ts', 'generator/bundle/zip-writer.ts'],
  'geographiclib-geodesic': ['shim/comparison'],
  // One writes, the other reads for checks.
  hyparquet: ['generator/encode/parquet.ts', 'generator/site/table-file.ts'],
  'hyparquet-writer': ['generator/encode/parquet.ts', 'generator/encode/parquet-columns.ts'],
  luxon: ['generator/import/values/conversions.ts'],
  micromatch: ['generator/site/mirror-holding.ts'],
  minisearch: ['shim/search'],
  'p-map': [
    'generator/mirror',
    'generator/deploy/deploy.ts',
    'generator/site/remote-table.ts',
    'generator/verify/live-site.ts',
  ],
  pino: ['shim/node'],
  'prom-client': ['shim/node'],
  'proxy-addr': ['shim/node'],
  'rate-limiter-flexible': ['shim/node'],
  saxes: ['generator/import/tables/workbook-parts.ts'],
  uuid: ['generator/publish/draft.ts', 'generator/resources/publications-feed.ts'],
  yauzl: ['generator/import/tables/workbook-archive.ts'],
  // Schemas are defined with their formats: the service's own, that of snapshots and that of recipes. Other layers only
  // import the schemas.
  zod: ['generator/contract', 'generator/publish', 'generator/import'],
};

/** The same for packages that are needed only in a clone. The two files that Node itself starts register the loader. */
const developmentHomes: Readonly<Record<string, readonly string[]>> = {
  esbuild: ['generator/client-bundle.ts', 'generator/explorer/explorer-bundle.ts', 'generator/hosts/worker-bundle.ts'],
  tsx: ['bin/shelfpress.mjs', 'generator/build/worker.mjs'],
};

type Import = { readonly file: string; readonly target: string; readonly isType: boolean };

const files = [...['bin', 'client', 'generator', 'packaging', 'shim'].flatMap(sourcesIn), 'serve.ts'];
const imports = files.flatMap((file) => importsOf(file));

/** Static, re-exporting, bare and dynamic imports. The code is formatted, so each kind has only one spelling. */
function importsOf(file: string): Import[] {
  const text = readText(file);
  const statements = text.matchAll(/^(?:import|export)\s(type\s)?(?:[^'";]*?\sfrom\s)?'([^']+)';/gm);
  const dynamic = text.matchAll(/\bimport\('([^']+)'\)|\bnew URL\('(\.[^']+\.m?[jt]s)'/g);
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
  expect(files.filter((file) => !(layerOf(file) in allowed))).toEqual([]);
  expect(printed(own.filter(({ target }) => !existsSync(join(root, target))))).toEqual([]);
});

describe.each(Object.keys(allowed))('%s', (layer) => {
  test('imports its own files and those of the layers below it', () => {
    const within = [layer, ...(allowed[layer] ?? [])];
    const types = [...within, ...(alsoAsTypes[layer] ?? [])];
    const violations = own.filter(
      ({ file, target, isType }) => layerOf(file) === layer && !(isType ? types : within).includes(layerOf(target)),
    );
    expect(printed(violations)).toEqual([]);
  });
});

test.each(withoutNode)('%s has no module of Node', (layer) => {
  const violations = foreign.filter(({ file, target }) => layerOf(file) === layer && /^node:|^[a-z_]+$/.test(target));
  expect(printed(violations.filter(({ target }) => !(packageOf(target) in homes)))).toEqual([]);
});

describe('packages', () => {
  const used = foreign.filter(({ target }) => !target.startsWith('node:'));

  test.each(Object.entries({ ...homes, ...developmentHomes }))('%s is imported by %j alone', (name, places) => {
    const violations = used.filter(
      ({ file, target, isType }) => packageOf(target) === name && !isType && !isInAny(file, places),
    );
    expect(printed(violations)).toEqual([]);
  });

  test('have a home each, and are the dependencies of package.json', () => {
    const all = { ...homes, ...developmentHomes };
    expect([...new Set(used.map(({ target }) => packageOf(target)))].sort()).toEqual(Object.keys(all).sort());
    const { dependencies, devDependencies } = JSON.parse(readText('package.json'));
    expect(Object.keys(dependencies).sort()).toEqual(Object.keys(homes).sort());
    expect(Object.keys(devDependencies)).toEqual(expect.arrayContaining(Object.keys(developmentHomes)));
  });
});

test('test/support/installed-programs.ts alone names the places of programs', () => {
  const sources = ['bench', 'packaging', 'test'].flatMap(sourcesIn);
  expect(sources.filter((file) => /\/usr\/s?bin['/]/.test(readText(file)))).toEqual([
    'test/support/installed-programs.ts',
  ]);
});
