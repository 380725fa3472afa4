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

type Edit = readonly [(data: ProductAvailability) => boolean, (data: ProductAvailability) => unknown, string];

const ofState = (state: string) => (row: { readonly state: string }) => row.state === state;
const has = (state: string) => (data: ProductAvailability) => data.stores.some(ofState(state));
const editRow =
  (state: string, fields: object) =>
  ({ stores }: ProductAvailability) =>
    Object.assign(stores.find(ofState(state)) ?? {}, fields);
const hasOthers = ({ summary, stores }: ProductAvailability) => summary.scope_store_count > stores.length + 1;
const count =
  (name: keyof ProductAvailability['summary']) =>
  ({ summary }: ProductAvailability) =>
    Object.assign(summary, { [name]: (summary[name] as number) + 1 });

/** Edits of an availability, and what verification says then. */
const availabilityEdits: readonly Edit[] = [
  [has('reported_positive'), editRow('reported_positive', { reported_quantity: 0 }), 'a quantity above 0'],
  [has('reported_zero'), editRow('reported_zero', { purchase_eligibility: 'restricted' }), 'the quantity 0'],
  [has('reported_zero'), editRow('reported_zero', { reported_quantity: 3 }), 'the quantity 0'],
  [({ stores }) => stores.length > 1, ({ stores }) => stores.reverse(), 'stores in order of id'],
  [
    ({ stores }) => stores.length > 1,
    ({ stores }) => Object.assign(stores[0] ?? {}, { store_id: stores[1]?.store_id }),
    'stores in scope, each once',
  ],
  [
    has('reported_zero'),
    editRow('reported_zero', { store_id: '00000000-0000-4000-8000-000000000000' }),
    'stores in scope, each once',
  ],
  [has('reported_positive'), (data) => Object.assign(data, { retrieved_at: null }), 'the time of the last retrieval'],
  [
    ({ earlier_row_absent }) => earlier_row_absent.length === 0,
    (data) =>
      data.earlier_row_absent.push({
        ...{ retrieved_at: '2025-06-05T18:04:22Z', meets_retrieval_policy: false },
        store_ids: data.stores.map(({ store_id }) => store_id).slice(0, 1),
      }),
    'stores without a row',
  ],
  [hasOthers, (data) => Object.assign(data, { other_stores_state: null }), 'other_stores_state'],
  [
    ({ summary, ...data }) => hasOthers({ summary, ...data }) && summary.row_absent_store_count > 0,
    (data) => data.exception_store_ids.splice(0, Infinity, ...data.exception_store_ids.slice(1)),
    'in its summary, the count of its stores',
  ],
  [() => true, count('scope_store_count'), 'stores in scope, each once'],
  [() => true, count('reported_positive_store_count'), 'reported_positive_store_count'],
  [() => true, count('eligible_positive_store_count'), 'eligible_positive_store_count'],
  [() => true, count('reported_zero_store_count'), 'reported_zero_store_count'],
  [() => true, count('row_absent_store_count'), 'row_absent_store_count'],
  [() => true, count('unchecked_store_count'), 'unchecked_store_count'],
];

test('an availability that contradicts itself, its summary, or the stores in scope', async () => {
  const site = new EditedSite(example.folder);
  const availabilities = site.paths(/^\/v1\/products\/[^/]+\/availability$/);
  const edited = availabilityEdits.map(([fits, edit, expected]) => {
    const at = availabilities.findIndex((path) => {
      const { data } = site.document(path);
      return data.stores.length > 0 && fits(data);
    });
    const [path = ''] = availabilities.splice(at, at < 0 ? 0 : 1);
    site.editDocument(path, ({ data }) => edit(data));
    return { path, expected };
  });
  const faults = await site.explainedFaults();
  for (const { path, expected } of edited)
    expect(faults, expected).toContainEqual(expect.stringMatching(new RegExp(`^pair_state ${path}.*${expected}`)));
  const others = faults.filter((fault) => !fault.startsWith('pair_state'));
  // An id that no store has is the other kind of fault.
  expect(others).toEqual([expect.stringContaining('address_unresolved')]);
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
