import { afterAll, beforeAll, expect, test } from 'vitest';
import { EditedSite } from './edited-site.ts';
import { buildExampleSite, type ExampleSite } from './example-site.ts';

let example: ExampleSite;
beforeAll(async () => {
  example = await buildExampleSite(12);
});
afterAll(() => example.remove());

const nobody = '00000000-0000-4000-8000-000000000000';
const product = /^\/v1\/products\/[0-9a-f-]{36}$/;

test.each<[string, string, (document: ReturnType<EditedSite['document']>) => void]>([
  ['the index', '/v1', ({ data }) => Object.assign(data.links, { stores: '/v1/storez' })],
  [
    'the index, on another host',
    '/v1',
    ({ data }) => Object.assign(data.links, { stores: 'https://a.example/v1/stores' }),
  ],
  [
    'an event, by store',
    '/v1/changes',
    ({ data }) => Object.assign(data.find(({ store }: { store: unknown }) => store).store, { id: nobody }),
  ],
  ['a row, by brand', '/v1/products', ({ data }) => Object.assign(data[3], { brand_id: nobody })],
  ['a row, by family', '/v1/products', ({ data }) => Object.assign(data[3], { family_id: nobody })],
  [
    'a search hit, by address',
    '/v1/search/index.json',
    ({ entries }) => Object.assign(entries[0].hit, { path: entries[1].hit.path }),
  ],
])('a link of %s leads nowhere', async (_, path, edit) => {
  const site = new EditedSite(example.folder);
  site.editDocument(path, edit);
  expect(await site.faults()).toContain(`address_unresolved ${path}`);
});

test('a stale link is the only fault of its document', async () => {
  const site = new EditedSite(example.folder);
  site.editDocument('/v1', ({ data }) => Object.assign(data.links, { stores: '/v1/storez' }));
  expect(await site.faults()).toEqual(['address_unresolved /v1']);
});

test('a link to a page, a segment or an export that is gone', async () => {
  const site = new EditedSite(example.folder);
  const page = '/v1/changes/pages/4.json';
  const file = `/v1/exports/${site.pointer.revision}/stores.ndjson.gz`;
  site.removeRoute(page);
  site.removeRoute(file);
  expect(await site.faults()).toEqual([
    'address_unresolved /v1/changes/pages.json',
    'address_unresolved /v1/changes/pages/5.json',
    'address_unresolved /v1/exports',
    'address_unresolved /v1/metadata/publications',
  ]);
});

test('a product that lists name and that has no document', async () => {
  const site = new EditedSite(example.folder);
  const { data } = site.document('/v1/products');
  site.removeRoute(`/v1/products/${data[0].id}`);
  const faults = await site.faults();
  for (const holder of ['/v1/products', '/v1/changes/pages/1.json', '/v1/search/index.json']) {
    expect(faults).toContain(`address_unresolved ${holder}`);
  }
  expect(faults).toContain('list_count /v1/metadata');
});

test('a document without a field, with a wrong one, and with one too many', async () => {
  const site = new EditedSite(example.folder);
  const [store = ''] = site.paths(/^\/v1\/stores\/[0-9a-f-]{36}$/);
  site.editDocument('/v1/categories', ({ data }) => delete data[0].name);
  site.editDocument('/v1/exports', ({ data }) => Object.assign(data, { schema_version: '1' }));
  site.editDocument(store, ({ data }) => Object.assign(data, { internal_note: 'x' }));
  const faults = await site.faults();
  for (const path of ['/v1/categories', '/v1/exports', store]) expect(faults).toContain(`document_schema ${path}`);
});

test('bytes that are no JSON, and text that is no UTF-8', async () => {
  const site = new EditedSite(example.folder);
  site.replace('/v1/categories', Buffer.from('{"data":[],"meta":{"warnings":[]}'));
  site.replace('/v1/openapi.json', Buffer.from('{"info":"caf\xe9"}', 'latin1'));
  expect(await site.faults()).toEqual(['document_syntax /v1/categories', 'document_syntax /v1/openapi.json']);
});

test('a document at the address of another', async () => {
  const site = new EditedSite(example.folder);
  const [problem, other] = ['/v1/problems/INTERNAL', '/v1/problems/RATE_LIMITED'];
  site.editDocument(problem, (document) => Object.assign(document, site.document(other)));
  expect(await site.faults()).toEqual([`document_misplaced ${problem}`]);
});

test('other bytes at the second address of a product', async () => {
  const site = new EditedSite(example.folder);
  const [path = ''] = site.paths(product);
  const sku = site.document(path).data.source_ids.agency_sku;
  const alias = `/v1/products/by-sku/${sku}`;
  const [first, second] = site.paths(/by-sku/).filter((candidate) => candidate !== alias);
  const { sha256, size, etag } = site.route(first ?? second ?? '');
  site.editRoute(alias, (route) => Object.assign(route, { sha256, size, etag }));
  const faults = await site.faults();
  expect(faults).toContain(`document_misplaced ${alias}`);
  expect(faults).toContain(`checkout_content ${site.checkoutOf(alias)}`);
});

test('a former SKU without an answer, and one declared ambiguous that has one', async () => {
  const site = new EditedSite(example.folder);
  const formerSkus = site.paths(product).flatMap((path) => site.document(path).data.former_skus);
  const { ambiguous } = site.document('/v1/products/former-skus.json');
  const known = site.paths(/by-sku/);
  const sku = formerSkus.find((former) => known.includes(`/v1/products/by-sku/${former}`));
  site.editDocument('/v1/products/former-skus.json', (document) =>
    Object.assign(document, { ambiguous: [...ambiguous, sku].sort() }),
  );
  expect(await site.faults()).toEqual([`route_unknown /v1/products/by-sku/${sku}`]);
  site.editDocument('/v1/products/former-skus.json', (document) => Object.assign(document, { ambiguous: [] }));
  expect(new Set(await site.faults())).toEqual(
    new Set(ambiguous.map((former: string) => `route_missing /v1/products/by-sku/${former}`)),
  );
});

test('a former SKU that leads to a product that never had it', async () => {
  const site = new EditedSite(example.folder);
  const known = site.paths(/by-sku/);
  const holder = site
    .paths(product)
    .find((path) =>
      site.document(path).data.former_skus.some((sku: string) => known.includes(`/v1/products/by-sku/${sku}`)),
    );
  const [former] = site.document(holder ?? '').data.former_skus;
  site.editDocument(holder ?? '', ({ data }) => Object.assign(data, { former_skus: [] }));
  expect(await site.faults()).toEqual([
    `export_mismatch /v1/exports/${site.pointer.revision}/products.ndjson.gz`,
    `document_misplaced /v1/products/by-sku/${former}`,
  ]);
});

test.each(['null', '[]', '{}', '0', '{"data":null}', '{"data":[null],"meta":{},"links":{}}'])(
  'documents that are only %s are reported, and nothing trips over them',
  async (text) => {
    const site = new EditedSite(example.folder);
    const [family = ''] = site.paths(/^\/v1\/product-families\/[^/]+$/);
    const paths = [
      '/v1',
      '/v1/categories',
      '/v1/changes/pages.json',
      '/v1/changes/pages/3.json',
      '/v1/exports',
      '/v1/metadata',
      '/v1/metadata/publications',
      '/v1/openapi.json',
      family,
      '/v1/products',
      '/v1/products/former-skus.json',
      '/v1/search/index.json',
    ];
    // Appends a different number of blanks to each. Otherwise they would be one object, the same document at all
    // addresses.
    for (const [i, path] of paths.entries()) site.replace(path, Buffer.from(text + ' '.repeat(i)));
    const faults = await site.faults();
    for (const path of paths) expect(faults).toContain(`document_schema ${path}`);
  },
);

test.each([5_000, 1_000_000])('JSON nested %i deep is a fault like others', async (depth) => {
  const site = new EditedSite(example.folder);
  site.replace(
    '/v1/categories',
    Buffer.from(`{"data":${'['.repeat(depth)}${']'.repeat(depth)},"meta":{"warnings":[]}}`),
  );
  expect(await site.faults()).toContain('document_syntax /v1/categories');
});
