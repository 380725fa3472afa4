import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fixtureFolders } from '../../generator/cli/preview.ts';
import { bundleWorker } from '../../generator/copies/hosts/worker-bundle.ts';
import { root } from '../project/repository.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { copyBuiltFixtures, copyWithPage } from '../units/built-fixtures.ts';
import { readTree } from '../units/site-tree.ts';
import { type LockEntry, startRegistry } from './local-registry.ts';

/**
 * The file that `npm pack` makes, unpacked in an empty folder. Only the packages that package.json names as
 * dependencies are linked from the clone, so that the package fails if it needs one that it does not name.
 */
class InstalledPackage {
  readonly folder = temporaryFolder();
  readonly at = join(this.folder, 'node_modules', 'shelfpress');
  readonly program = join(this.folder, 'node_modules', '.bin', 'shelfpress');
  readonly archive: string;

  constructor() {
    const packed = spawnSync('npm', ['pack', '--pack-destination', this.folder], { cwd: root, encoding: 'utf8' });
    if (packed.status !== 0) throw new Error(`npm pack failed: ${packed.stderr}`);
    const archive = readdirSync(this.folder).find((name) => name.endsWith('.tgz')) ?? '';
    this.archive = join(this.folder, archive);
    mkdirSync(join(this.folder, 'node_modules', '.bin'), { recursive: true });
    const unpacked = spawnSync('tar', ['xzf', archive], { cwd: this.folder });
    if (unpacked.status !== 0) throw new Error(`${archive} cannot be unpacked`);
    renameSync(join(this.folder, 'package'), this.at);
    const { dependencies } = JSON.parse(readFileSync(join(this.at, 'package.json'), 'utf8'));
    for (const name of Object.keys(dependencies)) {
      const place = join(this.folder, 'node_modules', name);
      mkdirSync(dirname(place), { recursive: true });
      symlinkSync(join(root, 'node_modules', name), place);
    }
    symlinkSync('../shelfpress/bin/shelfpress.mjs', this.program);
  }

  /** The files of the package, in order. */
  get files(): string[] {
    const names = readdirSync(this.at, { recursive: true, encoding: 'utf8' }).sort();
    return names.filter((name) => statSync(join(this.at, name)).isFile());
  }

  /** Runs the installed command in the folder. With `--quiet` it reports no progress, which it does after a while. */
  run(...args: readonly string[]) {
    const { status, stdout, stderr } = spawnSync(this.program, args, { cwd: this.folder, encoding: 'utf8' });
    return { status, stdout, stderr };
  }
}

/* The package as its users install it. The tests run in order, and each uses what the earlier ones made. */

let installed: InstalledPackage;
beforeAll(() => {
  installed = new InstalledPackage();
});
afterAll(() => removeFolder(installed.folder));

const at = (name: string) => join(installed.folder, name);
const done = { status: 0, stderr: '' };

/** The hash of every file in a site, except the files that only a build reads. */
function bytesOf(folder: string): Map<string, string> {
  const files = [...readTree(folder)].filter(([name]) => !name.startsWith('build'));
  return new Map(files.map(([name, { sha256 }]) => [name, sha256]));
}

test('it has the compiled program, the types of its client, its pages and templates, and nothing else', () => {
  const { files } = installed;
  const own =
    /^([A-Z]+(\.md)?|package\.json|npm-shrinkwrap\.json|bench\/README\.md|(bin|docs|fixtures|lib|node_modules\/libdeflate|schemas|templates)\/.+)$/;
  expect(files.filter((name) => !own.test(name))).toEqual([]);
  expect(files.filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))).toEqual([]);
  expect(files.filter((name) => name.endsWith('.map'))).toEqual([]);
  const types = files.filter((name) => name.endsWith('.d.ts'));
  expect(types).toContain('lib/client/open-site.d.ts');
  expect(types.filter((name) => /^lib\/generator\//.test(name))).toEqual([]);
  const some = [
    'README.md',
    'LICENSE',
    'CHANGELOG.md',
    'SECURITY.md',
    'templates/nginx/shelfpress.conf',
    'schemas/recipe.schema.json',
  ];
  expect(files).toEqual(expect.arrayContaining(some));
  expect(['lib', 'schemas', 'npm-shrinkwrap.json'].filter((name) => existsSync(join(root, name)))).toEqual([]);
});

test('it publishes and builds the same bytes as a clone, and verifies them', async () => {
  const published = installed.run('publish', ...fixtureFolders().slice(0, 2), '--db', 'my.sqlite', '--quiet');
  expect(published).toMatchObject(done);
  expect(installed.run('build', '--db', 'my.sqlite', '--out', 'site', '--quiet')).toMatchObject(done);
  await copyWithPage('whole', at('of-clone'), 2);
  expect(bytesOf(at('site'))).toEqual(bytesOf(at('of-clone')));
  // A clone and its package count as the same code, so that either continues a site of the other.
  const [key, keyOfClone] = ['site', 'of-clone'].map(
    (name) => JSON.parse(readFileSync(at(`${name}/build-ledger.json`), 'utf8')).key,
  );
  expect(key).toBe(keyOfClone);
  const again = installed.run('build', '--db', 'my.sqlite', '--out', 'site', '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({ written: 0, deleted: 0 });
  expect(installed.run('verify', 'site', '--quiet')).toMatchObject(done);
});

test('its statement of a build is the same as that of a clone, byte for byte', () => {
  const options = ['verify', 'site', '--db', 'my.sqlite', '--quiet', '--statement'];
  expect(installed.run(...options, 'statement.json')).toMatchObject(done);
  const clone = [join(root, 'bin/shelfpress.mjs'), ...options, 'of-clone.json'];
  const { status, stderr } = spawnSync(process.execPath, clone, { cwd: installed.folder, encoding: 'utf8' });
  expect({ status, stderr }).toEqual(done);
  expect(readFileSync(at('statement.json'), 'utf8')).toBe(readFileSync(at('of-clone.json'), 'utf8'));
});

test("it imports an agency's files, and publishes the snapshot", () => {
  const files = ['recipe.json', 'catalog.csv', 'stores.csv', 'inventory.csv'].map((name) =>
    join(root, 'fixtures/imports/csv', name),
  );
  const options = ['--out', 'mine', '--published-at', '2025-03-03T22:00:00Z', '--quiet'];
  const imported = installed.run('import', ...files, ...options);
  expect(imported).toMatchObject({ ...done, stdout: expect.stringContaining('9 products, 4 stores') });
  expect(installed.run('publish', 'mine', '--db', 'imported.sqlite', '--quiet')).toMatchObject(done);
});

test('it starts the threads of a large build', async () => {
  const script = `
    import { buildSite } from ${JSON.stringify(join(installed.at, 'lib/generator/assembly/build-site.js'))};
    const options = { baseUrl: null, explorer: null, exports: 'retained', keepAll: false, full: false, threads: 1 };
    await buildSite({ database: 'my.sqlite', out: 'by-threads', ...options }, () => {}, null);`;
  writeFileSync(at('threads.mjs'), script);
  const { status, stderr } = spawnSync(process.execPath, ['threads.mjs'], { cwd: installed.folder, encoding: 'utf8' });
  expect({ status, stderr }).toEqual(done);
  await copyBuiltFixtures(at('by-one-thread'), 2);
  expect(bytesOf(at('by-threads'))).toEqual(bytesOf(at('by-one-thread')));
});

test('it writes the files of hosts, and the worker without a bundler', async () => {
  expect(installed.run('hosts', 'site')).toMatchObject(done);
  expect(installed.run('worker', '--out', 'worker')).toMatchObject(done);
  expect(readFileSync(at('worker/worker.js'), 'utf8')).toBe(await bundleWorker());
});

test('programs can import its client, with types that work with and without those of a browser', async () => {
  const program = `
    import { openSite, ProblemError, type ProductDocument, type Site } from 'shelfpress/client';
    const site: Site = await openSite(process.argv[2] ?? '', { pinned: true });
    const { data } = await site.search({ q: 'peach', limit: 1 });
    const name: string | undefined = data[0]?.name;
    // @ts-expect-error a parameter that the list does not take
    site.products({ q: 'peach' });
    const problem: unknown = await site.product.bySku('999999').catch((error: unknown) => error);
    const sku = (product: ProductDocument): string => product.data.source_ids.agency_sku;
    if (sku(await site.product.bySku('014100')) !== '014100') throw new Error('another product');
    console.log(name, problem instanceof ProblemError && problem.code);`;
  const inBrowser = `
    import { openSite } from 'shelfpress/client';
    await openSite(new URL('http://127.0.0.1'), { fetch, signal: AbortSignal.timeout(1000) });`;
  const declared =
    'declare const process: { argv: string[] }; declare const console: { log(...all: unknown[]): void };';
  writeFileSync(at('program.mts'), declared + program);
  writeFileSync(at('browser.mts'), inBrowser);
  const examples = readFileSync(join(root, 'docs/client.md'), 'utf8').matchAll(/^```js\n(.*?)^```$/gms);
  writeFileSync(at('examples.mts'), [...examples].map(([, code]) => code).join(''));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const options = ['--strict', '--exactOptionalPropertyTypes', '--target', 'es2023', '--module', 'nodenext'];
  for (const [lib, ...files] of [
    ['es2023,dom', 'browser.mts', 'examples.mts'],
    ['es2023', 'program.mts'],
  ] as const) {
    const args = [tsc, ...options, '--ignoreConfig', '--types', '', '--skipLibCheck', '--lib', lib, ...files];
    const { stdout } = spawnSync(process.execPath, args, { cwd: installed.folder, encoding: 'utf8' });
    expect(stdout, lib).toBe('');
  }

  const server = spawn(installed.program, ['serve', 'site', '--port', '0'], { cwd: installed.folder });
  const ended = once(server, 'exit');
  const [line] = (await once(server.stdout, 'data')) as [Buffer];
  const [url = ''] = /http:\S+/.exec(line.toString()) ?? [];
  const run = spawnSync(process.execPath, ['program.mjs', url], { cwd: installed.folder, encoding: 'utf8' });
  server.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(run).toMatchObject({ ...done, stdout: expect.stringMatching(/Peach.* SKU_NOT_FOUND\n$/) });
});

describe('npm installs the versions that were tested', () => {
  const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
  const { packages } = read(join(root, 'package-lock.json')) as {
    packages: Record<
      string,
      LockEntry & { dev?: boolean; devOptional?: boolean; gypfile?: boolean; hasInstallScript?: boolean }
    >;
  };
  const production = Object.entries(packages).filter(
    ([place, { dev, devOptional }]) => place !== '' && !dev && !devOptional,
  );
  const tested = Object.fromEntries(production.map(([place, { version }]) => [place, version]));
  const options = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel', 'error'];
  const npm = (cwd: string, ...args: string[]) => promisify(execFile)('npm', [...args, ...options], { cwd });

  /** The version at each place below a folder, with the places named as in a lock file. */
  function versionsIn(folder: string): Record<string, string> {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const places = names.flatMap(
      (name) => /^((?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+)\/package\.json$/.exec(name)?.[1] ?? [],
    );
    return Object.fromEntries(places.map((place) => [place, read(join(folder, place, 'package.json')).version]));
  }

  test('the package has a shrinkwrap: its lock without what only development needs', () => {
    const shrinkwrap = read(join(installed.at, 'npm-shrinkwrap.json'));
    const { '': own, ...others } = shrinkwrap.packages;
    expect(others).toEqual(Object.fromEntries(production));
    expect(others['node_modules/better-sqlite3'].gypfile).toBe(false);
    expect(own).toMatchObject({
      name: 'shelfpress',
      peerDependenciesMeta: { '@aws-sdk/client-s3': { optional: true } },
    });
    expect(own).not.toHaveProperty('devDependencies');
    expect(Object.keys(others).filter((place) => place.includes('@aws-sdk'))).toEqual([]);
    // SECURITY.md promises that nothing runs at installation.
    expect(production.filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([]);
  });

  test('from a registry, although it has newer ones', async () => {
    const folder = at('from-registry');
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), '{}');
    await using registry = await startRegistry(installed.archive, read(join(installed.at, 'package.json')), packages);
    await npm(folder, 'install', 'shelfpress', '--registry', registry.url, '--replace-registry-host', 'never');
    expect(versionsIn(join(folder, 'node_modules/shelfpress'))).toEqual(tested);
    expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['shelfpress']);
    expect(existsSync(join(folder, 'node_modules/shelfpress/node_modules/better-sqlite3/build'))).toBe(false);
    const { stdout } = spawnSync(join(folder, 'node_modules/.bin/shelfpress'), ['--version'], { encoding: 'utf8' });
    expect(stdout.trim()).toBe(read(join(root, 'package.json')).version);
  });

  test('from the unpacked file, as docs/operating.md says', async () => {
    const folder = at('unpacked');
    cpSync(installed.at, folder, { recursive: true });
    await npm(folder, 'pkg', 'delete', 'devDependencies');
    await npm(folder, 'ci');
    expect(versionsIn(folder)).toEqual(tested);
  });
});
