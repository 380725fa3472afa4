import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { importFiles } from '../../generator/import/import.ts';
import { check, type Fields, importOf, inventoryRecipe, productRecipe, recipeHead, times } from './small-import.ts';

const sound = 'Code,Name,Retail\n1204,Wrenmoor,$28.99\n';
const priced = productRecipe({ price_minor: 'Retail' });
const stockFields = { sku: { column: 'Code', pad: 6 }, store: { column: 'Store', pad: 4 }, quantity: 'Qty' };

/** Why an import of one file fails, without the line that counts the faults. */
async function faultsOf(recipe: Fields, content: string, file = 'catalog.csv'): Promise<readonly string[]> {
  return (await importOf(recipe, { [file]: content })).lines.slice(0, -1);
}

describe('faults of rows', () => {
  test('are grouped by column and kind, with their first rows as a spreadsheet counts them', async () => {
    const rows = '1,"a\nb",call|2,b,call||3,c,5|4,d,n/a|5,e,-|6.03E+05,f,1|1234567,g,1|,h,1|3,i,1'.replaceAll(
      '|',
      '\r\n',
    );
    const { lines } = await importOf(priced, { 'catalog.csv': `\uFEFFCode,Name,Retail\r\n${rows}\r\n,,\r\n` });
    expect(lines).toEqual([
      "catalog.csv Retail: 4 rows (2, 3, 6, …): expected a price like $12.99, got 'call'",
      "catalog.csv Code: row 8: expected a code of digits, not a number in scientific notation, got '6.03E+05'",
      "catalog.csv Code: 2 rows (9, 10): expected six digits, got '1234567'",
      'catalog.csv Code: row 11: expected one row for each sku, or "repeated" in the recipe, got \'000003\', which row 5 has too',
      '"null_when": ["call","n/a","-"] in products.fields.price_minor, if they mean none: tried, and it leaves 4 of the 8 faults of rows',
      'recipe.json: nothing was written: 8 faults of 4 kinds',
    ]);
  });

  test('count once for a cell that two parts of the snapshot read', async () => {
    const { products } = productRecipe({ sku: 'Code' });
    const one = inventoryRecipe(
      { fields: { ...stockFields, sku: 'Code' } },
      { products: { ...(products as object), from: 'stock' } },
    );
    expect(await faultsOf(one, 'Code,Name,Store,Qty\n000001,A,1,4\n2,B,1,3\n3,C,1,2\n', 'stock.csv')).toEqual([
      'stock.csv Code: 2 rows (3, 4): expected six digits ("pad": 6 in the recipe adds lost zeros), got \'2\'',
    ]);
    expect(await faultsOf(one, 'Kode,Name,Store,Qty\n000001,A,1,4\n', 'stock.csv')).toEqual([
      'stock.csv Code: expected a column of this name, got Kode, Name, Store, Qty',
    ]);
  });

  test('are few in memory and on the screen, however many there are, and cannot steer a terminal', async () => {
    const rows = Array.from({ length: 20_000 }, (_, index) => `${index},n,free ${index}\u001b[2J\n`);
    const { lines } = await importOf(priced, { 'catalog.csv': `Code,Name,Retail\n${rows.join('')}` });
    expect(lines).toEqual([
      "catalog.csv Retail: 20,000 rows (2, 3, 4, …): expected a price like $12.99, got 'free 0\\u{1b}[2J'",
      'recipe.json: nothing was written: 20,000 faults of 1 kind',
    ]);
  });
});

describe('one round', () => {
  test('has what is to be decided, what the recipe gets wrong, and the rows that do not fit it', async () => {
    const { snapshot } = recipeHead as { snapshot: object };
    const recipe = productRecipe(
      {
        price_minor: 'Retail',
        size_ml: 'Sise',
        pack_count: { column: 'Pack' },
        category_id: { column: 'Kind', lookup: 'kinds' },
        lifecycle: { value: 'FILL IN: active, discontinued' },
      },
      { snapshot: { ...snapshot, profile: { time_zone: 'FILL IN' } } },
    );
    const rows = 'Code,Name,Retail,Pack,Kind,Size\n1,a,call,1,x,1\n2,b,1.00,six,x,1\n3,c,2.00,1,x,1\n';
    expect(await faultsOf(recipe, rows)).toEqual([
      "recipe.json snapshot.profile.time_zone: expected a decision, got 'FILL IN'",
      "recipe.json products.fields.lifecycle.value: expected a decision, got 'FILL IN: active, discontinued'",
      "recipe.json products.fields.category_id.lookup: expected a name in lookups, got 'kinds'",
      'catalog.csv Sise: expected a column of this name, got Code, Name, Retail, Pack, Kind, Size',
      "catalog.csv Retail: row 2: expected a price like $12.99, got 'call'",
      "catalog.csv Pack: row 3: expected a whole number like 1,299, got 'six'",
    ]);
  });

  test('reads no prices while the currency is to be decided, and no rows without their codes', async () => {
    const { snapshot } = recipeHead as { snapshot: object };
    const open = productRecipe(
      { price_minor: 'Retail', pack_count: 'Pack' },
      { snapshot: { ...snapshot, profile: { currency: 'FILL IN' } } },
    );
    const rows = 'Code,Name,Retail,Pack\n1,a,call,six\n';
    expect(await faultsOf(open, rows)).toEqual([
      "recipe.json snapshot.profile.currency: expected a decision, got 'FILL IN'",
      "catalog.csv Pack: row 2: expected a whole number like 1,299, got 'six'",
    ]);
    const keyless = productRecipe({ sku: { column: 'FILL IN' }, pack_count: 'Pack' });
    expect(await faultsOf(keyless, rows)).toEqual([
      "recipe.json products.fields.sku.column: expected a decision, got 'FILL IN'",
    ]);
  });
});

describe('columns', () => {
  test('that the recipe names and a file lacks are named, with those that it has', async () => {
    const recipe = productRecipe({ price_minor: 'Retail', size_ml: 'Size' });
    expect(await faultsOf(recipe, 'Code,Name,Retail price\n1,n,1\n')).toEqual([
      'catalog.csv Retail: expected a column of this name, got Code, Name, Retail price',
      'catalog.csv Size: expected a column of this name, got Code, Name, Retail price',
    ]);
  });

  test('of one name twice are refused, unless the recipe says which', async () => {
    const header = 'Code,Name,Price,Price';
    expect(await faultsOf(productRecipe({ price_minor: 'Price' }), `${header}\n1,n,1.00,2.00\n`)).toEqual([
      "catalog.csv Price: expected one column of this name, got 2: write 'Price (1)' for the first",
    ]);
    const ambiguous = `${header},Price (1)\n1,n,1.00,2.00,3.00\n`;
    expect((await faultsOf(productRecipe({ price_minor: 'Price (1)' }), ambiguous))[0]).toContain('got 2');
    const { part } = await importOf(productRecipe({ price_minor: 'Price (2)' }), { 'catalog.csv': ambiguous });
    expect(part('products.ndjson')).toMatchObject([{ price_minor: 200 }]);
  });

  test('more than the header has are a comma that is not in quotes', async () => {
    expect(await faultsOf(productRecipe(), 'Code,Name\n1,Cider, dry\n2,b\n')).toEqual([
      'catalog.csv: row 2: expected at most 2 columns, as the header has, got 3',
    ]);
    expect(await faultsOf(productRecipe(), 'Code,Name\n1,a,,\n2,b,,\n3,c\n')).toEqual([]);
    const content = 'Code,Store,Qty,Notes\n1,1,7,\n2,1,1,299,\n3,1,2,500,\n';
    expect(await faultsOf(inventoryRecipe({}, {}, { ignore: ['Notes'] }), content, 'stock.csv')).toEqual([
      'stock.csv: 2 rows (3, 4): expected at most 4 values, as the first row has, got 5',
    ]);
  });

  test('without a name in the header have no values, unless the recipe ignores them', async () => {
    const files = { 'stock.csv': 'Code,Store,Qty,\n1,1,1,299\n2,1,5,\n' };
    expect((await importOf(inventoryRecipe(), files)).lines[0]).toBe(
      `stock.csv: row 2: expected a name for column D in the header, or "D" in "ignore", got '299'`,
    );
    const { part } = await importOf(inventoryRecipe({}, {}, { ignore: ['D'] }), files);
    expect(part('inventory.ndjson').map(({ rows }) => rows)).toEqual([[['0001', 1]], [['0001', 5]]]);
  });

  test('and lookup entries without use are listed', async () => {
    const { summary } = await importOf(
      productRecipe({ lifecycle: { column: 'Status', lookup: { G: 'active', X: 'discontinued' } } }),
      { 'catalog.csv': 'Code,Name,Status,UPC,Vendor\n1,n,G,1,v\n' },
    );
    expect(summary).toMatchObject({
      unused_columns: [{ file: 'catalog.csv', columns: ['UPC', 'Vendor'] }],
      unused_lookups: [{ lookup: 'products.fields.lifecycle.lookup', entries: ['X'] }],
    });
  });

  test('are letters also where the first rows have fewer', async () => {
    const letters = { sku: { column: 'A', pad: 6 }, source_name: 'B', name: 'B', price_minor: 'C' };
    const base = productRecipe(letters, {}, { header_row: null });
    const leave_out = [{ column: 'A', matches: '^Price', reason: 'a title' }];
    const recipe = { ...base, products: { ...(base.products as object), leave_out } };
    const rows = 'Price book\n1,Cider\n2,Stout,4.50\n';
    const { part, summary } = await importOf(recipe, { 'catalog.csv': rows });
    expect(part('products.ndjson')).toMatchObject([{ price_minor: null }, { price_minor: 450 }]);
    expect(summary?.notices).toEqual([
      'catalog.csv: row 2: expected a value in every column, empty or not, got 2 of at least 3',
    ]);
    expect((await importOf(recipe, { 'catalog.csv': `${rows}3,Ale, dark,3.50\n` })).lines[0]).toBe(
      'catalog.csv: row 4: expected at most 3 columns, as the recipe and the first row have, got 4',
    );
  });
});

describe('a recipe', () => {
  const files = { 'catalog.csv': sound };

  const { fields } = productRecipe().products as { fields: object };
  const idle = [
    { column: 'Name', reason: 'x' },
    { not_in: 'products', reason: 'x' },
  ];

  test.each([
    [
      'with unknown keys',
      productRecipe({ sku: { column: 'Code', padd: 6 } }, { product: {} }),
      [
        'recipe.json products.fields.sku.padd: expected a key that a recipe has here, got "padd"',
        'recipe.json product: expected a key that a recipe has here, got "product"',
      ],
    ],
    [
      'without required fields',
      productRecipe({ sku: null, lifecycle: null, colour: 'Name', name: { column: 'Name', value: 'x' } }),
      [
        'recipe.json products.fields.name: expected one of column, join and value, got 2 of them',
        expect.stringMatching(/^recipe\.json products\.fields\.colour: expected one of sku, .*, got 'colour'$/),
        'recipe.json products.fields: expected a rule for sku (a SKU; `pad` adds lost zeros), got none',
        expect.stringMatching(/^recipe\.json products\.fields: expected a rule for lifecycle \(.*\), got none$/),
      ],
    ],
    [
      'with keys that would have no effect',
      productRecipe({}, { products: { from: 'catalog', fields, leave_out: idle } }, { sheet: 'A', records: '/a' }),
      [
        'recipe.json files.catalog.sheet: expected no such key for csv, got "A"',
        'recipe.json files.catalog.records: expected no such key for csv, got "/a"',
        'recipe.json products.leave_out[0]: expected one of equals, matches and empty, got {"column":"Name","reason":"x"}',
        'recipe.json products.leave_out[1].column: expected a string, got nothing',
        'recipe.json products.leave_out[1].not_in: expected a key that a recipe has here, got "not_in"',
      ],
    ],
    [
      'that is drafted and not filled in',
      productRecipe({ sku: { column: 'FILL IN' }, lifecycle: { column: 'Name', lookup: { G: 'FILL IN' } } }),
      [
        "recipe.json products.fields.sku.column: expected a decision, got 'FILL IN'",
        "recipe.json products.fields.lifecycle.lookup: expected a decision, got 'FILL IN'",
      ],
    ],
    [
      'that is drafted and has other faults too',
      productRecipe({ sku: { column: 'Code', pad: 'FILL IN' } }, {}, { sheet: 'A' }),
      [
        "recipe.json products.fields.sku.pad: expected a decision, got 'FILL IN'",
        'recipe.json files.catalog.sheet: expected no such key for csv, got "A"',
      ],
    ],
  ])('%s is refused with all faults', async (_, recipe, faults) => {
    expect(await faultsOf(recipe, sound)).toEqual(faults);
  });

  test('has zones and files that exist', async () => {
    const seen = { column: 'Seen', format: 'M/d/yyyy', zone: 'America/Utah' };
    const stores = { from: 'stock', fields: { 'directory_presence.last_seen_at': seen } };
    const recipe = { ...inventoryRecipe({ from: 'stocks' }), stores };
    const { lines } = await importOf(recipe, { 'stock.csv': 'Code,Store,Qty\n1,1,1\n' });
    expect(lines).toContain("recipe.json inventory.from: expected one of stock, got 'stocks'");
    expect(lines).toContain(
      "recipe.json stores.fields.directory_presence.last_seen_at.zone: expected a time zone like America/Denver, got 'America/Utah'",
    );
  });

  test('has formats that say the year, so that no clock is asked', async () => {
    const tried = async (format: string, text: string) => {
      const retrieved_at = { column: 'As of', format, zone: 'America/Denver' };
      const recipe = inventoryRecipe({ fields: { ...stockFields, retrieved_at } });
      const { lines, part } = await importOf(recipe, { 'stock.csv': `Code,Store,Qty,As of\n1,1,1,${text}\n` });
      return lines[0] ?? part('inventory.ndjson')[0]?.retrieved_at;
    };
    const late = 'a time at most a day after the publication at 2025-03-03T22:00:00Z';
    for (const [format, text, outcome] of [
      ["M/d h:mm a 'yyyy'", '3/3 11:05 AM yyyy', 'expected a format with the year, such as yyyy, because no clock is'],
      ['M/d/yy', '3/3/25', '2025-03-03T07:00:00Z'],
      ["kkkk-'W'WW-c", '2025-W10-1', '2025-03-03T07:00:00Z'],
      ['M/d/yyyy h:mm z', '3/3/2025 2:00 America/New_York', '2025-03-03T07:00:00Z'],
      ['M/d/yyyy', '3/3/0025', "stock.csv As of: row 2: expected a time from 1990 on, got '3/3/0025'"],
      ['M/d/yyyy', '3/5/2025', `stock.csv As of: row 2: expected ${late}, got '3/5/2025'`],
      ['M/d/yyyy', '3/4/2025', '2025-03-04T07:00:00Z'],
      ['spreadsheet', '45719.5', '2025-03-03T19:00:00Z'],
      ['spreadsheet', '3/3/2025', "expected the number of a day, as spreadsheets count, got '3/3/2025'"],
    ] as const)
      expect(await tried(format, text), text).toContain(outcome);
    const snapshot = { ...(recipeHead.snapshot as object), catalog: { source_updated_at: '2099-01-01T00:00:00Z' } };
    expect(await faultsOf(productRecipe({}, { snapshot }), sound)).toEqual([
      `recipe.json snapshot.catalog.source_updated_at: expected ${late}, got 2099-01-01T00:00:00Z`,
    ]);
  });

  test('has each key once, as its curation has', async () => {
    const { folder } = await importOf(productRecipe({}, { curation: { file: 'curation.json' } }), files);
    const text = readFileSync(join(folder, 'recipe.json'), 'utf8');
    const paths = { files: [join(folder, 'catalog.csv')], out: join(folder, 'new') };
    const tried = () => importFiles({ recipe: join(folder, 'recipe.json'), ...paths, ...times, check }, () => {});
    writeFileSync(join(folder, 'curation.json'), '{"categories":[],"categories":[]}');
    await expect(tried()).rejects.toThrow("curation.json: expected JSON, got the key 'categories' twice in an object");
    writeFileSync(join(folder, 'recipe.json'), text.replace('"from":"catalog"', '"from":"x","from":"catalog"'));
    await expect(tried()).rejects.toThrow("recipe.json: expected JSON, got the key 'from' twice in an object");
  });

  test('decides whether a point before three digits separates thousands', async () => {
    const tried = async (quantity: string, rule: Fields = {}, file: Fields = {}) => {
      const recipe = inventoryRecipe({ fields: { ...stockFields, quantity: { column: 'Qty', ...rule } } }, {}, file);
      const { lines, part } = await importOf(recipe, { 'stock.csv': `Code,Store,Qty\n1,1,"${quantity}"\n` });
      return lines[0] ?? part('inventory.ndjson')[0]?.rows;
    };
    expect(await tried('1.200')).toBe(
      `stock.csv Qty: row 2: expected a whole number without three digits after a point, unless "decimal" says what it separates, got '1.200'`,
    );
    const sure = { '12.00': 12, '12.0000': 12, '1200.000': 1200, '1,200.000': 1200, '1,200': 1200, '0.000': 0 };
    for (const [text, quantity] of Object.entries(sure)) expect(await tried(text)).toEqual([['0001', quantity]]);
    expect(await tried('1.000', {}, { decimal: ',' })).toEqual([['0001', 1000]]);
    expect(await tried('1.000', {}, { decimal: '.' })).toEqual([['0001', 1]]);
    const rules = { price_minor: 'Price', size_ml: { column: 'Size', unit: 'l' } };
    expect(await faultsOf(productRecipe(rules), 'Code,Name,Price,Size\n1,n,$1.200,1.750\n')).toEqual([
      expect.stringMatching(/^catalog\.csv Size: row 2: expected a size without three digits after a point/),
      expect.stringMatching(/^catalog\.csv Price: row 2: expected a price without three digits after a point/),
    ]);
    // A number of JSON has no separators.
    const json = { sku: 'code', source_name: 'name', name: 'name', size_ml: { column: 'size', unit: 'l' } };
    const { part } = await importOf(productRecipe(json, {}, { type: 'json' }), {
      'catalog.json': '[{"code":"000001","name":"n","size":1.125}]',
    });
    expect(part('products.ndjson')).toMatchObject([{ size_ml: 1125 }]);
  });

  test('gets its times from the command line or has them', async () => {
    const { folder } = await importOf(productRecipe(), files);
    const paths = { recipe: join(folder, 'recipe.json'), files: [join(folder, 'catalog.csv')], out: join(folder, 'x') };
    await expect(
      importFiles({ ...paths, publishedAt: null, retrievedAt: null, check }, () => {}),
    ).rejects.toMatchObject({
      lines: [
        'recipe.json snapshot.catalog.retrieved_at: expected a date-time, or --retrieved-at, got none',
        'recipe.json snapshot.published_at: expected a date-time, or --published-at, got none',
        'recipe.json: nothing was written: 2 faults',
      ],
    });
  });
});

describe('files', () => {
  test('are found by name, or by the role that the command line gives them', async () => {
    const { part } = await importOf(productRecipe(), { 'download(3).csv': sound }, ['catalog=download(3).csv']);
    expect(part('products.ndjson')).toHaveLength(1);
    expect((await importOf(productRecipe(), { 'prices.csv': sound })).lines).toEqual([
      'prices.csv: expected a file of the recipe: catalog (catalog.*), got another name; ROLE=FILE says which it is',
    ]);
  });

  test('that are missing, twice there or too many are refused', async () => {
    const recipe = productRecipe();
    expect((await importOf(recipe, {})).lines).toEqual([
      'expected a file for catalog (catalog.*), got none; "optional" in the recipe allows that',
    ]);
    expect((await importOf(recipe, { 'catalog.csv': sound }, ['catalog.csv', 'catalog.csv'])).lines).toEqual([
      'catalog.csv: expected each file once, got it as catalog.csv too',
    ]);
    expect((await importOf(recipe, { 'catalog.csv': sound, 'catalog.txt': sound })).lines).toEqual([
      'expected one file for catalog, got catalog.csv and catalog.txt; "several" in the recipe allows that',
    ]);
  });

  test('of one role follow each other where the recipe allows several', async () => {
    const files = { 'stock-1.csv': 'Code,Store,Qty\n1,1,1\n', 'stock-2.csv': 'Qty,Code,Store\n2,1,2\n' };
    const { summary } = await importOf(inventoryRecipe({}, {}, { several: true }), files);
    expect(summary?.inventory).toMatchObject({ retrievals: 1, rows: 2, stores: 2 });
  });

  test('that are missing are faults, unless they are optional; then all faults of the others come together', async () => {
    const recipe = {
      ...priced,
      files: {
        catalog: { match: 'catalog.csv', type: 'csv' },
        stock: { match: 'stock.csv', type: 'csv', optional: true },
      },
      inventory: (inventoryRecipe() as { inventory: object }).inventory,
    };
    const { summary } = await importOf(recipe, { 'catalog.csv': sound });
    expect(summary).toMatchObject({ products: 1, inventory: null });
    const files = { 'catalog.csv': `${sound}1205,x,free\n`, 'stock.csv': 'Code,Store,Qty\n1204,1,many\n1205,1,3\n' };
    expect((await importOf(recipe, files)).lines).toEqual([
      "catalog.csv Retail: row 3: expected a price like $12.99, got 'free'",
      "stock.csv Qty: row 2: expected a whole number like 1,299, got 'many'",
      'recipe.json: nothing was written: 2 faults',
    ]);
  });

  test('out has the usual rights, and is never overwritten', async () => {
    const { folder } = await importOf(productRecipe(), { 'catalog.csv': sound });
    expect(statSync(join(folder, 'out', 'snapshot')).mode).toBe(statSync(join(folder, 'out')).mode);
    const options = { recipe: join(folder, 'recipe.json'), files: [join(folder, 'catalog.csv')], ...times };
    const again = importFiles({ ...options, out: join(folder, 'out', 'snapshot'), check }, () => {});
    await expect(again).rejects.toThrow('already exists: move or remove it first, or choose another name');
  });
});
