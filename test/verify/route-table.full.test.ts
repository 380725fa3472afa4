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

test('what a route says of its object, and how it is delivered', async () => {
  const edits: Record<string, [code: string, edit: Partial<Route>]> = {
    '/v1/brands': ['route_etag', { etag: `"${'0'.repeat(32)}"` }],
    '/v1/categories': ['route_size', { size: 1 }],
    '/v1/changes': ['route_delivery', { media_type: 'text/html' }],
    '/v1/problems/INTERNAL': ['route_delivery', { encoding: 'gzip' }],
    '/v1/products': ['route_delivery', { cache: 'immutable' }],
    '/v1/changes/pages/2.json': ['route_delivery', { cache: 'revalidate' }],
    '/v1/stores': ['route_delivery', { last_modified: '2999-01-01T00:00:00Z' }],
  };
  const site = new EditedSite(example.folder);
  for (const [path, [, edit]] of Object.entries(edits)) site.editRoute(path, (route) => Object.assign(route, edit));
  const expected = Object.entries(edits).map(([path, [code]]) => `${code} ${path}`);
  expect((await site.faults()).sort()).toEqual(expected.sort());
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

test('what every site has is missing', async () => {
  const site = new EditedSite(example.folder);
  const paths = ['/v1/openapi.json', '/v1/problems/NO_PUBLICATION', '/v1/products/former-skus.json'];
  for (const path of paths) site.removeRoute(path);
  expect(await site.faults()).toEqual(expect.arrayContaining(paths.map((path) => `route_missing ${path}`)));
});

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
