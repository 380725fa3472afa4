import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { RunningServer } from '../serve/running-server.ts';
import { needing, program } from '../support/installed-programs.ts';
import { curationOf, headerOf, productLine, storeLine } from '../support/snapshot-writer.ts';
import { build, publishParts, temporaryFolder } from '../units/fixture-series.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

/** A site whose publications give product 000001 these prices, at these times. */
async function siteOf(name: string, prices: Readonly<Record<string, number>>): Promise<string> {
  const database = join(folder.path, `${name}.sqlite`);
  const site = join(folder.path, name);
  for (const [published_at, price_minor] of Object.entries(prices)) {
    const products = [productLine('000001', { price_minor })];
    const parts = { products, stores: [storeLine('0001', { location: { latitude: 40, longitude: -111 } })] };
    await publishParts(database, { header: headerOf({ published_at }, parts), ...parts, curation: curationOf() });
    await build(database, site);
  }
  return site;
}

const comparison = '/v1/availability/comparison?skus=000001&lat=40&lng=-111';

test('a date that two publications share does not show that a client has the bytes', async () => {
  const site = await siteOf('shared', { '2025-05-01T08:00:00.200Z': 500, '2025-05-01T08:00:00.700Z': 600 });
  await using server = await RunningServer.start([site]);
  const since = { 'If-Modified-Since': 'Thu, 01 May 2025 08:00:00 GMT' };
  const ask = async (path: string) => {
    const answer = await fetch(`${server.origin}${path}`, { headers: since, cache: 'no-store' });
    return [answer.status, answer.headers.get('last-modified')];
  };
  for (const path of ['/v1/products/by-sku/000001', '/v1/metadata', '/v1/changes?limit=1', comparison])
    expect([path, ...(await ask(path))]).toEqual([path, 200, null]);
  // Its bytes did not change.
  expect(await ask('/v1/problems/INTERNAL')).toEqual([304, since['If-Modified-Since']]);
});

test('no answer was modified after it was sent, even if its publication is dated ahead of the clock', async () => {
  const ahead = new Date(Date.now() + 6 * 3_600_000).toISOString();
  await using server = await RunningServer.start([await siteOf('ahead', { [ahead]: 500 })]);
  for (const path of ['/v1/products/by-sku/000001', comparison]) {
    const { headers, status } = await fetch(`${server.origin}${path}`);
    expect([path, status]).toEqual([path, 200]);
    const [modified = '', date = ''] = [headers.get('last-modified'), headers.get('date')].map((text) => text ?? '');
    expect(Date.parse(modified)).toBeLessThanOrEqual(Date.parse(date));
    const again = await fetch(`${server.origin}${path}`, { headers: { 'If-Modified-Since': modified } });
    expect([path, again.status]).toEqual([path, 200]);
  }
});

test('a publication that is built again with other bytes shares its date with the former ones', async () => {
  const database = join(folder.path, 'again.sqlite');
  const site = await siteOf('again', { '2025-05-01T08:00:00Z': 500 });
  await build(database, site, { baseUrl: 'https://example.org' });
  await using server = await RunningServer.start([site]);
  const headers = { 'If-Modified-Since': 'Thu, 01 May 2025 08:00:00 GMT' };
  const statuses = ['/v1', comparison].map(
    async (path) => (await fetch(`${server.origin}${path}`, { headers })).status,
  );
  expect(await Promise.all(statuses)).toEqual([200, 200]);
});

test('an answer to a date that proves nothing has no date that would make a client drop it', async () => {
  const site = await siteOf('copied', { '2025-05-01T08:00:00Z': 500 });
  await using server = await RunningServer.start([site]);
  await using plain = await RunningServer.start([site, '--plain']);
  const dateOf = async (path: string, since: string | null, { origin } = server) => {
    const headers = since === null ? {} : { 'If-Modified-Since': since };
    const answer = await fetch(`${origin}${path}`, { headers, cache: 'no-store' });
    return [answer.status, answer.headers.get('last-modified')];
  };
  const published = 'Thu, 01 May 2025 08:00:00 GMT';
  const now = new Date().toUTCString();
  for (const path of ['/v1/products/by-sku/000001', '/v1/exports/latest/products.ndjson.gz', comparison]) {
    expect(await dateOf(path, null)).toEqual([200, published]);
    expect(await dateOf(path, now)).toEqual([200, null]);
    expect(await dateOf(path, 'Thu, 01 Jan 2015 00:00:00 GMT')).toEqual([200, published]);
  }
  expect(await dateOf('/v1/products/by-sku/000001', published)).toEqual([304, published]);
  expect(await dateOf('/v1/products/by-sku/000001', now, plain)).toEqual([200, null]);
  expect(await dateOf('/v1/products/by-sku/000001', null, plain)).toEqual([200, published]);
});

test('curl -z takes the new answer in place of its copy', needing('curl'), async () => {
  const site = await siteOf('fetched', { '2025-05-01T08:00:00Z': 500 });
  await using server = await RunningServer.start([site]);
  const copy = join(folder.path, 'copy.json');
  const get = () =>
    execFileSync(program('curl'), ['-s', '-z', copy, '-o', copy, `${server.origin}/v1/products/by-sku/000001`]);
  get();
  expect(readFileSync(copy, 'utf8')).toContain('"amount_minor":500');
  await siteOf('fetched', { '2025-05-02T08:00:00Z': 600 });
  const copied = () => {
    get();
    return readFileSync(copy, 'utf8');
  };
  await expect.poll(copied, { timeout: 10_000 }).toContain('"amount_minor":600');
});
