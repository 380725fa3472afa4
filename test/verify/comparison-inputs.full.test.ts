import { afterAll, beforeAll, expect, test } from 'vitest';
import { EditedSite } from './edited-site.ts';
import { buildExampleSite, type ExampleSite } from './example-site.ts';

let example: ExampleSite;
beforeAll(async () => {
  example = await buildExampleSite(12);
});
afterAll(() => example.remove());

const storesPath = '/v1/availability/stores.json';

test('availabilities with stores in another order, one left out, and a warning that is not of the product', async () => {
  const site = new EditedSite(example.folder);
  const [reversed = '', shortened = '', warned = ''] = site
    .paths(/^\/v1\/products\/[^/]+\/availability$/)
    .filter((path) => site.document(path).data.stores.some(isUnchecked));
  site.editDocument(reversed, ({ data }) => data.stores.reverse());
  site.editDocument(shortened, ({ data }) => data.stores.splice(data.stores.findIndex(isUnchecked), 1));
  site.editDocument(warned, ({ meta }) => meta.warnings.push({ code: 'SOURCE_REFRESH_DELAYED' }));
  const faults = await site.faults();
  for (const path of [reversed, shortened, warned]) expect(faults).toContain(`input_mismatch ${path}`);
});

function isUnchecked({ state }: { state: string }): boolean {
  return state === 'unchecked';
}

test('stores to choose from with another name, another distance and warnings of their own', async () => {
  const site = new EditedSite(example.folder);
  const [first, second] = site.document(storesPath).stores;
  site.editDocument(storesPath, (document) => {
    Object.assign(document.stores[0], { name: 'Store 0' });
    Object.assign(document.stores[1], { distance_m: 0 });
    document.warnings = [];
  });
  const claims = ['warnings ', ...[first, second].map(({ id }) => `.*as /v1/stores/${id} has it$`)];
  expect(await site.explainedFaults()).toEqual(
    expect.arrayContaining(claims.map((claim) => expect.stringMatching(`^input_mismatch ${storesPath}: ${claim}`))),
  );
  expect(await site.faults()).toEqual(claims.map(() => `input_mismatch ${storesPath}`));
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
    // The availability of every product has the stores in the order of this document.
    expect(faults.some((fault) => fault.startsWith('input_mismatch /v1/products/'))).toBe(true);
  }
});

test.each(['null', '{}', '{"warnings":[],"stores":[]}'])('stores to choose from that are only %s', async (text) => {
  const site = new EditedSite(example.folder);
  site.replace(storesPath, Buffer.from(text));
  expect((await site.faults()).some((fault) => fault.endsWith(` ${storesPath}`))).toBe(true);
});

test.each<[string, string[], (index: ReturnType<EditedSite['document']>) => void]>([
  [
    'a row that says otherwise, other names and other warnings',
    ['brand 1 ', 'warnings ', 'names ', 'names '],
    (index) => {
      Object.assign(index.brands[1].brand, { product_count: 999 });
      // A name that is not folded, and one that is left out.
      index.brands[0].names.splice(0, 1, index.brands[0].brand.name);
      index.brands[2].names.pop();
      index.warnings = [];
    },
  ],
  ['a brand left out', ['brand 1 ', String.raw`\d+ brands,`], ({ brands }) => brands.splice(1, 1)],
  ['a brand twice', [String.raw`\d+ brands,`], ({ brands }) => brands.push(brands[0])],
  ['two brands exchanged', ['brand 0 '], ({ brands }) => brands.splice(0, 2, brands[1], brands[0])],
])('a brand index with %s', async (_, claims, edit) => {
  const site = new EditedSite(example.folder);
  site.editDocument('/v1/brands/index.json', edit);
  const faults = (await site.explainedFaults()).sort();
  expect(faults).toEqual(
    claims.sort().map((claim) => expect.stringMatching(`^index_mismatch /v1/brands/index.json: ${claim}`)),
  );
});
