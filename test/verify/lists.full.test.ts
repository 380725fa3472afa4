import { afterAll, beforeAll, expect, test } from 'vitest';
import { EditedSite } from './edited-site.ts';
import { buildExampleSite, type ExampleSite } from './example-site.ts';

let example: ExampleSite;
beforeAll(async () => {
  example = await buildExampleSite(12);
});
afterAll(() => example.remove());

const page = (number: number) => `/v1/changes/pages/${number}.json`;

test.each(['/v1/products', '/v1/product-families', '/v1/brands', '/v1/stores'])(
  'a row of %s repeated',
  async (path) => {
    const site = new EditedSite(example.folder);
    site.editDocument(path, ({ data }) => data.splice(2, 0, data[2]));
    const faults = new Set(await site.faults());
    // The indexes of brands and of products must have every row exactly once.
    expect(faults.delete('index_mismatch /v1/brands/index.json')).toBe(path === '/v1/brands');
    expect(faults.delete('index_mismatch /v1/products/browse.json')).toBe(path === '/v1/products');
    expect(faults).toEqual(new Set(['list_count /v1/metadata', `list_order ${path}`]));
  },
);

test.each(['/v1/products', '/v1/changes'])('a row of %s left out', async (path) => {
  const site = new EditedSite(example.folder);
  site.editDocument(path, ({ data }) => data.splice(2, 1));
  const faults = await site.faults();
  expect(faults).toContain('list_count /v1/metadata');
  expect(faults.includes('list_count /v1/changes')).toBe(path === '/v1/changes');
});

test('two rows exchanged', async () => {
  const site = new EditedSite(example.folder);
  site.editDocument('/v1/stores', ({ data }) => data.splice(0, 2, data[1], data[0]));
  expect(await site.faults()).toEqual(['list_order /v1/stores']);
});

test('an event on two pages', async () => {
  const site = new EditedSite(example.folder);
  const last = site.document(page(6)).data.at(-1);
  site.editDocument(page(5), ({ data }) => data.splice(0, 1, last));
  expect(await site.faults()).toContain(`list_order ${page(5)}`);
});

test('a walk that skips a page', async () => {
  const site = new EditedSite(example.folder);
  site.editDocument(page(5), ({ links }) => Object.assign(links, { next: page(3) }));
  expect(await site.faults()).toEqual([
    'list_count /v1/changes',
    'index_mismatch /v1/changes/pages.json',
    'list_count /v1/metadata',
  ]);
});

test('a walk that ends early', async () => {
  const site = new EditedSite(example.folder);
  site.editDocument(page(5), ({ meta, links }) => {
    links.next = null;
    meta.page.has_more = false;
  });
  expect(await site.faults()).toEqual([
    'list_count /v1/changes',
    'list_count /v1/changes',
    'index_mismatch /v1/changes/pages.json',
    'list_count /v1/metadata',
  ]);
});

test('a walk that turns in a circle', async () => {
  const site = new EditedSite(example.folder);
  site.editDocument(page(2), ({ links }) => Object.assign(links, { next: page(4) }));
  expect(await site.faults()).toEqual([`list_continuation ${page(2)}`]);
});

test('a page that goes on with another list', async () => {
  const site = new EditedSite(example.folder);
  const [other = ''] = site.paths(/^\/v1\/products\/.*\/pages\/1\.json$/);
  site.editDocument(page(2), ({ links }) => Object.assign(links, { next: other }));
  expect(await site.faults()).toEqual([`list_continuation ${page(2)}`]);
});

test.each<[string, object]>([
  ['has_more against the link', { has_more: false }],
  ['a cursor in a file', { next_cursor: 'abc' }],
  ['an expiry in a file', { cursor_expires_at: '2025-06-05T22:15:00Z' }],
])('%s', async (_, fields) => {
  const site = new EditedSite(example.folder);
  site.editDocument(page(4), ({ meta }) => Object.assign(meta.page, fields));
  expect(await site.faults()).toEqual([`list_continuation ${page(4)}`]);
});

test('a page that calls itself another', async () => {
  const site = new EditedSite(example.folder);
  site.editDocument(page(4), ({ links }) => Object.assign(links, { self: page(3) }));
  expect(await site.faults()).toEqual([`document_misplaced ${page(4)}`]);
});

test("an event of another product in a product's list", async () => {
  const site = new EditedSite(example.folder);
  const paths = site.paths(/^\/v1\/products\/[^/]+\/changes$/);
  const [path = '', other = ''] = paths;
  site.editDocument(path, ({ data }) => Object.assign(data[0], { product: site.document(other).data[0].product }));
  expect(await site.faults()).toEqual([`list_foreign_row ${path}`]);
});

test("an event of a product that is no member in a family's list", async () => {
  const site = new EditedSite(example.folder);
  const [path = ''] = site.paths(/^\/v1\/product-families\/[^/]+\/changes$/);
  const members = site.document(path.replace('/changes', '')).data.members.map(({ id }: { id: string }) => id);
  const stranger = site.document('/v1/products').data.find(({ id }: { id: string }) => !members.includes(id));
  site.editDocument(path, ({ data }) => Object.assign(data[0].product, { id: stranger.id }));
  expect(await site.faults()).toEqual([`list_foreign_row ${path}`]);
});

test.each<[string, object]>([
  ['retained_event_count', { retained_event_count: 7 }],
  ['earliest_available_at', { earliest_available_at: '2025-03-01T00:00:00Z' }],
  ['latest_available_at', { latest_available_at: null }],
])('a wrong %s', async (_, fields) => {
  const site = new EditedSite(example.folder);
  site.editDocument('/v1/changes', ({ meta }) => Object.assign(meta.history, fields));
  expect(await site.faults()).toEqual(['list_count /v1/changes']);
});

test('counts of the metadata', async () => {
  const site = new EditedSite(example.folder);
  const names = Object.keys(site.document('/v1/metadata').data.counts);
  site.editDocument('/v1/metadata', ({ data }) => {
    for (const name of names) data.counts[name] += 1;
  });
  const faults = await site.faults();
  expect(new Set(faults)).toEqual(new Set(['list_count /v1/metadata', 'list_count /v1/search/index.json']));
  expect(faults.length).toBeGreaterThan(names.length);
});
