import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { draftRecipe, guessFields, guessPart } from '../../generator/import/draft/draft.ts';
import { recipe } from '../../generator/import/recipe/recipe.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { importOf } from './small-import.ts';

const folder = temporaryFolder();
afterAll(() => removeFolder(folder));

function filesOf(name: string): string[] {
  const own = join('fixtures/imports', name);
  return readdirSync(own)
    .filter((file) => !/recipe|curation/.test(file))
    .map((file) => join(own, file));
}

describe('a draft for the fixtures', () => {
  test.each([
    ['csv', 7, { 'catalog.csv': ['UPC'], 'stores.csv': ['Wine', 'Curbside'] }],
    ['price-book', 6, { 'price-book.xlsx': ['Case Pack', 'Vendor', 'Total'] }],
    ['feed', 5, { 'feed.json': ['label', 'inventory.error'], 'stores.ndjson': ['amenities'] }],
  ])('%s is a recipe that needs few decisions', async (name, most, unplaced) => {
    const draft = await draftRecipe(filesOf(name));
    expect(recipe.safeParse(draft.recipe).error).toBeUndefined();
    expect([draft.recipe.products, draft.recipe.stores, draft.recipe.inventory].includes(undefined)).toBe(false);
    expect(draft.undecided).toBeLessThanOrEqual(most);
    const columnsOf = (file: string) => draft.unplaced.flatMap((one) => (one.file === file ? one.columns : []));
    for (const [file, columns] of Object.entries(unplaced)) expect(columnsOf(file)).toEqual(columns);
  });

  test('imports once its decisions are made', async () => {
    const { recipe: drafted } = await draftRecipe(filesOf('csv'));
    const decided = JSON.stringify(drafted)
      .replace('"zone":"FILL IN"', '"zone":"America/Denver"')
      .replace('"Store":"FILL IN"', '"Store":"consumer_state_store"')
      .replace('"Agency":"FILL IN"', '"Agency":"package_agency"')
      .replaceAll('"FILL IN"', '"active"')
      .replace('"phone":"Phone"', '"phone":{"column":"Phone","null_when":["N/A"]}');
    const files = Object.fromEntries(filesOf('csv').map((file) => [file.split('/').at(-1) ?? '', readFileSync(file)]));
    const { summary, lines } = await importOf(JSON.parse(decided), files);
    expect(lines).toEqual([]);
    expect(summary).toMatchObject({ products: 10, stores: 4, inventory: { rows: 31 } });
  });
});

describe('guesses', () => {
  test('know the spellings of headers', () => {
    expect(guessPart(['ITEM_CODE', 'itemDescription', 'Current Retail'])).toBe('products');
    expect(guessPart(['SKU', 'Store #', 'Qty On Hand'])).toBe('inventory');
    expect(guessPart(['SKU', '0001', '0002', '0113'])).toBe('inventory');
    expect(guessPart(['a', 'b'])).toBeNull();
    expect(
      Object.fromEntries(guessFields('products', ['CSC', 'Description', 'Retail Price', 'Item Status', 'Class Name'])),
    ).toEqual({
      sku: 'CSC',
      source_name: 'Description',
      price_minor: 'Retail Price',
      status_code: 'Item Status',
      category_id: 'Class Name',
    });
  });

  const writtenTo = (name: string, content: string) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const draftOf = (name: string, content: string) => draftRecipe([writtenTo(name, content)]);

  test('need neither prices nor stores, nor codes of six and four digits', async () => {
    const csv = 'Code,Brand Name,Total Available\n="00009",Old Mill,7\n';
    const { recipe: drafted } = await draftOf('warehouse.csv', csv);
    expect(drafted.products?.fields).toMatchObject({ sku: { column: 'Code', pad: 6 }, source_name: 'Brand Name' });
    expect(drafted.snapshot.profile).toEqual({ inventory: 'statewide' });
    expect(drafted.inventory).toMatchObject({ fields: { quantity: 'Total Available' } });
    const long = '[{"productId":"7648301","productNameBold":"Brännvin","price":129.5}]';
    const { products, snapshot } = (await draftOf('items.json', long)).recipe;
    const sku = { pattern: '^[0-9]{1,7}$', example: '7648301' };
    expect([products?.fields.sku, snapshot.profile]).toEqual(['productId', { sku, inventory: 'none' }]);
    const shops = '[{"siteId":"Q-0102","displayName":"Torget","address":"Storgatan 1","city":"Örebro"}]';
    const { fields } = (await draftOf('shops.json', shops)).recipe.stores ?? {};
    expect(fields).toMatchObject({ directory_id: 'siteId', 'address.city': 'city' });
    expect(fields).not.toHaveProperty('inventory_store_code');
  });

  test('that fit no part are an error with the columns and the reasons', async () => {
    const { code, stdout, stderr } = await runInProcess(
      'import',
      '--draft',
      writtenTo('x.csv', 'Numero,Hinta\n1,2\n'),
      writtenTo('y.csv', '1\n2\n'),
    );
    expect([code, stdout, stderr.split('\n')]).toEqual([
      1,
      '',
      [
        'x.csv: no part has columns like Numero, Hinta: products lack sku and source_name or price_minor; stores lack address.line1 or address.city; inventory lack sku and store and quantity',
        'y.csv: none of the first rows looks like a header, with two texts at least',
        expect.stringMatching(
          /^shelfpress: expected a file with columns of products, stores or an inventory, got none;/,
        ),
        '',
      ],
    ]);
  });

  test('see encoding, delimiter and the row of the header', async () => {
    const file = join(folder, 'prices-2025-03.csv');
    writeFileSync(file, Buffer.from('Price book\n\nItem;Description;Retail\n1;Café;1.00\n', 'latin1'));
    const { recipe: drafted } = await draftRecipe([file]);
    expect(drafted.files).toEqual({
      products: { match: 'prices-*.csv', type: 'csv', encoding: 'windows-1252', delimiter: ';', header_row: 3 },
    });
  });
});
