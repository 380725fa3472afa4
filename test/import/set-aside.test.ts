import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openForPublishing } from '../../generator/database/database-file.ts';
import { guardNames } from '../../generator/publish/guards/guards.ts';
import { publishSnapshot } from '../../generator/publish/publish.ts';
import { importOf, inventoryRecipe, productRecipe } from './small-import.ts';

const skus = Array.from({ length: 200 }, (_, index) => String(index + 1).padStart(6, '0'));
const recipe = {
  ...productRecipe({ price_minor: 'Price', lifecycle: { column: 'Status', lookup: { G: 'active' } } }),
  files: {
    catalog: { match: 'catalog.csv', type: 'csv' },
    stores: { match: 'stores.csv', type: 'csv' },
    stock: { match: 'stock.csv', type: 'csv' },
  },
  stores: {
    from: 'stores',
    fields: {
      inventory_store_code: 'Code',
      name: 'Name',
      'address.line1': 'Street',
      'address.city': 'City',
      'address.region': { value: 'CX' },
      'address.postal_code': { value: '00210' },
      'location.latitude': 'Lat',
      'location.longitude': { value: '-111.5' },
      access_type: { value: 'consumer_state_store' },
    },
  },
  inventory: (inventoryRecipe({ scope: 'stores' }) as { inventory: object }).inventory,
  curation: { categories: [] },
};

type Row = Readonly<Record<string, string>>;

/** The files of a day, with other values in some rows. */
function filesOf(price: string, changed: { catalog?: Row; stock?: Row; stores?: Row } = {}) {
  const stores = Array.from({ length: 100 }, (_, index) => String(index + 1).padStart(4, '0'));
  return {
    'catalog.csv': [
      'Code,Name,Price,Status',
      ...skus.map((sku) => changed.catalog?.[sku] ?? `${sku},N ${sku},${price},G`),
      '',
    ].join('\n'),
    'stores.csv': [
      'Code,Name,Street,City,Lat',
      ...stores.map((code) => changed.stores?.[code] ?? `${code},S ${code},1 Elm,Tarn,40.5`),
      '',
    ].join('\n'),
    'stock.csv': [
      'Code,Store,Qty',
      ...skus.map((sku) => changed.stock?.[sku] ?? `${sku},0001,${price.length}`),
      '',
    ].join('\n'),
  };
}

test('rows with faults are set aside by publish, which keeps what it knew of them', async () => {
  const first = await importOf(recipe, filesOf('5.00'));
  const faulty = {
    catalog: { '000003': '000003,N,call,G', '000007': '000007,N 000007,15.00,X' },
    stock: { '000011': '000011,0001,many' },
    stores: { '0009': '0009,S 0009,1 Elm,Tarn,north' },
  };
  const second = filesOf('15.00', faulty);
  expect((await importOf(recipe, second)).lines).toHaveLength(4);
  const later = { quarantine: true, publishedAt: '2025-03-04T22:00:00Z', retrievedAt: '2025-03-04T18:00:00Z' };
  const { folder, summary, lines } = await importOf(recipe, second, Object.keys(second), later);
  expect(lines).toEqual([]);
  expect(summary).toMatchObject({
    products: 198,
    stores: 99,
    set_aside: [
      { part: 'products', rows: 2 },
      { part: 'stores', rows: 1 },
      { part: 'inventory', rows: 1 },
    ],
  });
  expect(summary?.notices).toContain("catalog.csv Price: row 4: expected a price like $12.99, got 'call'");

  const connection = openForPublishing(join(folder, 'publication.sqlite'));
  onTestFinished(() => void connection.close());
  await publishSnapshot(connection, join(first.folder, 'out/snapshot'), { quarantine: false });
  const snapshot = join(folder, 'out/snapshot');
  const accept = guardNames;
  await expect(publishSnapshot(connection, snapshot, { quarantine: false, accept })).rejects.toThrow();
  await publishSnapshot(connection, snapshot, { quarantine: true, accept });
  const all = <Row>(sql: string) => connection.prepare<[], Row>(sql).all();
  expect(
    all(`SELECT sku, price_minor, lifecycle, catalog_presence FROM product JOIN product_version USING (product)
      WHERE last_publication IS NULL AND sku IN ('000002', '000003', '000007') ORDER BY sku`),
  ).toEqual([
    { sku: '000002', price_minor: 1500, lifecycle: 'active', catalog_presence: 'listed' },
    { sku: '000003', price_minor: 500, lifecycle: 'active', catalog_presence: 'listed' },
    { sku: '000007', price_minor: 500, lifecycle: 'active', catalog_presence: 'listed' },
  ]);
  expect(
    all(`SELECT sku, max(publication) AS asked FROM retrieval JOIN product USING (product)
      WHERE sku IN ('000010', '000011') GROUP BY sku ORDER BY sku`),
  ).toEqual([
    { sku: '000010', asked: 2 },
    { sku: '000011', asked: 1 },
  ]);
  expect(
    all(`SELECT latitude, presence_state FROM store_version
      WHERE last_publication IS NULL AND inventory_store_code = '0009'`),
  ).toEqual([{ latitude: 40.5, presence_state: 'present' }]);
  expect(
    all<{ text: string }>('SELECT text FROM quarantined_row')
      .map(({ text }) => text)
      .join(),
  ).toContain("expected a price like $12.99, got 'call'");
});

test.each([
  [
    'more than one row in a hundred',
    { catalog: Object.fromEntries(skus.slice(0, 3).map((sku) => [sku, `${sku},N,call,G`])) },
    'products.ndjson: expected at most 1 % of the lines to set aside, got 3 of 200',
  ],
  [
    'a row without a code',
    { catalog: { '000003': ',N,call,G' } },
    'catalog.csv Price: row 4: expected a price like $12.99',
  ],
  [
    'a row of a product that came before',
    { catalog: { '000003': '000002,N,call,G' } },
    'catalog.csv Price: row 4: expected a price like $12.99',
  ],
])('%s is refused all the same', async (_, changed, message) => {
  const files = filesOf('5.00', changed);
  const { lines } = await importOf(recipe, files, Object.keys(files), { quarantine: true });
  expect(lines.join('\n')).toContain(message);
});
