import { existsSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readText, root, sourcesIn } from './repository.ts';

/** The rooms that each room may import, separated by spaces. A room may always import itself. */
const rooms: Readonly<Record<string, string>> = {
  contract: '',
  shim: 'contract',
  'shim/node': 'contract shim',
  'shim/worker': 'contract shim',
  client: 'contract shim',
  explorer: 'client explorer/site explorer/parts explorer/products explorer/changes explorer/views',
  'explorer/site': 'contract client',
  'explorer/parts': 'contract client explorer/site',
  'explorer/map': 'contract explorer/parts',
  'explorer/stores': 'contract explorer/site explorer/parts explorer/map',
  'explorer/products': 'contract client explorer/site explorer/parts explorer/map explorer/stores',
  'explorer/trip': 'contract client explorer/site explorer/parts explorer/map explorer/stores explorer/products',
  'explorer/changes': 'contract client explorer/site explorer/parts explorer/stores explorer/products',
  'explorer/views':
    'contract client explorer/site explorer/parts explorer/map explorer/stores explorer/products explorer/trip ' +
    'explorer/changes',
  'generator/files': 'contract',
  'generator/http': 'contract generator/files',
  'generator/tables': 'contract generator/files',
  'generator/trust': 'contract generator/files',
  'generator/terminal': 'contract generator/files',
  'generator/snapshot': 'contract generator/files generator/database',
  'generator/import': 'contract generator/files generator/snapshot',
  'generator/database': 'contract generator/files',
  'generator/publish': 'contract generator/files generator/snapshot generator/database',
  'generator/documents': 'contract generator/database',
  'generator/site': 'contract generator/files generator/tables generator/trust generator/http',
  'generator/units':
    'contract generator/files generator/database generator/documents generator/tables generator/trust generator/site',
  'generator/copies': 'contract generator/files generator/http generator/trust generator/site',
  'generator/verify':
    'contract generator/files generator/http generator/tables generator/trust generator/database generator/documents ' +
    'generator/site generator/units',
  'generator/catalogs':
    'contract generator/files generator/http generator/tables generator/terminal generator/documents generator/site ' +
    'generator/units generator/verify',
  'generator/page': 'contract generator/files generator/documents generator/units',
  'generator/assembly':
    'generator/files generator/trust generator/terminal generator/site generator/units generator/verify ' +
    'generator/catalogs generator/page',
  'generator/cli':
    'contract shim shim/node generator/files generator/http generator/tables generator/trust generator/terminal ' +
    'generator/snapshot generator/import generator/database generator/publish generator/site generator/units ' +
    'generator/copies generator/verify generator/assembly',
  bin: 'generator/assembly generator/files generator/copies generator/cli',
  'serve.ts': 'generator/cli generator/terminal',
};

/** Rooms that run on any host that has the Web APIs, and so import no Node module. */
const withoutNode = ['client', 'contract', 'shim', 'shim/worker'].concat(
  Object.keys(rooms).filter((room) => isIn(room, 'explorer')),
);

/**
 * The only files or folders that may import a package.
 */
const homes: Readonly<Record<string, readonly string[]>> = {
  '@inquirer/checkbox': ['generator/cli/prompts.ts'],
  '@inquirer/input': ['generator/cli/prompts.ts'],
  '@inquirer/select': ['generator/cli/prompts.ts'],
  '@pnpm/tabtab': ['generator/cli/completion.ts'],
  '@streamparser/json': ['generator/import/tables/json-rows.ts'],
  'any-ascii': ['generator/import/values/name-ids.ts'],
  avsc: ['generator/catalogs/avro.ts'],
  'awesome-phonenumber': ['generator/import/values/conversions.ts'],
  'better-sqlite3': ['generator/database', 'generator/files/file-lock.ts'],
  'brotli-wasm': ['generator/tables/compression.ts'],
  libdeflate: ['generator/tables/compression.ts'],
  commander: ['generator/cli', 'serve.ts'],
  entities: ['generator/import/values/doubtful-texts.ts'],
  'fast-glob': ['generator/files/path-patterns.ts'],
  fflate: ['generator/tables/compression.ts', 'generator/copies/bundle/zip-writer.ts'],
  'geographiclib-geodesic': ['shim/comparison'],
  // One writes, the other reads for checks.
  hyparquet: ['generator/tables/parquet.ts', 'generator/tables/table-file.ts'],
  'hyparquet-writer': ['generator/tables/parquet.ts', 'generator/tables/parquet-columns.ts'],
  'iso-3166': ['generator/page/atlas.ts'],
  luxon: ['generator/import/values/conversions.ts', 'generator/snapshot/time-zones.ts'],
  micromatch: ['generator/files/name-patterns.ts'],
  'moment-timezone': ['generator/snapshot/time-zones.ts'],
  'p-map': [
    'explorer/changes',
    'generator/copies/mirror',
    'generator/copies/deploy/deploy.ts',
    'generator/site/table-reader.ts',
    'generator/verify/live-site.ts',
  ],
  pino: ['shim/node'],
  'prom-client': ['shim/node'],
  'proxy-addr': ['shim/node'],
  re2js: ['generator/import/values/patterns.ts'],
  saxes: ['generator/import/tables/xml.ts'],
  'serve-handler': ['generator/cli/plain-server.ts'],
  'spdx-license-ids': ['contract/licenses.ts'],
  'topojson-client': ['generator/page/atlas.ts'],
  'us-atlas': ['generator/page/atlas.ts'],
  uuid: ['generator/publish/next-publication.ts', 'generator/documents/atom.ts', 'generator/catalogs/iceberg-table.ts'],
  'world-atlas': ['generator/page/atlas.ts'],
  yauzl: ['generator/import/tables/workbook-archive.ts'],
  // Schemas are defined with their formats: those of the service, snapshots, recipes, settings, and what a build or a
  // verification keeps. Other rooms only import the schemas; one file prints them.
  zod: [
    ...['contract', 'generator/snapshot', 'generator/import'],
    ...['settings-file', 'schema'].map((name) => `generator/cli/${name}.ts`),
    // Configures how schemas work in a web page.
    'client/without-eval.ts',
    'generator/units/ledger-file.ts',
    'generator/verify/proof.ts',
  ],
};

/** The same for a package that users install themselves, where they need it. */
const optionalHomes: Readonly<Record<string, readonly string[]>> = {
  '@aws-sdk/client-s3': ['generator/copies/deploy'],
};

/** The same for packages that are needed only in a clone. */
const developmentHomes: Readonly<Record<string, readonly string[]>> = {
  preact: ['explorer'],
  uplot: ['explorer/parts'],
  uqr: ['explorer/parts'],
  esbuild: [
    'bin/package/client-bundle.ts',
    'generator/page/explorer-bundle.ts',
    'generator/copies/hosts/worker-bundle.ts',
  ],
};

type Import = { readonly file: string; readonly target: string; readonly isType: boolean };

const sources = ['bin', 'client', 'contract', 'explorer', 'generator', 'shim'].flatMap(sourcesIn);
sources.push('serve.ts');
const imports = sources.flatMap((file) => importsOf(file));

/**
 * Static, bare and dynamic imports, re-exports, and required data. The code is formatted, so each kind has only one
 * spelling.
 */
function importsOf(file: string): Import[] {
  const text = readText(file);
  const statements = text.matchAll(
    /^(?:import|export)\s(type\s)?(?:[^'";]*?\sfrom\s)?'([^']+)'(?: with \{[^}]+\})?;/gm,
  );
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

/** The innermost room of a file, or the file itself if it is in none. */
function roomOf(file: string): string {
  const found = Object.keys(rooms).filter((room) => isIn(file, room));
  return found.sort((a, b) => b.length - a.length)[0] ?? file;
}

/** The package of an import: `@scope/name` for `@scope/name/entry`. */
function packageOf(target: string): string {
  return target.split('/', target.startsWith('@') ? 2 : 1).join('/');
}

function printed(found: readonly Import[]): string[] {
  return found.map(({ file, target, isType }) => `${file} imports ${isType ? 'types of ' : ''}${target}`).sort();
}

test('every file is in a room, and every import leads to a file', () => {
  expect(sources.filter((file) => !(roomOf(file) in rooms))).toEqual([]);
  expect(printed(own.filter(({ target }) => !existsSync(join(root, target))))).toEqual([]);
});

test.each(Object.entries(rooms))('%s imports its own files and those of: %s', (room, below) => {
  const allowed = [room, ...below.split(' ')];
  const violations = own.filter(({ file, target }) => roomOf(file) === room && !allowed.includes(roomOf(target)));
  expect(printed(violations)).toEqual([]);
});

test('the ground floor of the contract needs no package and no schema when it runs', () => {
  const isGround = (file: string) => /^contract\/[^/]+$/.test(file);
  // A list of names, which only the curation of data needs.
  const packages = foreign.filter(({ file, isType }) => isGround(file) && !isType && file !== 'contract/licenses.ts');
  expect(printed(packages)).toEqual([]);
  expect(printed(own.filter(({ file, target, isType }) => isGround(file) && !isType && !isGround(target)))).toEqual([]);
});

test('no room is above itself', () => {
  const below = (room: string): string[] => (rooms[room] ?? '').split(' ').filter((name) => name !== '');
  const isAbove = (room: string, sought: string): boolean =>
    below(room).some((name) => name === sought || isAbove(name, sought));
  expect(Object.keys(rooms).filter((room) => isAbove(room, room))).toEqual([]);
});

test('no room lists another that it does not import', () => {
  const listed = Object.entries(rooms).flatMap(([room, below]) => below.split(' ').map((name) => `${room} -> ${name}`));
  const used = new Set(own.map(({ file, target }) => `${roomOf(file)} -> ${roomOf(target)}`));
  expect(listed.filter((arrow) => !arrow.endsWith(' ') && !used.has(arrow))).toEqual([]);
});

test.each(withoutNode)('%s imports no Node module', (room) => {
  expect(printed(foreign.filter(({ file, target }) => roomOf(file) === room && isBuiltin(target)))).toEqual([]);
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

  test('have one home each, and are the dependencies in package.json', () => {
    const all = { ...homes, ...optionalHomes, ...developmentHomes };
    expect([...new Set(used.map(({ target }) => packageOf(target)))].sort()).toEqual(Object.keys(all).sort());
    const { dependencies, peerDependencies, devDependencies } = JSON.parse(readText('package.json'));
    expect(Object.keys(peerDependencies)).toEqual(Object.keys(optionalHomes));
    expect(Object.keys(dependencies).sort()).toEqual(Object.keys(homes).sort());
    expect(Object.keys(devDependencies)).toEqual(expect.arrayContaining(Object.keys(developmentHomes)));
  });
});

test('only these files write files or give them names, because they know when that is on the disk', () => {
  const writes =
    /\b(?:writeFileSync|appendFileSync|createWriteStream|renameSync|linkSync|symlinkSync|copyFileSync|cpSync)\(/;
  const writers = sources.filter((file) => file.startsWith('generator/') && writes.test(readText(file)));
  expect(writers.sort()).toEqual([
    // Appends, and syncs what it appended.
    'generator/cli/follow/event-sinks.ts',
    'generator/files/durable-files.ts',
    // Downloads the objects of a mirror, which flushes them together.
    'generator/http/receivers.ts',
    // Syncs each file of a snapshot, and its folder.
    'generator/import/snapshot-writer.ts',
    // Unpacks into a temporary folder.
    'generator/import/tables/packed-files.ts',
    // Flushes the files of a site together.
    'generator/site/storage.ts',
  ]);
});

test('only test/support/installed-programs.ts names the places of programs', () => {
  const programs = ['bench', 'bin/package', 'test'].flatMap(sourcesIn);
  expect(programs.filter((file) => /\/usr\/s?bin['/]/.test(readText(file)))).toEqual([
    'test/support/installed-programs.ts',
  ]);
});
