import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ComparisonProduct } from '../../generator/contract/documents/comparison.ts';
import { EditedSite } from './edited-site.ts';
import { buildExampleSite, type ExampleSite } from './example-site.ts';

let example: ExampleSite;
beforeAll(async () => {
  example = await buildExampleSite(12);
});
afterAll(() => example.remove());

const storesPath = '/v1/availability/stores.json';
const [bourbon, gin] = ['001204', '003110'];
const nobody = '00000000-0000-4000-8000-000000000000';

function inputPath(site: EditedSite, sku: string): string {
  return `/v1/availability/products/${site.document(`/v1/products/by-sku/${sku}`).data.id}.json`;
}

type Observation = ComparisonProduct['observations'][number];

/** Replaces the letter of one store. */
function relabel(observation: Observation, position: number, letter: string): void {
  observation.stores = observation.stores.slice(0, position) + letter + observation.stores.slice(position + 1);
}

/** Edits of the input of a product, each of another one. */
const edits: [string, (input: ComparisonProduct) => void][] = [
  ['another letter', ({ observations: [first] }) => relabel(first as Observation, 0, 'z')],
  ['a store that was checked and is passed over', ({ observations: [first] }) => relabel(first as Observation, 0, '-')],
  [
    'a store that was never checked',
    ({ observations: [first] }) => relabel(first as Observation, first?.stores.indexOf('-') ?? 0, 'a'),
  ],
  [
    'another retrieval',
    ({ observations: [first] }) => Object.assign(first as Observation, { retrieved_at: '2025-06-05T00:00:00Z' }),
  ],
  [
    'another word on the policy',
    ({ observations: [first] }) => Object.assign(first as Observation, { meets_retrieval_policy: false }),
  ],
  [
    'a letter too few',
    ({ observations: [first] }) => Object.assign(first as Observation, { stores: first?.stores.slice(1) }),
  ],
  ['no observations', (input) => Object.assign(input, { observations: [] })],
  ['another price', ({ product }) => Object.assign(product.price ?? {}, { amount_minor: 1 })],
  ['a name with its brand', ({ product }) => Object.assign(product, { name: `Wrenmoor ${product.name}` })],
  ["a warning that is not the product's", ({ warnings }) => warnings.push({ code: 'SOURCE_REFRESH_DELAYED' })],
];

test('each input that differs from what else is said of its product', async () => {
  const site = new EditedSite(example.folder);
  const inputs = site.paths(/^\/v1\/availability\/products\/[^/]+\.json$/).filter((path) => {
    const { observations } = site.document(path) as ComparisonProduct;
    return observations.length === 1 && /^[^-].*-/.test(observations[0]?.stores ?? '');
  });
  const edited = new Map(inputs.slice(0, edits.length).map((path, i) => [path, edits[i]]));
  expect(edited.size).toBe(edits.length);
  for (const [path, [, edit] = ['', () => undefined]] of edited) site.editDocument(path, edit);
  expect((await site.faults()).sort()).toEqual([...edited.keys()].map((path) => `input_mismatch ${path}`).sort());
});

test('a store that two observations speak of, and observations out of order', async () => {
  const site = new EditedSite(example.folder);
  const path = inputPath(site, bourbon);
  site.editDocument(path, ({ observations }) =>
    observations.push({ ...observations[0], retrieved_at: '2026-01-01T00:00:00Z' }),
  );
  expect(new Set(await site.faults())).toEqual(new Set([`input_mismatch ${path}`]));
  expect((await site.faults()).length).toBeGreaterThan(1);
});

test('an observation of no store', async () => {
  const site = new EditedSite(example.folder);
  const path = inputPath(site, bourbon);
  site.editDocument(path, ({ observations }) =>
    observations.push({
      retrieved_at: '2025-01-01T00:00:00Z',
      meets_retrieval_policy: false,
      stores: '-'.repeat(observations[0].stores.length),
    }),
  );
  expect(await site.faults()).toEqual([`input_mismatch ${path}`]);
});

test('a letter that the contract does not know', async () => {
  const site = new EditedSite(example.folder);
  const path = inputPath(site, bourbon);
  site.editDocument(path, ({ observations }) => relabel(observations[0], 0, 'x'));
  const faults = await site.faults();
  expect(faults.some((fault) => fault.startsWith('document_schema /v1/availability/products/'))).toBe(true);
});

test('an input at the address of another product', async () => {
  const site = new EditedSite(example.folder);
  const [own, other] = [inputPath(site, bourbon), inputPath(site, gin)];
  const { path: _, cache: __, last_modified: ___, ...foreign } = site.route(other);
  site.editRoute(own, (route) => Object.assign(route, foreign));
  const faults = await site.faults();
  expect(faults).toContain(`document_misplaced ${own}`);
  expect(faults).toContain(`input_mismatch ${own}`);
});

test.each([bourbon, '900101'])('the input of another product at by-sku/%s', async (sku) => {
  const site = new EditedSite(example.folder);
  const alias = `/v1/availability/products/by-sku/${sku}.json`;
  const { sha256, size, etag } = site.route(inputPath(site, gin));
  site.editRoute(alias, (route) => Object.assign(route, { sha256, size, etag }));
  const faults = await site.faults();
  expect(faults).toContain(`document_misplaced ${alias}`);
  expect(faults).toContain(`checkout_content ${site.checkoutOf(alias)}`);
});

test('a product without its input, by id and by SKU', async () => {
  const site = new EditedSite(example.folder);
  const paths = [inputPath(site, bourbon), `/v1/availability/products/by-sku/${bourbon}.json`];
  for (const path of paths) site.removeRoute(path);
  expect(await site.faults()).toEqual(paths.map((path) => `route_missing ${path}`).sort());
});

test('an input of a product that nobody knows', async () => {
  const site = new EditedSite(example.folder);
  const [path, stranger] = [inputPath(site, bourbon), `/v1/availability/products/${nobody}.json`];
  site.write(site.checkoutOf(stranger), site.bytes(site.objectOf(path)));
  site.editTable(({ root, shards }) => {
    root.route_count += 1;
    const known = shards.flat().find((route) => route.path === path);
    for (const routes of shards) {
      if (known) routes.push({ ...known, path: stranger });
      routes.sort((a, b) => (a.path < b.path ? -1 : 1));
    }
  });
  const faults = await site.faults();
  expect(faults).toContain(`route_missing /v1/products/${nobody}`);
  expect(faults).toContain(`document_misplaced ${stranger}`);
});

test.each<[string, (stores: { id: string; name: string }[]) => void]>([
  ['another name', ([first]) => Object.assign(first ?? {}, { name: 'Store 0' })],
  ['another distance', ([first]) => Object.assign(first ?? {}, { distance_m: 0 })],
])('stores to choose from with %s', async (_, edit) => {
  const site = new EditedSite(example.folder);
  site.editDocument(storesPath, ({ stores }) => edit(stores));
  expect(await site.faults()).toEqual([`input_mismatch ${storesPath}`]);
});

test('stores in another order, one left out, and one that closed', async () => {
  const site = new EditedSite(example.folder);
  const { stores } = site.document(storesPath);
  const { data } = site.document('/v1/stores');
  const closed = data.find(
    ({ operational_status }: { operational_status: { state: string } }) =>
      operational_status.state === 'permanently_closed',
  );
  const edits = [
    [stores[1], stores[0], ...stores.slice(2)],
    stores.slice(1),
    [...stores, closed].sort((a, b) => (a.id < b.id ? -1 : 1)),
  ];
  for (const edited of edits) {
    site.editDocument(storesPath, (document) => Object.assign(document, { stores: edited }));
    const faults = await site.faults();
    expect(faults).toContain(`input_mismatch ${storesPath}`);
    // Letters refer to stores by position, so with other positions they are wrong too.
    expect(faults.some((fault) => fault.startsWith('input_mismatch /v1/availability/products/'))).toBe(true);
  }
});

test('stores to choose from with warnings of their own', async () => {
  const site = new EditedSite(example.folder);
  site.editDocument(storesPath, (document) => Object.assign(document, { warnings: [] }));
  expect(await site.faults()).toEqual([`input_mismatch ${storesPath}`]);
});

test.each(['null', '{}', '{"warnings":[],"stores":[]}'])('stores to choose from that are only %s', async (text) => {
  const site = new EditedSite(example.folder);
  site.replace(storesPath, Buffer.from(text));
  expect((await site.faults()).some((fault) => fault.endsWith(` ${storesPath}`))).toBe(true);
});

test.each<[string, (index: ReturnType<EditedSite['document']>) => void]>([
  ['a row that says otherwise', ({ brands }) => Object.assign(brands[1].brand, { product_count: 999 })],
  ['a brand left out', ({ brands }) => brands.splice(1, 1)],
  ['a brand twice', ({ brands }) => brands.push(brands[0])],
  ['two brands exchanged', ({ brands }) => brands.splice(0, 2, brands[1], brands[0])],
  ['a name that is not folded', ({ brands }) => brands[0].names.splice(0, 1, brands[0].brand.name)],
  ['a name left out', ({ brands }) => brands[0].names.pop()],
  ['other warnings', (index) => Object.assign(index, { warnings: [] })],
])('a brand index with %s', async (_, edit) => {
  const site = new EditedSite(example.folder);
  site.editDocument('/v1/brands/index.json', edit);
  expect(new Set(await site.faults())).toEqual(new Set(['index_mismatch /v1/brands/index.json']));
});
