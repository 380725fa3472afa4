import { expect, test } from 'vitest';
import type { ProductAvailability } from '../../contract/schemas/product.ts';
import { EditedSite } from './edited-site.ts';
import { useExampleSite } from './example-site.ts';

const example = useExampleSite(11, 12);

const nobody = '00000000-0000-4000-8000-000000000000';
const product = /^\/v1\/products\/[0-9a-f-]{36}$/;

type Document = ReturnType<EditedSite['document']>;

test.each<Record<string, (document: Document) => void>>([
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
])('links that lead nowhere: %#', async (edits) => {
  const site = new EditedSite(example.folder);
  for (const [path, edit] of Object.entries(edits)) site.editDocument(path, edit);
  const faults = await site.faults();
  for (const path of Object.keys(edits)) expect(faults).toContain(`address_unresolved ${path}`);
  // A stale link is the only fault of its document.
  expect(faults.filter((fault) => fault.endsWith(' /v1'))).toEqual(['address_unresolved /v1']);
});

test('a link to a page, a segment or an export that is gone', async () => {
  const site = new EditedSite(example.folder);
  const page = '/v1/changes/pages/4.json';
  const file = `/v1/exports/${site.pointer.revision}/stores.ndjson.gz`;
  site.removeRoute(page);
  site.removeRoute(file);
  expect(await site.faults()).toEqual([
    'address_unresolved /v1/changes/pages.json',
    `route_missing ${page}`,
    'address_unresolved /v1/changes/pages/5.json',
    'address_unresolved /v1/exports/latest.json',
    'address_unresolved /v1/metadata/publications',
  ]);
});

test('a document without a field, with a wrong one, and with one too many', async () => {
  const site = new EditedSite(example.folder);
  const [store = ''] = site.paths(/^\/v1\/stores\/[0-9a-f-]{36}$/);
  site.editDocument('/v1/categories', ({ data }) => delete data[0].name);
  site.editDocument('/v1/exports', ({ data }) => Object.assign(data, { schema_version: '1' }));
  site.editDocument(store, ({ data }) => Object.assign(data, { internal_note: 'x' }));
  const faults = await site.faults();
  for (const path of ['/v1/categories', '/v1/exports/latest.json', store])
    expect(faults).toContain(`document_schema ${path}`);
});

test('bytes that are not JSON, text that is not UTF-8, deep nesting, and a document at the address of another', async () => {
  const site = new EditedSite(example.folder);
  const [problem = '', other = '', shallow = '', deep = ''] = site.paths(/^\/v1\/problems\//);
  site.replace('/v1/categories', Buffer.from('{"data":[],"meta":{"warnings":[]}'));
  site.replace('/v1/openapi.json', Buffer.from('{"info":"caf\xe9"}', 'latin1'));
  site.editDocument(problem, (document) => Object.assign(document, site.document(other)));
  const nested = (depth: number) => Buffer.from(`{"data":${'['.repeat(depth)}${']'.repeat(depth)}}`);
  site.replace(shallow, nested(5_000));
  site.replace(deep, nested(1_000_000));
  const broken = ['/v1/categories', '/v1/openapi.json', deep, shallow].map((path) => `document_syntax ${path}`);
  expect((await site.faults()).sort()).toEqual([`document_misplaced ${problem}`, ...broken].sort());
});

const bySku = (sku: string) => `/v1/products/by-sku/${sku}`;

test('other bytes at the second address of a product', async () => {
  const site = new EditedSite(example.folder);
  const [path = ''] = site.paths(product);
  const alias = bySku(site.document(path).data.source_ids.agency_sku);
  const [other = ''] = site.paths(/by-sku/).filter((candidate) => candidate !== alias);
  const { sha256, size, etag } = site.route(other);
  site.editRoute(alias, (route) => Object.assign(route, { sha256, size, etag }));
  const faults = await site.faults();
  expect(faults).toContain(`document_misplaced ${alias}`);
  expect(faults).toContain(`checkout_content ${site.checkoutOf(alias)}`);
});

test('a former SKU without an answer, an ambiguous one that has one, and one of a product that never had it', async () => {
  const site = new EditedSite(example.folder);
  const known = site.paths(/by-sku/);
  const holder = site
    .paths(product)
    .find((path) => site.document(path).data.former_skus.some((sku: string) => known.includes(bySku(sku))));
  const [sku] = site.document(holder ?? '').data.former_skus;
  const { ambiguous } = site.document('/v1/products/former-skus.json');
  expect(ambiguous.length).toBeGreaterThan(0);
  site.editDocument('/v1/products/former-skus.json', (document) => Object.assign(document, { ambiguous: [sku] }));
  const missing = ambiguous.map((former: string) => `route_missing ${bySku(former)}`);
  expect(new Set(await site.faults())).toEqual(new Set([`route_unknown ${bySku(sku)}`, ...missing]));
  const other = new EditedSite(example.folder);
  other.editDocument(holder ?? '', ({ data }) => Object.assign(data, { former_skus: [] }));
  expect(await other.faults()).toEqual([`document_misplaced ${bySku(sku)}`]);
});

type Pair = ProductAvailability['stores'][number];

/** Edits of a row of an availability, by its state. */
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

test('documents with the wrong schema are reported, and other checks go on', async () => {
  const site = new EditedSite(example.folder);
  const shapes = ['null', '[]', '{}', '0', '{"data":null}', '{"data":[null],"meta":{},"links":{}}'];
  const [family = ''] = site.paths(/^\/v1\/product-families\/[^/]+$/);
  const names = [
    'categories',
    'changes/pages.json',
    'changes/pages/3.json',
    'exports/latest.json',
    'metadata',
    'openapi.json',
  ];
  names.push('metadata/publications', 'products', 'products/former-skus.json', 'search/index.json');
  const paths = ['/v1', family, ...names.map((name) => `/v1/${name}`)];
  for (let turn = 0; turn < shapes.length; turn += 2) {
    // Each has a different number of spaces. Otherwise they would be one object, the same document at all addresses.
    for (const [i, path] of paths.entries()) {
      site.replace(path, Buffer.from(`${shapes[(i + turn) % shapes.length]}${' '.repeat(i + 100 * turn)}`));
    }
    const faults = await site.faults();
    for (const path of paths) expect(faults).toContain(`document_schema ${path}`);
  }
});
