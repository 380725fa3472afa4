import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Fields, importOf, inventoryRecipe, productRecipe } from './small-import.ts';
import { workbook } from './workbook-writer.ts';

const csv = (...rows: readonly string[]) => `${rows.join('\n')}\n`;

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
  const imported = (more: Fields) =>
    importOf(productRecipe(fields, {}, { ...file, ...more }), {
      'catalog.xlsx': workbook([{ name: 'List', rows }], { 'xl/styles.xml': styles }),
    });

  test('has decimal commas, a currency and a header below titles', async () => {
    const { part, lines } = await imported({ decimal: ',', currency: 'EUR' });
    expect(lines).toEqual([]);
    expect(part('products.ndjson').map(({ name, size_ml, price_minor }) => [name, size_ml, price_minor])).toEqual([
      ['Château Élan Rosé', 750, 129_950],
      ['Säntti Kölsch', 330, 349],
      ['Viña del Ñandú', 1500, 2190],
    ]);
  });

  test('is refused where the recipe does not say so', async () => {
    expect((await imported({})).lines).toEqual([
      'catalog.xlsx Bottle size: 2 rows, first 6, 7: expected a size like 750ML or 1.75 L, or "decimal": "," in the recipe, got \'0,75 l\'',
      expect.stringMatching(
        /^catalog\.xlsx Price: row 6: expected a price without three digits after a point, unless /,
      ),
      'catalog.xlsx Price: row 7: expected a price like $12.99, or "decimal": "," in the recipe, got \'3,49 €\'',
      "catalog.xlsx Bottle size: row 8: expected a size like 750ML or 1.75 L, got '1 500 ml'",
      "catalog.xlsx Price: row 8: expected a price, not an amount in another currency, got '21.9'",
      'recipe.json: nothing was written: 6 faults of 5 kinds',
    ]);
  });
});

test('a list of a warehouse has codes as formulas, no prices and no stores', async () => {
  const catalog = csv('Code,Brand Name,Size', '="00009",OLD MILL RYE,.75L', '="00113",OLD MILL &amp; SONS,1.75L');
  const replace = [
    ['&amp;', '&'],
    ['SONS', 'Sons'],
  ];
  const { part, summary } = await importOf(
    productRecipe({ source_name: 'Brand Name', name: { column: 'Brand Name', replace }, size_ml: 'Size' }),
    { 'catalog.csv': catalog },
  );
  expect(part('products.ndjson')).toMatchObject([
    { sku: '000009', size_ml: 750, price_minor: null },
    { sku: '000113', name: 'OLD MILL & Sons', size_ml: 1750, price_minor: null },
  ]);
  expect(summary).toMatchObject({ stores: null, inventory: null });
});

test('stores may have neither a code, a postal code nor a region', async () => {
  const recipe = {
    ...productRecipe(),
    files: { stores: { match: 'stores.json', type: 'json' } },
    products: undefined,
    stores: {
      from: 'stores',
      fields: {
        directory_id: 'siteId',
        name: 'alias',
        'address.line1': 'address',
        'address.city': 'city',
        access_type: { value: 'consumer_state_store' },
      },
    },
  };
  const stores = [{ siteId: 'A-0102', alias: 'Torget', address: 'Storgatan 1', city: 'Örebro' }];
  const { part, lines } = await importOf(recipe, { 'stores.json': JSON.stringify(stores) });
  expect(lines).toEqual([]);
  expect(part('stores.ndjson')).toMatchObject([
    { inventory_store_code: null, directory_id: 'A-0102', address: { region: '', postal_code: '' } },
  ]);
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

describe('packages', () => {
  const curation = { categories: [] };
  const packagesOf = async (size_of: string | undefined, fields: Fields, ...rows: readonly string[]) => {
    const products = { ...(productRecipe(fields).products as object), size_of };
    const { folder, lines } = await importOf(productRecipe({}, { products, curation }), {
      'catalog.csv': csv('Code,Name,Size,Pack', ...rows.map((row, index) => `${index + 1},n,${row}`)),
    });
    if (lines.length > 0) return lines;
    return JSON.parse(readFileSync(join(folder, 'out/snapshot/curation.json'), 'utf8')).products;
  };
  const inSize = {
    pack_count: { column: 'Size', extract: '^(\\d+) ?(?:x|/|PK-)', otherwise: '1' },
    size_ml: { column: 'Size', extract: '^\\d+ ?(?:x|/|PK-) ?(.+?)(?: CAN)?$|^([\\d.]+ ?\\p{L}+)$' },
  };
  const inColumns = { pack_count: 'Pack', size_ml: 'Size' };

  test.each([
    ['container', '24 x 355 ml,', inSize, [24, 355, 8520, '24 x 355 mL', 'multi_container', 'normalized']],
    ['container', '6/355ML,', inSize, [6, 355, 2130, '6 x 355 mL', 'multi_container', 'normalized']],
    ['container', '12PK-12OZ CAN,', inSize, [12, 355, 4260, '12 x 355 mL', 'multi_container', 'normalized']],
    ['container', '4 x 187.5 ml,', inSize, [4, 188, 750, '4 x 187.5 mL', 'multi_container', 'normalized']],
    ['container', '1.75L,', inSize, [1, 1750, 1750, '1.75 L', 'single_container', 'normalized']],
    ['package', '8520ml,24', inColumns, [24, 355, 8520, '24 x 355 mL', 'multi_container', 'normalized']],
    ['package', '72 oz,6', inColumns, [6, null, 2129, '6 pack, 2.129 L', 'multi_container', 'normalized']],
    ['package', '750ml,', inColumns, [null, null, 750, '750 mL', 'ambiguous', 'normalized']],
    ['container', ',6', inColumns, [6, null, null, '6 pack', 'ambiguous', 'unconfirmed']],
  ])('the size is of one %s: %s', async (of, row, fields, expected) => {
    const [{ package: found }] = await packagesOf(of, fields, row);
    const { container_count, unit_milliliters, total_milliliters, display, interpretation, normalization_state } =
      found;
    expect([
      container_count,
      unit_milliliters,
      total_milliliters,
      display,
      interpretation,
      normalization_state,
    ]).toEqual(expected);
  });

  test('are of products with a size, and only where the recipe says of what it is', async () => {
    expect(await packagesOf('container', inColumns, ',', '750ml,1')).toMatchObject([{ sku: '000002' }]);
    expect(await packagesOf(undefined, inColumns, '750ml,1')).toEqual([]);
    expect((await packagesOf('container', inColumns, '750ml,'))[0]).toBe(
      'catalog.csv Pack: row 2: expected a count of containers, because the size is that of one, got nothing',
    );
  });

  test('stay those of a reviewed curation, and are missing without one', async () => {
    const products = { ...(productRecipe(inColumns).products as object), size_of: 'container' };
    const files = { 'catalog.csv': csv('Code,Name,Size,Pack', '1,a,750ml,6', '2,b,750ml,6') };
    expect((await importOf(productRecipe({}, { products }), files)).lines[0]).toBe(
      'recipe.json curation: expected categories or a file, because "size_of" adds packages to them, got none',
    );
    const entry = { brand: null, family: null, relationship_type: null, vintage_year: 1999, age_statement: null };
    const reviewed = { container_count: 1, unit_milliliters: 700, total_milliliters: 700, display: '70 cL' };
    const states = { interpretation: 'single_container', basis: 'none', normalization_state: 'normalized' };
    const lists = { categories: [], brands: [], families: [], sku_history: [] };
    const own = { ...lists, products: [{ sku: '000002', ...entry, package: { ...reviewed, ...states } }] };
    const recipe = productRecipe({}, { products, curation: { file: 'curation.json' } });
    const { folder } = await importOf(recipe, { ...files, 'curation.json': JSON.stringify(own) }, ['catalog.csv']);
    const written = JSON.parse(readFileSync(join(folder, 'out/snapshot/curation.json'), 'utf8'));
    expect(written.products).toMatchObject([
      { sku: '000002', vintage_year: 1999, package: { display: '70 cL' } },
      { sku: '000001', vintage_year: null, package: { display: '6 x 750 mL' } },
    ]);
  });
});
