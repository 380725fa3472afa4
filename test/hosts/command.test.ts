import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { objectPath } from '../../contract/paths.ts';
import type { Route } from '../../contract/schemas/site-files.ts';
import { type HostKind, hostKinds, writeHostFiles } from '../../generator/copies/hosts/host-files.ts';
import { defaultPlacement } from '../../generator/copies/hosts/plain-site.ts';
import { mirror } from '../mirror/published-sites.ts';
import { StaticHost } from '../mirror/static-host.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { build, publishFixtures, temporaryFolder } from '../units/fixture-series.ts';
import { readSite, readTree } from '../units/site-tree.ts';

const folder = temporaryFolder();
const [database, dist] = [join(folder.path, 'db.sqlite'), join(folder.path, 'dist')];
beforeAll(async () => {
  await publishFixtures(database, 0, 2);
  await build(database, dist);
});
afterAll(folder.remove);

const at = (name: string) => join(folder.path, name);

function write(out: string, kinds: readonly HostKind[] = hostKinds) {
  return writeHostFiles({ ...defaultPlacement(dist), out }, kinds);
}

describe('hosts', () => {
  test('writes the files of every kind, and lists them', async () => {
    const { code, stdout, stderr } = await runInProcess('hosts', dist, '--out', at('all'), '--json');
    expect([code, stderr]).toEqual([0, '']);
    const summary = JSON.parse(stdout) as { revision: string; files: string[] };
    expect(summary.revision).toBe(readSite(dist).pointer.revision);
    expect([...readTree(at('all')).keys()].sort()).toEqual([...summary.files].sort());
    expect(new Set(summary.files.map((name) => name.split('/')[0]))).toEqual(new Set(hostKinds));
  });

  test('the same site gives the same files, and leaves nothing unfilled', () => {
    const { files } = write(at('again'));
    for (const name of files) {
      const text = readFileSync(join(at('again'), name), 'utf8');
      expect(text.replaceAll(at('again'), at('all')), name).toBe(readFileSync(join(at('all'), name), 'utf8'));
      expect(text, name).not.toMatch(/\{\{|undefined/);
    }
  });

  test('the site can have a different path on the machine that serves it', async () => {
    const out = join(dist, 'hosts');
    const { code } = await runInProcess('hosts', dist, '--root', '/srv/site/', '--host', 'nginx');
    expect(code).toBe(0);
    const text = readFileSync(join(out, 'nginx/shelfpress.conf'), 'utf8');
    expect(text).toContain('root /srv/site;');
    expect(text).toMatch(/include \/srv\/site\/hosts\/nginx\/[0-9a-f]{16}\/routes\.map;/);
    expect(text).not.toContain(dist);
    expect(existsSync(join(out, 'caddy'))).toBe(false);
  });

  test('generations that servers may still read are kept, older ones are removed', async () => {
    const generations = () => readdirSync(at('series/nginx')).filter((name) => /^[0-9a-f]{16}$/.test(name));
    const seen: string[] = [];
    for (let sequence = 2; sequence < 6; sequence += 1) {
      write(at('series'), ['nginx']);
      seen.push(...generations().filter((name) => !seen.includes(name)));
      await publishFixtures(database, sequence, sequence + 1);
      await build(database, dist);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(generations().sort()).toEqual(seen.slice(1).sort());
  });
});

test('the address, the name and the shim of a host are in its files', async () => {
  const flags = [
    '--listen',
    '127.0.0.1:4711',
    '--server-name',
    'inventory.example.org',
    '--shim',
    'http://127.0.0.1:4712',
  ];
  expect((await runInProcess('hosts', dist, '--out', at('told'), ...flags)).code).toBe(0);
  const configuration = readFileSync(join(at('told'), 'nginx/shelfpress.conf'), 'utf8');
  expect(configuration).toMatch(/listen 127\.0\.0\.1:4711;/);
  expect(configuration).toMatch(/server_name inventory\.example\.org;/);
  expect(configuration).toMatch(/proxy_pass http:\/\/127\.0\.0\.1:4712;/);
});

test('no two rules for static hosts apply to the same address', () => {
  write(at('static'), ['static']);
  const rules = readFileSync(join(at('static'), 'static/_headers'), 'utf8')
    .split('\n\n')
    .map((rule) => rule.split('\n')[0] ?? '')
    .filter((path) => path !== '/*')
    .map((path) => new RegExp(`^${path.replaceAll('.', '\\.').replaceAll('*', '.*').replace(/:\w+/g, '[^/]+')}$`));
  const addresses = [
    ...readSite(dist).routes.keys(),
    '/v1/',
    '/v1/exports/changes/1.ndjson.gz',
    '/v1/exports/changes/1.parquet',
    '/current.json',
  ];
  for (const address of addresses)
    expect([address, rules.filter((rule) => rule.test(address)).length]).toEqual([address, 1]);
});

describe('what cannot be done is explained', () => {
  test('a partial mirror, a folder with a space, files outside of a site, a file where the folder should be', async () => {
    await using host = await StaticHost.start(dist);
    await mirror(host.url, at('part'), { only: ['exports'] });
    writeFileSync(at('file'), '');
    const outside = ['--root', '/srv/site', '--out', at('outside')];
    for (const [args, message] of [
      [[at('part')], 'expected a whole site, got a partial mirror'],
      [[dist, '--root', '/srv/a site'], '/srv/a site: expected an absolute path of only letters, digits'],
      [[dist, ...outside], 'because its files name each other'],
      [[dist, '--out', at('file')], 'expected a folder that can be written, got ENOTDIR'],
    ] as const) {
      const { code, stdout, stderr } = await runInProcess('hosts', ...args);
      expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining(message) });
    }
  });

  test.each(['/v1/metadata', '/v1/products/former-skus.json'])('a site whose %s is damaged', async (path) => {
    const damaged = at(path.replaceAll('/', '-'));
    cpSync(dist, damaged, { recursive: true });
    const { sha256 } = readSite(damaged).routes.get(path) as Route;
    writeFileSync(join(damaged, objectPath(sha256)), 'garbage');
    const { code, stderr } = await runInProcess('hosts', damaged, '--out', `${damaged}-hosts`);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(`${path}: expected a document`) });
    expect(existsSync(`${damaged}-hosts`)).toBe(false);
  });

  test.each([
    ['--listen', 'localhost'],
    ['--root', 'srv'],
    ['--server-name', 'a b'],
    ['--shim', 'http://127.0.0.1:1/v1'],
    ['--listen', '999.1.1.1:80'],
  ])('%s %s is wrong usage', async (flag, value) => {
    const { code, stderr } = await runInProcess('hosts', dist, flag, value);
    expect(code).toBe(2);
    expect(stderr).toContain(flag);
  });
});
