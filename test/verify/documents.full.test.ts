import { expect, test } from 'vitest';
import type { ProductAvailability } from '../../generator/contract/documents/product.ts';
import { EditedSite } from './edited-site.ts';
import { useExampleSite } from './example-site.ts';

const example = useExampleSite(12);

const nobody = '00000000-0000-4000-8000-000000000000';
const product = /^\/v1\/products\/[0-9a-f-]{36}$/;

test('links that lead nowhere', async () => {
  type Document = ReturnType<EditedSite['document']>;
  const groups: Record<string, (document: Document) => void>[] = [
    {
      '/v1': ({ data }) => Object.assign(data.links, { stores: '/v1/storez' }),
      '/v1/changes': ({ data }) =>
        Object.assign(data.find(({ store }: { store: unknown }) => store).store, { id: nobody }),
      '/v1/products': ({ data }) => Object.assign(data[3], { brand_id: nobody }),
      '/v1/search/index.json': ({ entries }) => Object.assign(entries[0].hit, { path: entries[1].hit.path }),
    },
    {
      '/v1': ({ data }) => Object.assign(data.links, { stores: 'https://a.example/v1/stores' }),
      '/v1/products': ({ data }) => Object.assign(data[3], { family_id: nobody }),
    },
  ];
  for (const group of groups) {
    const site = new EditedSite(example.folder);
    for (const [path, edit] of Object.entries(group)) site.editDocument(path, edit);
    const faults = await site.faults();
    for (const path of Object.keys(group)) expect(faults).toContain(`address_unresolved ${path}`);
    // A stale link is the only fault of its document.
    expect(faults.filter((fault) => fault.endsWith(' /v1'))).toEqual(['address_unresolved /v1']);
  }
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

test('bytes that are no JSON, text that is no UTF-8, deep nesting, and a document at the address of another', async () => {
  const site = new EditedSite(example.folder);
  const [problem = '', other = '', shallow = '', deep = ''] = site.paths(/^\/v1\/problems\//);
  site.replace('/v1/categories', Buffer.from('{"data":[],"meta":{"warnings":[]}'));
  site.replace('/v1/openapi.json', Buffer.from('{"info":"caf\xe9"}', 'latin1'));
  site.editDocument(problem, (document) => Object.assign(document, site.document(other)));
  for (const [path, depth] of [
    [shallow, 5_000],
    [deep, 1_000_000],
  ] as const) {
    site.replace(path, Buffer.from(`{"data":${'['.repeat(depth)}${']'.repeat(depth)}}`));
  }
  expect((await site.faults()).sort()).toEqual(
    [
      `document_misplaced ${problem}`,
      'document_syntax /v1/categories',
      'document_syntax /v1/openapi.json',
      `document_syntax ${deep}`,
      `document_syntax ${shallow}`,
    ].sort(),
  );
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
  site.editDocument('/v1/products/former-skus.json', (document) => Object.assign(document, { ambiguous: [sku] }));
  expect(ambiguous.length).toBeGreaterThan(0);
  expect(new Set(await site.faults())).toEqual(
    new Set([
      `route_unknown /v1/products/by-sku/${sku}`,
      ...ambiguous.map((former: string) => `route_missing /v1/products/by-sku/${former}`),
    ]),
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
  expect(await site.faults()).toEqual([`document_misplaced /v1/products/by-sku/${former}`]);
});

type Pair = ProductAvailability['stores'][number];

/** Edits of a row of an availability, by what its state is. */
const pairEdits: readonly (readonly [Pair['state'], Partial<Pair>])[] = [
  ['reported_positive', { reported_quantity: 0 }],
  ['reported_positive', { reported_quantity: null }],
  ['reported_positive', { purchase_eligibility: null }],
  ['reported_zero', { reported_quantity: null }],
  ['reported_zero', { reported_quantity: 3 }],
  ['row_absent', { reported_quantity: 0 }],
  ['row_absent', { retrieved_at: null }],
  ['row_absent', { purchase_eligibility: 'restricted' }],
  ['unchecked', { retrieved_at: '2025-06-05T18:04:22Z' }],
  ['unchecked', { meets_retrieval_policy: true }],
];
const summaryEdits = [
  'scope_store_count',
  'reported_positive_store_count',
  'eligible_positive_store_count',
  'reported_zero_store_count',
  'row_absent_store_count',
  'unchecked_store_count',
] as const;

test('rows of an availability that contradict their state, and summaries that count other rows', async () => {
  const site = new EditedSite(example.folder);
  const availabilities = site.paths(/^\/v1\/products\/[^/]+\/availability$/);
  const expected: string[] = [];
  for (const [state, fields] of pairEdits) {
    const isOfState = (pair: Pair) => pair.state === state;
    const at = availabilities.findIndex((path) => site.document(path).data.stores.some(isOfState));
    const [path = ''] = availabilities.splice(at, 1);
    const row: Pair = site.document(path).data.stores.find(isOfState);
    site.editDocument(path, ({ data }) => Object.assign(data.stores.find(isOfState), fields));
    expected.push(`pair_state ${path}: for store ${row.store_id} `);
    if (row.purchase_eligibility === 'eligible' && 'purchase_eligibility' in fields) {
      expected.push(`pair_state ${path}: eligible_positive_store_count `);
    }
  }
  for (const name of summaryEdits) {
    const path = availabilities.shift() ?? '';
    site.editDocument(path, ({ data }) => Object.assign(data.summary, { [name]: data.summary[name] + 1 }));
    expected.push(`pair_state ${path}: ${name} `);
  }
  expect((await site.explainedFaults()).sort()).toEqual(expected.sort().map((claim) => expect.stringContaining(claim)));
});

test('documents of another shape are reported, and nothing trips over them', async () => {
  const site = new EditedSite(example.folder);
  const shapes = ['null', '[]', '{}', '0', '{"data":null}', '{"data":[null],"meta":{},"links":{}}'];
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
  for (let turn = 0; turn < shapes.length; turn += 2) {
    // Each has another number of blanks. Otherwise they would be one object, the same document at all addresses.
    for (const [i, path] of paths.entries()) {
      site.replace(path, Buffer.from(`${shapes[(i + turn) % shapes.length]}${' '.repeat(i + 100 * turn)}`));
    }
    const faults = await site.faults();
    for (const path of paths) expect(faults).toContain(`document_schema ${path}`);
  }
});
