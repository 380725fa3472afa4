import { afterAll, beforeAll, expect, test } from 'vitest';
import { EditedSite } from './edited-site.ts';
import { buildExampleSite, type ExampleSite } from './example-site.ts';

let example: ExampleSite;
beforeAll(async () => {
  example = await buildExampleSite(12);
});
afterAll(() => example.remove());

const storesPath = '/v1/availability/stores.json';

test.each<[string, (availability: ReturnType<EditedSite['document']>) => void]>([
  ['stores in another order', ({ data }) => data.stores.reverse()],
  ['a store left out', ({ data }) => data.stores.splice(data.stores.findIndex(isUnchecked), 1)],
  ["a warning that is not the product's", ({ meta }) => meta.warnings.push({ code: 'SOURCE_REFRESH_DELAYED' })],
])('an availability with %s', async (_, edit) => {
  const site = new EditedSite(example.folder);
  const path = `/v1/products/${site.document('/v1/products/by-sku/001204').data.id}/availability`;
  site.editDocument(path, edit);
  expect(await site.faults()).toContain(`input_mismatch ${path}`);
});

function isUnchecked({ state }: { state: string }): boolean {
  return state === 'unchecked';
}

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
    // The availability of every product has the stores in the order of this document.
    expect(faults.some((fault) => fault.startsWith('input_mismatch /v1/products/'))).toBe(true);
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
