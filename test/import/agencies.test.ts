import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { verifySite } from '../../generator/assembly/verify-site.ts';
import { openForPublishing } from '../../generator/database/database-file.ts';
import { publishSnapshot } from '../../generator/publish/publish.ts';
import { build } from '../units/fixture-series.ts';
import { documentAt } from '../units/site-tree.ts';
import { type Fields, type Imported, importOf, inventoryRecipe, productRecipe, recipeHead } from './small-import.ts';
import { workbook } from './workbook-writer.ts';

const csv = (...rows: readonly string[]) => `${rows.join('\n')}\n`;

/** Publishes and builds what was imported. Returns the site, which is sound. */
async function siteOf({ folder, lines }: Imported): Promise<string> {
  expect(lines).toEqual([]);
  const [database, site] = [join(folder, 'publication.sqlite'), join(folder, 'site')];
  const connection = openForPublishing(database);
  await publishSnapshot(connection, join(folder, 'out/snapshot'), { quarantine: false });
  connection.close();
  await build(database, site);
  expect((await verifySite(site)).faults).toEqual([]);
  return site;
}

const curation = { categories: [] };

/** The part of a recipe with the agency's profile. */
const snapshotOf = (profile?: Fields) => ({ snapshot: { ...(recipeHead.snapshot as object), profile } });

describe('a price list of another country', () => {
  const rows = [
    ['Price list 1.3.2025'],
    ['Subject to change'],
    [],
    ['Number', 'Name', 'Bottle', 'Price', 'Alcohol'],
    [null, null, 'size'],
    ['000113', 'Château Élan Rosé', '0,75 l', '1.299,50', '12,5'],
    ['000114', 'Säntti Kölsch', '0,33 l', '3,49 €', '4,7'],
    ['000115', 'Viña del Ñandú', '1 500 ml', { xml: '<c s="1"><v>21.9</v></c>' }, '13'],
  ];
  const styles =
    '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="#,##0.00\\ [$€-40B]"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>';
  const file = { type: 'xlsx', header_row: [4, 5], ignore: ['Alcohol'] };
  const fields = { sku: 'Number', size_ml: 'Bottle size', price_minor: 'Price' };
  const imported = (more: Fields, profile?: Fields) =>
    importOf(productRecipe(fields, { ...snapshotOf(profile), curation }, { ...file, ...more }), {
      'catalog.xlsx': workbook([{ name: 'List', rows }], { 'xl/styles.xml': styles }),
    });

  test('has decimal commas, a currency and a header below titles', async () => {
    const list = await imported({ decimal: ',' }, { currency: 'EUR', inventory: 'none' });
    const { data } = documentAt<{ data: object }>(await siteOf(list), '/v1/products/by-sku/000113');
    expect(data).toMatchObject({ name: 'Château Élan Rosé', price: { display: '1299.50 EUR' } });
    expect(list.part('products.ndjson').map(({ name, size_ml, price_minor }) => [name, size_ml, price_minor])).toEqual([
      ['Château Élan Rosé', 750, 129_950],
      ['Säntti Kölsch', 330, 349],
      ['Viña del Ñandú', 1500, 2190],
    ]);
  });

  test('is refused where the recipe does not say so', async () => {
    expect((await imported({})).lines).toEqual([
      "catalog.xlsx Bottle size: 3 rows (6, 7, 8): expected a size like 750ML or 1.75 L, got '0,75 l'",
      expect.stringMatching(
        /^catalog\.xlsx Price: row 6: expected a price without three digits after a point, unless /,
      ),
      "catalog.xlsx Price: row 7: expected a price like $12.99, got '3,49 €'",
      "catalog.xlsx Price: row 8: expected a price, not an amount in another currency, got '21.9'",
      '"decimal": "," in files.catalog: tried, and it leaves 2 of the 6 faults of rows',
      'recipe.json: nothing was written: 6 faults of 4 kinds',
    ]);
  });
});

test('a list of a warehouse has codes as formulas, no prices and no stores', async () => {
  const catalog = csv('Code,Brand Name,Size', '="00009",OLD MILL RYE,.75L', '="00113",OLD MILL &amp; SONS,1.75L');
  const replace = [
    ['&amp;', '&'],
    ['SONS', 'Sons'],
  ];
  const list = await importOf(
    productRecipe(
      { source_name: 'Brand Name', name: { column: 'Brand Name', replace }, size_ml: 'Size' },
      { ...snapshotOf({ inventory: 'none' }), curation },
    ),
    { 'catalog.csv': catalog },
  );
  const { part, summary } = list;
  expect(documentAt(await siteOf(list), '/v1/products/by-sku/000009')).toMatchObject({ data: { price: null } });
  expect(part('products.ndjson')).toMatchObject([
    { sku: '000009', size_ml: 750, price_minor: null },
    { sku: '000113', name: 'OLD MILL & Sons', size_ml: 1750, price_minor: null },
  ]);
  expect(summary).toMatchObject({ stores: null, inventory: null });
});

test('a feed of another country has longer codes, facts of its own and stores without a code or a postal code', async () => {
  const profile = {
    currency: 'SEK',
    country: 'SE',
    sku: { pattern: '^[0-9]{7}$', example: '7648301' },
    inventory: 'none',
    product_facts: ['alcohol_by_volume', 'promotion_ends_at'],
  };
  const store = { from: 'stores', fields: { directory_id: 'siteId', name: 'alias', 'address.line1': 'address' } };
  const stores = { ...store, fields: { ...store.fields, 'address.city': 'city', access_type: { value: 'unknown' } } };
  const fields = {
    sku: 'productId',
    source_name: 'name',
    name: 'name',
    price_minor: 'price',
    alcohol_by_volume: 'strength',
    promotion_ends_at: 'until',
  };
  const files = { items: { match: 'items.json', type: 'json' }, stores: { match: 'stores.json', type: 'json' } };
  const recipeOf = (own: Fields) => {
    const { products } = productRecipe(fields) as { products: object };
    return productRecipe({}, { ...snapshotOf(own), files, products: { ...products, from: 'items' }, stores, curation });
  };
  const content = {
    'items.json': JSON.stringify([
      { productId: '7648301', name: 'Brännvin', price: 129.5, strength: 37.5, until: '2026-01-01T00:00:00Z' },
    ]),
    'stores.json': JSON.stringify([{ siteId: 'A-0102', alias: 'Torget', address: 'Storgatan 1', city: 'Örebro' }]),
  };
  const feed = await importOf(recipeOf(profile), content);
  const { part } = feed;
  expect(documentAt(await siteOf(feed), '/v1/products/by-sku/7648301')).toMatchObject({
    data: { price: { display: '129.50 SEK' }, facts: { alcohol_by_volume: 37.5 } },
  });
  expect(part('products.ndjson')).toMatchObject([
    { sku: '7648301', price_minor: 12_950, alcohol_by_volume: 37.5, promotion_ends_at: '2026-01-01T00:00:00Z' },
  ]);
  expect(part('stores.ndjson')).toMatchObject([
    { inventory_store_code: null, directory_id: 'A-0102', address: { region: null, postal_code: null } },
  ]);
  expect((await importOf(recipeOf({ ...profile, product_facts: ['alcohol_by_volume'] }), content)).lines[0]).toBe(
    "recipe.json products.fields.promotion_ends_at: expected a fact of snapshot.profile.product_facts, got 'promotion_ends_at'",
  );
});

test('a stock of the whole state has neither stores nor a scope', async () => {
  const { store: _, ...rules } = { sku: 'Code', store: 'Store', quantity: 'Qty' };
  const own = snapshotOf({ inventory: 'statewide', sku: { pattern: '^[0-9]{3,6}$', example: '14737' } });
  const stock = csv('Code,Qty', '14737,348', '113,0', '113,0');
  const { part, summary, folder } = await importOf(inventoryRecipe({ fields: rules, scope: undefined }, own), {
    'stock.csv': stock,
  });
  expect(part('inventory.ndjson')).toMatchObject([
    { sku: '113', quantity: 0 },
    { sku: '14737', quantity: 348 },
  ]);
  expect(summary?.inventory).toMatchObject({ retrievals: 2, stores: null });
  expect(existsSync(join(folder, 'out/snapshot/inventory_scope.json'))).toBe(false);
  const refused = async (inventory: Fields, profile?: Fields) =>
    (await importOf(inventoryRecipe({ fields: rules, ...inventory }, profile), { 'stock.csv': stock })).lines;
  expect((await refused({}, own))[0]).toBe('recipe.json inventory: expected no stores, as the profile says, got some');
  expect(await refused({ scope: undefined })).toContain(
    'recipe.json inventory.scope: expected "stores", "rows" or a list of store codes, got none',
  );
});

describe('rows that repeat others', () => {
  const rows = csv('Code,Name,Sale', '1,a,', '2,b,', '1,a,3.99', '2,c,');
  const imported = (repeated?: string) =>
    importOf(productRecipe({}, { products: { ...(productRecipe().products as object), repeated } }), {
      'catalog.csv': rows,
    });

  test('in all columns that the recipe uses are one row; it says what becomes of others', async () => {
    expect((await imported()).lines[0]).toBe(
      `catalog.csv Code: row 5: expected one row for each sku, or "repeated" in the recipe, got '000002', which row 3 has too`,
    );
    for (const [repeated, name, reason] of [
      ['first', 'b', 'another row of the same key comes before it'],
      ['last', 'c', 'another row of the same key comes after it'],
    ] as const) {
      const { part, summary } = await imported(repeated);
      expect(part('products.ndjson').map((product) => product.name)).toEqual(['a', name]);
      expect(summary?.left_out).toEqual([
        { part: 'products', reason: 'the same as another row', rows: 1 },
        { part: 'products', reason, rows: 1 },
      ]);
    }
  });

  test('may be of an inventory, or stores', async () => {
    const stock = csv('Code,Store,Qty', '1,1,5', '1,1,5', '1,2,5', '1,2,6');
    const inventory = await importOf(inventoryRecipe({ repeated: 'last' }), { 'stock.csv': stock });
    expect(inventory.part('inventory.ndjson').map((line) => line.rows)).toEqual([
      Object.entries({ '0001': 5, '0002': 6 }),
    ]);
    expect(inventory.summary?.inventory).toMatchObject({ rows: 2 });
    const fields = {
      inventory_store_code: { column: 'Store', pad: 4 },
      directory_id: 'Id',
      name: 'Name',
      'address.line1': 'Name',
      'address.city': 'Name',
      'address.region': 'Name',
      'address.postal_code': 'Name',
      access_type: { value: 'unknown' },
    };
    const storesOf = async (repeated: string, ...lines: readonly string[]) => {
      const files = { stores: { match: 'stores.csv', type: 'csv' } };
      const recipe = { ...productRecipe(), files, products: undefined, stores: { from: 'stores', fields, repeated } };
      return importOf(recipe, { 'stores.csv': csv('Store,Id,Name', ...lines) });
    };
    const twice = ['1,x,A', '1,x,A', '2,y,B', '2,z,C'];
    expect((await storesOf('first', ...twice)).part('stores.ndjson').map(({ name }) => name)).toEqual(['A', 'B']);
    expect((await storesOf('last', ...twice)).part('stores.ndjson').map(({ name }) => name)).toEqual(['A', 'C']);
    expect((await storesOf('refuse', ...twice)).lines[0]).toContain(
      'stores.csv Store: row 5: expected a value of its own',
    );
    expect((await storesOf('last', '1,x,A', '2,x,B')).lines[0]).toContain(
      'stores.csv Id: row 3: expected a value of its own',
    );
  });
});

describe('sizes', () => {
  const inSize = {
    size_of: { value: 'container' },
    pack_count: { column: 'Size', extract: '^(\\d+) ?(?:x|/|PK-)', otherwise: '1' },
    size_ml: { column: 'Size', extract: '^\\d+ ?(?:x|/|PK-) ?(.+?)(?: CAN)?$|^([\\d.]+ ?\\p{L}+)$' },
  };
  const inColumns = { size_of: 'Of', pack_count: 'Pack', size_ml: 'Size' };
  const imported = (fields: Fields, row: string) =>
    importOf(productRecipe(fields), { 'catalog.csv': csv('Code,Name,Size,Pack,Of', `1,n,${row}`) });

  test.each([
    ['24 x 355 ml,,', inSize, [24, 355, 'container']],
    ['6/355ML,,', inSize, [6, 355, 'container']],
    ['12PK-12OZ CAN,,', inSize, [12, 355, 'container']],
    ['4 x 187.5 ml,,', inSize, [4, 187.5, 'container']],
    ['1.75L,,', inSize, [1, 1750, 'container']],
    ['8520ml,24,package', inColumns, [24, 8520, 'package']],
    ['750ml,,', inColumns, [null, 750, null]],
  ])('say how many containers have which size: %s', async (row, fields, expected) => {
    const [product] = (await imported(fields, row)).part('products.ndjson');
    expect([product?.pack_count, product?.size_ml, product?.size_of ?? null]).toEqual(expected);
  });

  test('of one container need their count', async () => {
    expect((await imported(inColumns, '750ml,,container')).lines[0]).toBe(
      'catalog.csv Pack: row 2: expected a count of containers, because the size is that of one, got nothing',
    );
  });
});
