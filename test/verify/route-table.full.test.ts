import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Route } from '../../generator/contract/formats/site.ts';
import { objectPath } from '../../generator/contract/paths.ts';
import { EditedSite } from './edited-site.ts';
import { buildExampleSite, type ExampleSite } from './example-site.ts';

let example: ExampleSite;
beforeAll(async () => {
  example = await buildExampleSite(12);
});
afterAll(() => example.remove());

test.each<[string, string, string, Partial<Route>]>([
  ['the ETag of other bytes', '/v1/brands', 'route_etag', { etag: `"${'0'.repeat(32)}"` }],
  ['a wrong size', '/v1/brands', 'route_size', { size: 1 }],
  ['a wrong media type', '/v1/brands', 'route_delivery', { media_type: 'text/html' }],
  ['an encoding it has not', '/v1/problems/INTERNAL', 'route_delivery', { encoding: 'gzip' }],
  ['a list declared immutable', '/v1/brands', 'route_delivery', { cache: 'immutable' }],
  ['a page declared changeable', '/v1/changes/pages/2.json', 'route_delivery', { cache: 'revalidate' }],
  ['a change after its publication', '/v1/brands', 'route_delivery', { last_modified: '2999-01-01T00:00:00Z' }],
])('%s', async (_, path, code, edit) => {
  const site = new EditedSite(example.folder);
  site.editRoute(path, (route) => Object.assign(route, edit));
  expect(await site.faults()).toEqual([`${code} ${path}`]);
});

test('an export delivered as JSON', async () => {
  const site = new EditedSite(example.folder);
  const path = `/v1/exports/${site.pointer.revision}/stores.ndjson.gz`;
  site.editRoute(path, (route) => Object.assign(route, { media_type: 'application/json', encoding: null }));
  expect(await site.faults()).toEqual([`route_delivery ${path}`, `route_delivery ${path}`]);
});

test('a route that leads to the object of another', async () => {
  const site = new EditedSite(example.folder);
  const { path: _, cache: __, last_modified: ___, ...other } = site.route('/v1/stores');
  site.editRoute('/v1/brands', (route) => Object.assign(route, other));
  const faults = await site.faults();
  expect(faults).toContain(`document_schema /v1/brands`);
  expect(faults).toContain(`checkout_content ${site.checkoutOf('/v1/brands')}`);
});

test('a route in the wrong shard', async () => {
  const site = new EditedSite(example.folder);
  let moved = '';
  site.editTable(({ shards: [first = [], second = []] }) => {
    const route = first.pop() as Route;
    moved = route.path;
    second.push(route);
    second.sort((a, b) => (a.path < b.path ? -1 : 1));
  });
  expect(await site.faults()).toEqual([`table_misplaced ${moved}`]);
});

test('a shard out of order', async () => {
  const site = new EditedSite(example.folder);
  site.editTable(({ shards: [first = []] }) => first.push(first.shift() as Route));
  const shard = objectPath(site.table.root.shards[0]?.sha256 ?? '');
  expect(await site.faults()).toEqual([`table_order ${shard}`]);
});

test('a route that stands twice', async () => {
  const site = new EditedSite(example.folder);
  site.editTable(({ shards: [first = []] }) => first.unshift(first[0] as Route));
  const shard = objectPath(site.table.root.shards[0]?.sha256 ?? '');
  expect(await site.faults()).toEqual([`table_order ${shard}`]);
});

test('a wrong count of routes', async () => {
  const site = new EditedSite(example.folder);
  site.editTable(({ root }) => {
    root.route_count += 1;
  });
  expect(await site.faults()).toEqual([`table_inconsistent ${objectPath(site.pointer.routes.sha256)}`]);
});

test('another number of shards than the root says', async () => {
  const site = new EditedSite(example.folder);
  site.editTable(({ root }) => {
    root.shard_bits += 1;
  });
  expect(await site.faults()).toEqual([`table_inconsistent ${objectPath(site.pointer.routes.sha256)}`]);
});

test('a field that a route does not have', async () => {
  const site = new EditedSite(example.folder);
  site.editTable(({ shards }) => Object.assign(shards[0]?.[0] ?? {}, { charset: 'utf-8' }));
  const shard = objectPath(site.table.root.shards[0]?.sha256 ?? '');
  expect(await site.faults()).toEqual([`table_unreadable ${shard}`]);
});

test.each(['/v1/openapi.json', '/v1/problems/NO_PUBLICATION', '/v1/products/former-skus.json'])(
  '%s is missing, which every site has',
  async (path) => {
    const site = new EditedSite(example.folder);
    site.removeRoute(path);
    expect(await site.faults()).toContain(`route_missing ${path}`);
  },
);

test('a product without its availability', async () => {
  const site = new EditedSite(example.folder);
  const [path = ''] = site.paths(/^\/v1\/products\/[^/]+\/availability$/);
  site.removeRoute(path);
  expect(await site.faults()).toEqual([`route_missing ${path}`]);
});

test('an address that the contract does not know', async () => {
  const site = new EditedSite(example.folder);
  const path = '/v1/search';
  site.write(site.checkoutOf(path), site.bytes(site.objectOf('/v1/brands')));
  site.editTable(({ root, shards }) => {
    root.route_count += 2;
    const known = shards.flat().find((route) => route.path === '/v1/brands') as Route;
    for (const added of [path, '/v1/search/all']) {
      shards[0]?.push({ ...known, path: added });
    }
    for (const routes of shards) routes.sort((a, b) => (a.path < b.path ? -1 : 1));
  });
  const faults = await site.faults();
  expect(faults).toContain('route_unknown /v1/search');
  expect(faults).toContain('route_unknown /v1/search/all');
});
