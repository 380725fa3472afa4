import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { objectPath } from '../../contract/paths.ts';
import { verifySite } from '../../generator/assembly/verify-site.ts';
import { selectionPatterns, selectRoutes } from '../../generator/site/mirror-holding.ts';
import { SmallSites } from '../support/small-sites.ts';
import { readSite, readTree } from '../units/site-tree.ts';
import { faultsIn, mirror } from './published-sites.ts';
import { StaticHost } from './static-host.ts';

const sites = SmallSites.use(2);
const host = StaticHost.use(sites.at('dist-2'));

function listCheckout(folder: string): string[] {
  const { revision } = readSite(folder).pointer;
  return [...readTree(join(folder, 'checkouts', revision)).keys()];
}

test('patterns match addresses', () => {
  const { routes } = readSite(sites.at('dist-2'));
  const all = [...routes.keys()].sort();
  const bySku = all.filter((path) => path.startsWith('/v1/products/by-sku/'));
  for (const [asked, selected] of [
    [['/v1/brands'], ['/v1/brands']],
    [['v1/brands'], ['/v1/brands']],
    [['v1/brands.json'], ['/v1/brands']],
    [['/v1'], ['/v1']],
    // These sites have no explorer.
    [['/'], []],
    [['**'], all],
    [['/v1/products/by-sku/*'], bySku],
    [['/v1/**', '!/v1/products/by-sku/**'], all.filter((path) => path.startsWith('/v1') && !bySku.includes(path))],
    [['exports'], all.filter((path) => path.startsWith('/v1/exports'))],
    [['/v1/nothing/*'], []],
  ] as const) {
    const found = selectRoutes(routes.values(), selectionPatterns(asked)).map(({ path }) => path);
    expect([asked, found.sort()]).toEqual([asked, selected]);
  }
  for (const asked of ['/', '//', '']) expect(selectionPatterns([asked])).toEqual(['index.html']);
  expect(selectionPatterns(['!/'])).toEqual(['!index.html']);
});

test('holds what was requested, and says so in its record and to verify', async () => {
  const folder = sites.fresh();
  const { holding } = await mirror(host.url, folder, { only: ['exports'] });
  expect(holding).toMatchObject({ only: ['v1/exports.json', 'v1/exports/**'], routes: 49 });
  const files = listCheckout(folder);
  expect(files.every((name) => /^v1\/exports(\/|\.json)/.test(name))).toBe(true);
  expect(files.filter((name) => name.endsWith('.ndjson.gz'))).toHaveLength(9);
  expect(files.filter((name) => name.endsWith('.parquet'))).toHaveLength(8 + 3 + 4 + 4);
  const record = JSON.parse(readFileSync(join(folder, 'mirror.json'), 'utf8'));
  expect(record).toMatchObject({ format: 'shelfpress-mirror', source: host.url, holdings: [holding] });
  const { faults, partial, counts } = await verifySite(folder);
  const compared = verifySite(folder, { database: sites.at('publication.sqlite') });
  await expect(compared).rejects.toThrow('got a partial mirror');
  expect([faults, partial, counts.routes]).toEqual([[], holding, 49]);
  expect(await mirror(host.url, folder, { only: ['exports'] })).toMatchObject({ changed: false, requests: 1 });
});

test('missing and damaged files are faults', async () => {
  const folder = sites.fresh();
  await mirror(host.url, folder, { only: ['/v1/brands', '/v1/stores'] });
  const { routes } = readSite(folder);
  const [brands, stores] = ['/v1/brands', '/v1/stores'].map((path) => objectPath(routes.get(path)?.sha256 ?? ''));
  rmSync(join(folder, brands ?? ''));
  writeFileSync(join(folder, stores ?? ''), 'damaged');
  const found = (await faultsIn(folder)).join('\n');
  expect(found).toContain(`object_missing ${brands}`);
  expect(found).toContain(`object_damaged ${stores}`);
});

test('becomes whole, and partial again, and never has less than it says', async () => {
  const folder = sites.fresh();
  const only = ['/v1/brands'];
  await mirror(host.url, folder, { only });
  await mirror(host.url, folder);
  expect((await verifySite(folder)).partial).toBeNull();
  expect(await faultsIn(folder)).toEqual([]);
  expect(listCheckout(folder)).toEqual(listCheckout(sites.at('dist-2')));
  await mirror(host.url, folder, { only });
  expect((await verifySite(folder)).partial).toMatchObject({ only: ['v1/brands'], routes: 1 });
  expect(await faultsIn(folder)).toEqual([]);
});

test('a pattern that matches nothing is refused, and nothing changes', async () => {
  const folder = sites.fresh();
  await expect(mirror(host.url, folder, { only: ['/v1/nothing'] })).rejects.toThrow(
    '--only v1/nothing: expected a route of the site, got none',
  );
  expect([...readTree(folder).keys()]).not.toContain('current.json');
});

test('a damaged record is a fault', async () => {
  const folder = sites.fresh();
  await mirror(host.url, folder);
  writeFileSync(join(folder, 'mirror.json'), '{}');
  expect((await faultsIn(folder))[0]).toContain('mirror_unreadable mirror.json');
});
