import { describe, expect, test } from 'vitest';
import { importOf, inventoryRecipe, productRecipe } from './small-import.ts';

const fields = { sku: { column: 'Code', pad: 6 }, store: { column: 'Store', pad: 4 }, quantity: 'Qty' };
const catalog = { 'catalog.csv': 'Code,Name\n1,a\n2,b\n3,c\n' };

/** A recipe of a catalog and an inventory. */
function bothRecipe(inventory: object) {
  return {
    ...productRecipe(),
    files: { catalog: { match: 'catalog.csv', type: 'csv' }, stock: { match: 'stock.csv', type: 'csv' } },
    inventory: { from: 'stock', fields, scope: 'rows', ...inventory },
  };
}

describe('a row a pair', () => {
  test('is grouped by product, in any order', async () => {
    const { part } = await importOf(inventoryRecipe(), {
      'stock.csv': 'Code,Store,Qty\n2,1,5\n1,113,"1,200"\n2,3,0\n1,2,7.00\n',
    });
    const time = '2025-03-03T18:00:00Z';
    const retrieval = { status: 'succeeded', attempted_at: time, retrieved_at: time, source_updated_at: null };
    expect(part('inventory.ndjson')).toEqual([
      { sku: '000001', ...retrieval, rows: Object.entries({ '0002': 7, '0113': 1200 }) },
      { sku: '000002', ...retrieval, rows: Object.entries({ '0001': 5, '0003': 0 }) },
    ]);
  });

  test('has its time, which is one for each product', async () => {
    const recipe = inventoryRecipe({
      fields: { ...fields, retrieved_at: { column: 'Checked', format: 'M/d/yyyy h:mm a', zone: 'America/Denver' } },
    });
    const head = 'Code,Store,Qty,Checked\n1,1,1,3/3/2025 11:05 AM\n2,1,1,3/3/2025 11:06 AM\n';
    const { part } = await importOf(recipe, { 'stock.csv': head });
    expect(part('inventory.ndjson').map((line) => line.retrieved_at)).toEqual([
      '2025-03-03T18:05:00Z',
      '2025-03-03T18:06:00Z',
    ]);
    const { lines } = await importOf(recipe, { 'stock.csv': `${head}1,2,1,3/3/2025 11:07 AM\n` });
    expect(lines[0]).toBe('stock.csv: row 4: expected one retrieval for each product, got another one than row 2 has');
  });

  test('may say that the retrieval failed', async () => {
    const status = { column: 'Error', if_empty: 'ok', lookup: { ok: 'succeeded' }, otherwise: 'failed' };
    const recipe = inventoryRecipe({ fields: { ...fields, status } });
    const { part } = await importOf(recipe, { 'stock.csv': 'Code,Store,Qty,Error\n1,1,1,\n2,,,timeout\n' });
    expect(part('inventory.ndjson')[1]).toMatchObject({ status: 'failed', retrieved_at: null, rows: [] });
  });

  test('with several faults names them all, and none of a row that is left out', async () => {
    const retrieved_at = { column: 'Checked' };
    const leave_out = [{ not_in: 'products', reason: 'not in the catalog' }];
    const { lines } = await importOf(bothRecipe({ fields: { ...fields, retrieved_at }, leave_out }), {
      ...catalog,
      'stock.csv': 'Code,Store,Qty,Checked\n1,1,few,today\n9,1,many,today\n',
    });
    expect(lines).toEqual([
      expect.stringMatching(/^stock\.csv Checked: row 2: expected .*, got 'today'$/),
      "stock.csv Qty: row 2: expected a whole number like 1,299, got 'few'",
      'recipe.json: nothing was written: 2 faults',
    ]);
  });
});

describe('a column a store', () => {
  const stores = { columns: '^Store (\\d+)$', pad: 4 };
  const wide = { fields: { sku: fields.sku, quantity: { null_when: ['-'] } }, stores };

  test('makes no row of an empty cell, because that is not zero', async () => {
    const { part, summary } = await importOf(inventoryRecipe(wide), {
      'stock.csv': 'Code,Store 1,Store 2,Total\n1,5,,5\n2,0,3,3\n3,-,1,1\n',
    });
    expect(part('inventory.ndjson').map(({ rows }) => Object.fromEntries(rows as [string, number][]))).toEqual([
      { '0001': 5 },
      { '0001': 0, '0002': 3 },
      { '0002': 1 },
    ]);
    expect(summary?.unused_columns).toEqual([{ file: 'stock.csv', columns: ['Total'] }]);
  });

  test('reports a repeated store and a table without stores', async () => {
    const tried = async (text: string) =>
      (await importOf(inventoryRecipe(wide), { 'stock.csv': text })).lines.slice(0, -1);
    expect(await tried('Code,Store 1,Store 01\n1,2,2\n')).toEqual([
      expect.stringContaining(
        'expected one row for each product and store, or "repeated" in the recipe, got 000001 in 0001, ',
      ),
    ]);
    expect(await tried('Code,Store 1,Store 1\n1,1,2\n')).toContain(
      'stock.csv Store 1: expected one column of this name, got several',
    );
    expect(await tried('Code,Shop 1\n1,1\n')).toEqual([
      'stock.csv: expected columns that match ^Store (\\d+)$, got Code, Shop 1',
    ]);
  });
});

describe('what was asked for', () => {
  const stock = { ...catalog, 'stock.csv': 'Code,Store,Qty\n1,1,4\n' };

  test('is the products of the rows, or the whole catalog', async () => {
    const rowsOf = async (inventory: object) => (await importOf(bothRecipe(inventory), stock)).part('inventory.ndjson');
    expect((await rowsOf({})).map(({ sku }) => sku)).toEqual(['000001']);
    const all = await rowsOf({ asked_for: 'catalog' });
    expect(all.map(({ sku, rows }) => [sku, rows])).toEqual([
      ['000001', [['0001', 4]]],
      ['000002', []],
      ['000003', []],
    ]);
  });

  test('is in the scope', async () => {
    const scopeOf = async (scope: unknown) => importOf(bothRecipe({ scope }), stock);
    const { part, summary } = await scopeOf(['0003', '0001']);
    expect(part('inventory.ndjson')).toHaveLength(1);
    expect(summary?.inventory?.stores_without_rows).toEqual(['0003']);
    expect((await scopeOf(['0003'])).lines[0]).toBe(
      "stock.csv Store: row 2: expected a store of the scope, got '0001'",
    );
    expect((await scopeOf('stores')).lines[0]).toBe(
      "recipe.json inventory.scope: expected stores in this import, or a list of store codes, got 'stores'",
    );
  });

  test('is of the catalog, unless the recipe leaves the rest out', async () => {
    const files = { ...catalog, 'stock.csv': 'Code,Store,Qty\n1,1,4\n9,1,4\n8,1,4\n' };
    expect((await importOf(bothRecipe({}), files)).lines[0]).toBe(
      "stock.csv Code: 2 rows (3, 4): expected a product of this import, or a rule in leave_out, got '000009'",
    );
    const { summary } = await importOf(bothRecipe({ leave_out: [{ not_in: 'products', reason: 'gone' }] }), files);
    expect(summary?.left_out).toEqual([{ part: 'inventory', reason: 'gone', rows: 2 }]);
  });
});
