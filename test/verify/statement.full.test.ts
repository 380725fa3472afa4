import { hash } from 'node:crypto';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fixtureFolders } from '../../generator/cli/preview.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { temporaryFolder } from '../units/fixture-series.ts';
import { EditedSite } from './edited-site.ts';

/* `verify --statement`: what another builder can make again and sign. */

const scratch = temporaryFolder();
const at = (...names: string[]) => join(scratch.path, ...names);
afterAll(scratch.remove);

const site = at('site');
let mine: string | null;
beforeAll(async () => {
  await shelfpress('publish', ...fixtureFolders().slice(0, 3), '--db', at('publication.sqlite'));
  const options = ['--outline', 'NO', '--iceberg', 's3://bucket/site'];
  await shelfpress('build', '--db', at('publication.sqlite'), '--out', site, ...options);
  mine = await makeStatement(site, at('publication.sqlite'));
});

async function shelfpress(...args: string[]): Promise<void> {
  const { code, stderr } = await runInProcess(...args);
  if (code !== 0) throw new Error(`shelfpress ${args.join(' ')}: ${stderr}`);
}

/** The statement of a site and a database; null where none was written. */
async function makeStatement(folder: string, database: string): Promise<string | null> {
  const file = `${folder}-statement.json`;
  const { code } = await runInProcess('verify', folder, '--db', database, '--statement', file);
  expect(code).toBe(existsSync(file) ? 0 : 1);
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

test('two people who publish the same snapshots independently write the same statement of the site', async () => {
  const [elsewhere, other] = [at('elsewhere'), at('elsewhere', 'other.sqlite')];
  // One publication a day, and one of them taken back and published again.
  const copies = fixtureFolders()
    .slice(0, 3)
    .map((folder) => {
      const copy = join(elsewhere, 'incoming', basename(folder));
      cpSync(folder, copy, { recursive: true });
      return copy;
    });
  for (const copy of copies) await shelfpress('publish', copy, '--db', other);
  await shelfpress('unpublish', '--db', other);
  await shelfpress('publish', copies[2] ?? '', '--db', other);
  expect(readFileSync(other).equals(readFileSync(at('publication.sqlite')))).toBe(false);
  cpSync(site, join(elsewhere, 'copy'), { recursive: true, verbatimSymlinks: true });
  expect(await makeStatement(join(elsewhere, 'copy'), other)).toBe(mine);
  expect(mine).not.toContain(scratch.path);
});

test('it names the pointer and all answers by hash, and what they are made from', () => {
  const statement = JSON.parse(mine ?? '');
  const { shards } = new EditedSite(site).table;
  const lines = shards
    .flat()
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .flatMap(({ path, sha256, variants = [] }) => [
      `${sha256}  ${path}\n`,
      ...variants.map((variant) => `${variant.sha256}  ${path} ${variant.encoding}\n`),
    ]);
  const outline = shards.flat().find(({ path }) => /^\/explorer\/[0-9a-f]{16}\.json$/.test(path) && isOutline(path));
  const { version, dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const sha256 = expect.stringMatching(/^[0-9a-f]{64}$/);
  expect(statement).toEqual({
    _type: 'https://in-toto.io/Statement/v1',
    subject: [
      { name: 'current.json', digest: { sha256: hash('sha256', readFileSync(join(site, 'current.json'))) } },
      { name: 'answers', digest: { sha256: hash('sha256', lines.join('')) } },
    ],
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'pkg:npm/shelfpress#docs/operating.md',
        externalParameters: {
          base_url: null,
          iceberg: 's3://bucket/site',
          data_license: null,
          exports: 'retained',
          explorer: true,
          outline: { sha256: outline?.sha256 },
        },
        resolvedDependencies: [
          { name: 'database', digest: { sha256 } },
          { name: 'program', uri: `pkg:npm/shelfpress@${version}`, digest: { sha256 } },
          { name: 'explorer', digest: { sha256 } },
          ...Object.keys(dependencies).map(() => ({
            uri: expect.stringMatching(/^pkg:npm\/(%40[^/]+\/)?[^/@]+@\d+\.\d+\.\d+/),
          })),
        ],
      },
      runDetails: { builder: { id: `pkg:npm/shelfpress@${version}` } },
    },
  });
  function isOutline(path: string): boolean {
    return 'lines' in JSON.parse(readFileSync(join(site, 'site', path), 'utf8'));
  }
});

test('a site that differs from its database has none: one with another document, or a page with another script', async () => {
  const changed = new EditedSite(site);
  changed.editDocument('/v1/brands', ({ data }) => data.pop());
  expect(await makeStatement(changed.folder, at('publication.sqlite'))).toBeNull();
  const other = new EditedSite(site);
  const [script = ''] = other.paths(/^\/explorer\/[0-9a-z]+\.js$/);
  other.replace(script, Buffer.concat([other.bytes(other.objectOf(script)), Buffer.from('/* more */')]));
  expect(await other.faults()).toEqual([]);
  expect(await makeStatement(other.folder, at('publication.sqlite'))).toBeNull();
});

test('another database gives another digest, and a license and base URL are parameters', async () => {
  const [database, folder] = [at('two.sqlite'), at('two')];
  await shelfpress('publish', ...fixtureFolders().slice(0, 2), '--db', database);
  const options = ['--base-url', 'https://stock.example/v1', '--data-license', 'CC0-1.0', '--no-explorer'];
  await shelfpress('build', '--db', database, '--out', folder, ...options);
  const { predicate } = JSON.parse((await makeStatement(folder, database)) ?? '');
  const { externalParameters, resolvedDependencies } = predicate.buildDefinition;
  expect(externalParameters).toMatchObject({
    base_url: 'https://stock.example/v1',
    data_license: { name: 'CC0-1.0' },
    explorer: false,
    outline: null,
  });
  expect(resolvedDependencies.map(({ name }: { name?: string }) => name)).not.toContain('explorer');
  const three = JSON.parse(mine ?? '').predicate.buildDefinition;
  expect(resolvedDependencies[0].digest).not.toEqual(three.resolvedDependencies[0].digest);
});

test('without a database, and of a URL, nothing can be stated', async () => {
  const alone = await runInProcess('verify', site, '--statement', at('alone.json'));
  expect(alone.stderr).toContain('--statement needs the database that the site was built from');
  expect(existsSync(at('alone.json'))).toBe(false);
});
