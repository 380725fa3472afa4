import { symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkoutFolder, objectPath } from '../../contract/paths.ts';
import type { Route } from '../../contract/schemas/site-files.ts';
import { EditedSite } from './edited-site.ts';
import { useExampleSite } from './example-site.ts';

const example = useExampleSite(2);

test('what a route says about its object and its delivery', async () => {
  const site = new EditedSite(example.folder);
  const edits: Record<string, [code: string, edit: Partial<Route>]> = {
    '/v1/brands': ['route_etag', { etag: `"${'0'.repeat(32)}"` }],
    '/v1/categories': ['route_size', { size: 1 }],
    '/v1/changes': ['route_delivery', { media_type: 'text/html' }],
    '/v1/problems/INTERNAL': ['route_delivery', { encoding: 'gzip' }],
    '/v1/products': ['route_delivery', { cache: 'immutable' }],
    '/v1/changes/pages/2.json': ['route_delivery', { cache: 'revalidate' }],
    '/v1/stores': ['route_delivery', { last_modified: '2999-01-01T00:00:00Z' }],
    [`/v1/exports/${site.pointer.revision}/stores.ndjson.gz`]: ['route_delivery', { encoding: null }],
  };
  for (const [path, [, edit]] of Object.entries(edits)) site.editRoute(path, (route) => Object.assign(route, edit));
  const expected = Object.entries(edits).map(([path, [code]]) => `${code} ${path}`);
  expect((await site.faults()).sort()).toEqual(expected.sort());
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
  const moved = site.table.shards[0]?.at(-1) as Route;
  site.editTable(({ shards: [first = [], second = []] }) => {
    first.pop();
    second.push(moved);
    second.sort((a, b) => (a.path < b.path ? -1 : 1));
  });
  expect(await site.faults()).toEqual([`table_misplaced ${moved.path}`]);
});

const rootPath = (site: EditedSite) => objectPath(site.pointer.routes.sha256);
const firstShardPath = (site: EditedSite) => objectPath(site.table.root.shards[0]?.sha256 ?? '');

type Edit = Parameters<EditedSite['editTable']>[0];

test.each<[string, string, (site: EditedSite) => string, Edit]>([
  ['a shard out of order', 'order', firstShardPath, ({ shards: [first = []] }) => first.push(first.shift() as Route)],
  [
    'a route that is there twice',
    'order',
    firstShardPath,
    ({ shards: [first = []] }) => first.unshift(first[0] as Route),
  ],
  ['a wrong count of routes', 'inconsistent', rootPath, ({ root }) => Object.assign(root, { route_count: 1 })],
  ['another number of shards', 'inconsistent', rootPath, ({ root }) => Object.assign(root, { shard_bits: 2 })],
  [
    'a field that a route does not have',
    'unreadable',
    firstShardPath,
    ({ shards }) => Object.assign(shards[0]?.[0] ?? {}, { charset: 'utf-8' }),
  ],
])('%s', async (_, fault, fileOf, edit) => {
  const site = new EditedSite(example.folder);
  site.editTable(edit);
  expect(await site.faults()).toEqual([`table_${fault} ${fileOf(site)}`]);
});

test('what every site has is missing, and a product has no series and another no availability', async () => {
  const site = new EditedSite(example.folder);
  const [availability = ''] = site.paths(/^\/v1\/products\/[^/]+\/availability$/);
  const [, series = ''] = site.paths(/^\/v1\/products\/[^/]+\/series\.json$/);
  const ofEverySite = ['/v1/openapi.json', '/v1/problems/NO_PUBLICATION', '/v1/products/former-skus.json'];
  const ofTwo = ['/v1/metadata/activity.json', '/v1/products/browse.json'];
  const paths = [...ofEverySite, ...ofTwo, availability, series];
  for (const path of paths) site.removeRoute(path);
  expect(await site.faults()).toEqual(expect.arrayContaining(paths.map((path) => `route_missing ${path}`)));
});

test('an address that the contract does not know', async () => {
  const site = new EditedSite(example.folder);
  site.editTable(({ root, shards: [first = []] }) => {
    root.route_count += 1;
    first.push({ ...(first[0] as Route), path: '/v1/search/all' });
    first.sort((a, b) => (a.path < b.path ? -1 : 1));
  });
  expect(await site.faults()).toContain('route_unknown /v1/search/all');
});

test('a missing file, files with other content, a link in place of one, and stray files', async () => {
  const site = new EditedSite(example.folder);
  const [missing, brands, stores, link] = ['/v1/openapi.json', '/v1/brands', '/v1/stores', '/v1/categories'].map(
    (path) => site.checkoutOf(path),
  ) as [string, string, string, string];
  const folder = checkoutFolder(site.pointer.revision);
  const strays = [`${folder}/about.html`, `${folder}/v1/brands/old.json`];
  site.remove(missing);
  // Content of the same size, and none.
  const bytes = site.bytes(brands);
  bytes[bytes.length - 1] = 0x20;
  site.write(brands, bytes);
  site.write(stores, '');
  site.remove(link);
  symlinkSync(site.locate(site.objectOf('/v1/categories')), site.locate(link));
  for (const stray of strays) site.write(stray, '{}');
  const expected = [
    `checkout_missing ${missing}`,
    ...[brands, stores, link].map((file) => `checkout_content ${file}`),
    ...strays.map((file) => `checkout_stray ${file}`),
  ];
  expect((await site.faults()).sort()).toEqual(expected.sort());
});

const other = checkoutFolder('00000000-0000-4000-8000-000000000000');

test.each<[string, (site: EditedSite) => void, (folder: string) => string[]]>([
  ['to another revision', (site) => symlinkSync(other, site.locate('site')), () => []],
  ['that is a folder', (site) => site.write('site/v1/index.json', '{}'), () => []],
  [
    'missing, and no checkout at all',
    (site) => site.remove(checkoutFolder(site.pointer.revision)),
    (folder) => [`checkout_missing ${folder}`],
  ],
])('the site link %s', async (_, edit, more) => {
  const site = new EditedSite(example.folder);
  const folder = checkoutFolder(site.pointer.revision);
  site.remove('site');
  edit(site);
  expect(await site.faults()).toEqual([...more(folder), 'site_link site']);
});
