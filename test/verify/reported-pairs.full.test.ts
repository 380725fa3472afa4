import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ProductAvailability } from '../../generator/contract/documents/product.ts';
import type { StoreStock } from '../../generator/contract/documents/store.ts';
import { FaultList } from '../../generator/site/fault.ts';
import { checkPairStates } from '../../generator/verify/pair-states.ts';
import { verifySite } from '../../generator/verify/verify.ts';
import { EditedSite } from './edited-site.ts';
import { buildExampleSite, type ExampleSite } from './example-site.ts';

/*
 * What a product is reported to have in a store stands in its availability, in the store's document, and in the exports.
 * Each edit fits every hash.
 */

let example: ExampleSite;
beforeAll(async () => {
  example = await buildExampleSite(12);
});
afterAll(() => example.remove());

type Pair = ProductAvailability['stores'][number];

/** The first availability that has a row in one of the states, and the place of that row. */
function find(site: EditedSite, ...states: Pair['state'][]): { path: string; product: string; at: number; row: Pair } {
  for (const path of site.paths(/^\/v1\/products\/[^/]+\/availability$/)) {
    const { product, stores }: ProductAvailability = site.document(path).data;
    const at = stores.findIndex(({ state }) => states.includes(state));
    const row = stores[at];
    if (row) return { path, product: product.id, at, row };
  }
  throw new Error(`no pair is ${states.join(' or ')}`);
}

const exportOf = (site: EditedSite, resource: string) => `/v1/exports/${site.pointer.revision}/${resource}.ndjson.gz`;

/** The faults that say of two places that they disagree. */
async function disagreements(site: EditedSite): Promise<string[]> {
  const { faults } = await verifySite(site.folder);
  const codes = ['export_mismatch', 'stock_mismatch'];
  return faults
    .filter(({ code }) => codes.includes(code))
    .map(({ code, path, expected, got }) => [code, path, expected, got].join(' | '));
}

function editRow(site: EditedSite, path: string, at: number, fields: Partial<Pair>): void {
  site.editDocument(path, ({ data }) => Object.assign(data.stores[at], fields));
}

test('a quantity that only the availability says', async () => {
  const site = new EditedSite(example.folder);
  const { path, product, at, row } = find(site, 'reported_positive');
  editRow(site, path, at, { reported_quantity: 7_000 });
  const stock = `/v1/stores/${row.store_id}/availability`;
  const seen: StoreStock = site.document(stock).data;
  const own = seen.products.find(({ product_id }) => product_id === product);
  expect(await disagreements(site)).toEqual([
    `export_mismatch | ${exportOf(site, 'inventory')} | reported_quantity 7000, as ${path} has it | ${row.reported_quantity}`,
    expect.stringMatching(`^stock_mismatch \\| ${stock} \\| .+ of product ${product}, as ${path} has it`),
  ]);
  expect(own?.reported_quantity).toBe(row.reported_quantity);
});

test('a pair that the availability says was never checked, and one that it says was', async () => {
  const site = new EditedSite(example.folder);
  const unchecked = { reported_quantity: null, purchase_eligibility: null, retrieved_at: null } as const;
  const absent = find(site, 'row_absent');
  editRow(site, absent.path, absent.at, { state: 'unchecked', ...unchecked, meets_retrieval_policy: false });
  expect(await disagreements(site)).toEqual([
    expect.stringContaining(`no record of store ${absent.row.store_id}, unchecked in ${absent.path}`),
  ]);
  const other = new EditedSite(example.folder);
  const { path, product, at, row } = find(other, 'unchecked');
  editRow(other, path, at, { state: 'row_absent', retrieved_at: '2025-06-05T18:04:22Z' });
  expect(await disagreements(other)).toEqual([
    expect.stringContaining(`a record of store ${row.store_id} and product ${product}, as ${path} has it | none`),
  ]);
});

test('a price and a name that only an export says', async () => {
  const site = new EditedSite(example.folder);
  const edit = (resource: string, change: (record: Record<string, unknown>) => object) => {
    const path = exportOf(site, resource);
    const [header = '', first = '', ...others] = gunzipSync(site.bytes(site.objectOf(path)))
      .toString()
      .split('\n');
    const record = JSON.parse(first);
    site.replace(path, gzipSync([header, JSON.stringify({ ...record, ...change(record) }), ...others].join('\n')));
    return record;
  };
  const product = edit('products', () => ({ price_amount_minor: 1 }));
  const store = edit('stores', ({ name }) => ({ name: `${name} II` }));
  expect(await disagreements(site)).toEqual([
    `export_mismatch | ${exportOf(site, 'products')} | price_amount_minor ${product.price_amount_minor}, as /v1/products/${product.id} has it | 1`,
    `export_mismatch | ${exportOf(site, 'stores')} | name "${store.name}", as /v1/stores/${store.id} has it | "${store.name} II"`,
  ]);
});

test('stores that say other products than the availability does', async () => {
  const site = new EditedSite(example.folder);
  const stocks = site
    .paths(/^\/v1\/stores\/[^/]+\/availability$/)
    .filter((path) => site.document(path).data.products.length > 1)
    .filter((path) => !/retired|closed/.test(JSON.stringify(site.document(path.replace('/availability', '')))));
  const [short = '', changed = ''] = stocks;
  const [left, kept]: StoreStock['products'] = site.document(short).data.products;
  site.editDocument(short, ({ data }) => data.products.shift());
  site.editDocument(changed, ({ data }) => Object.assign(data.products[0], { purchase_eligibility: 'restricted' }));
  const [first = '', second = ''] = await disagreements(site);
  expect(first).toContain(`stock_mismatch | ${short} | `);
  expect(first).toContain(
    `of product ${left?.product_id}, as /v1/products/${left?.product_id}/availability has it | nothing`,
  );
  expect(second).toContain(`stock_mismatch | ${changed} | the `);
  expect(kept?.product_id).not.toBe(left?.product_id);
});

test.each<[Pair['state'], Partial<Pair>]>([
  ['reported_positive', { reported_quantity: 0 }],
  ['reported_positive', { reported_quantity: null }],
  ['reported_positive', { purchase_eligibility: null }],
  ['reported_zero', { reported_quantity: null }],
  ['reported_zero', { reported_quantity: 3 }],
  ['row_absent', { reported_quantity: 0 }],
  ['row_absent', { retrieved_at: null }],
  ['row_absent', { purchase_eligibility: 'eligible' }],
  ['unchecked', { retrieved_at: '2025-06-05T18:04:22Z' }],
  ['unchecked', { meets_retrieval_policy: true }],
])('a row that is %s with %j', (state, fields) => {
  const site = new EditedSite(example.folder);
  const { path, product, at, row } = find(site, state);
  const availability: ProductAvailability = site.document(path).data;
  const faults = new FaultList();
  const check = () =>
    checkPairStates(faults, {
      id: product,
      route: site.route(path),
      document: null,
      availability,
      availabilityWarnings: null,
    });
  check();
  expect(faults.total).toBe(0);
  Object.assign(availability.stores[at] ?? {}, fields);
  check();
  expect(faults.first()).toMatchObject([
    { code: 'pair_state', path, expected: expect.stringMatching(`^for store ${row.store_id} (a|no|the) `) },
  ]);
});
