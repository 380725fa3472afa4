import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { guessFields, guessPart } from '../../generator/import/draft/column-guesses.ts';
import { type Draft, draftFrom, draftRecipe, tablesIn } from '../../generator/import/draft/draft.ts';
import { partRule, recipe } from '../../generator/import/recipe/recipe.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { folderForFile } from '../support/temporary-folder.ts';
import { importOf, productRecipe, recipeHead } from './small-import.ts';

const folder = folderForFile();

function writtenTo(name: string, content: string | Uint8Array): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

function filesOf(name: string): string[] {
  const own = join('fixtures/imports', name);
  return readdirSync(own)
    .filter((file) => !/recipe|curation/.test(file))
    .map((file) => join(own, file));
}

const stated = { currency: 'USD', country: 'US', zone: 'America/Denver' };

const productsOf = ({ recipe }: Draft) => partRule(recipe, 'products');

describe('a draft for the fixtures', () => {
  test.each([
    ['csv', 7, { 'catalog.csv': ['UPC'], 'stores.csv': ['Wine', 'Curbside'] }],
    ['price-book', 6, { 'price-book.xlsx': ['Case Pack', 'Vendor', 'Total'] }],
    ['feed', 5, { 'feed.json': ['label', 'inventory.error'], 'stores.ndjson': ['amenities'] }],
  ])('%s is a recipe that needs few decisions', async (name, most, unplaced) => {
    const draft = await draftRecipe(filesOf(name), stated);
    expect(recipe.safeParse(draft.recipe).error).toBeUndefined();
    expect([draft.recipe.products, draft.recipe.stores, draft.recipe.inventory].includes(undefined)).toBe(false);
    expect(draft.undecided).toBeLessThanOrEqual(most);
    const columnsOf = (file: string) => draft.unplaced.flatMap((one) => (one.file === file ? one.columns : []));
    for (const [file, columns] of Object.entries(unplaced)) expect(columnsOf(file)).toEqual(columns);
  });

  test('of a file whose codes are none has no pattern of codes to offer', async () => {
    const file = join(folder, 'words.csv');
    writeFileSync(file, 'SKU,Brand Name,Size,Retail Price\nab-12,A,750ML,12.99\n12.5,B,750ML,12.99\n');
    expect(JSON.stringify(await draftRecipe([file], stated))).not.toContain('Infinity');
  });

  test('imports once its decisions are made', async () => {
    const { recipe: drafted } = await draftRecipe(filesOf('csv'), stated);
    const decided = JSON.stringify(drafted)
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

  const draftOf = (name: string, content: string) => draftRecipe([writtenTo(name, content)]);

  test('need neither prices nor stores, nor codes of six and four digits', async () => {
    const csv = 'Code,Brand Name,Total Available\n="00009",Old Mill,7\n';
    const { recipe: drafted } = await draftOf('warehouse.csv', csv);
    expect(partRule(drafted, 'products')?.fields).toMatchObject({ sku: 'Code', source_name: 'Brand Name' });
    const unknown = { currency: 'FILL IN', country: 'FILL IN', time_zone: 'FILL IN' };
    const digits = (count: number, example: string) => ({ pattern: `^[0-9]{${count}}$`, example });
    expect(drafted.snapshot.profile).toEqual({ ...unknown, sku: digits(5, '00009'), inventory: 'statewide' });
    expect(drafted.inventory).toMatchObject({ fields: { quantity: 'Total Available' } });
    const long = '[{"productId":"7648301","productNameBold":"Brännvin","price":129.5}]';
    const items = await draftOf('items.json', long);
    const { snapshot } = items.recipe;
    const profile = { ...unknown, sku: digits(7, '7648301'), inventory: 'none' };
    expect([productsOf(items)?.fields.sku, snapshot.profile]).toEqual(['productId', profile]);
    const shops = '[{"siteId":"Q-0102","displayName":"Torget","address":"Storgatan 1","city":"Örebro"}]';
    const { fields } = (await draftOf('shops.json', shops)).recipe.stores ?? {};
    expect(fields).toMatchObject({ inventory_store_code: 'siteId', 'address.city': 'city' });
    const names = '[{"siteId":"Torget, Örebro","displayName":"Torget","address":"Storgatan 1","city":"Örebro"}]';
    const named = (await draftOf('names.json', names)).recipe.stores?.fields;
    expect(named).toMatchObject({ directory_id: 'siteId' });
    expect(named).not.toHaveProperty('inventory_store_code');
  });

  test('of unknown words are a skeleton with every column, and a file without a header is an error', async () => {
    const draft = await draftRecipe([writtenTo('x.csv', 'Qwer,Asdf,Yxcv\n12,Abc,3\n')]);
    expect(productsOf(draft)?.fields).toMatchObject({ sku: { column: 'FILL IN' }, name: { column: 'FILL IN' } });
    expect(draft.columns.map(({ column, example, field }) => [column, example, field])).toEqual([
      ['Qwer', '12', null],
      ['Asdf', 'Abc', null],
      ['Yxcv', '3', null],
    ]);
    const { code, stdout, stderr } = await runInProcess('import', '--draft', writtenTo('y.csv', '1\n2\n'));
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('y.csv: none of the first rows looks like a header, with two texts at least');
  });

  test('follow values before headers', async () => {
    const csv = 'sku,name,unitSize,volume,regularPrice\n122867,ABC 2019,1,0.75,19.99\n62899,DEF CANS,6,0.355,12.99\n';
    const { fields } = productsOf(await draftOf('sizes.csv', csv)) ?? {};
    expect(fields).toMatchObject({ size_ml: { column: 'volume', unit: 'l' }, price_minor: 'regularPrice' });
    expect(fields).not.toHaveProperty('size_text');
    const islandic = 'id,name,bottled_volume,price\n25,Kvöld,750.0,6999\n10037,Norður,700.0,14989\n';
    const draft = await draftRecipe([writtenTo('is.csv', islandic)], { currency: 'ISK', country: 'IS', zone: null });
    expect(draft.recipe.snapshot.profile).toMatchObject({ currency: 'ISK', country: 'IS', time_zone: 'FILL IN' });
    const unclear = productsOf(await draftOf('cl.csv', 'Code,Name,Size\n1,A,70\n2,B,75\n'))?.fields;
    expect(unclear).toMatchObject({ size_ml: { column: 'Size', unit: 'FILL IN' } });
    const euro = await draftOf('euro.csv', 'Code;Name;Preis\n1;A;9,90 €\n2;B;1.299,50 €\n');
    expect([euro.recipe.snapshot.profile?.currency, euro.recipe.files.products?.decimal]).toEqual(['EUR', ',']);
  });

  test('ask about lost zeros only where codes show them', async () => {
    const rows = Array.from({ length: 20 }, (_, index) => `${index < 2 ? 9000 + index : 100_000 + index},N${index}`);
    const lost = await draftOf('lost.csv', `Code,Name\n${rows.join('\n')}\n`);
    expect(productsOf(lost)?.fields.sku).toEqual({ column: 'Code', pad: 'FILL IN' });
    const kept = await draftOf('kept.csv', `Code,Name\n${rows.join('\n')}\n012345,Z\n`);
    expect(productsOf(kept)?.fields.sku).toBe('Code');
  });

  test.each([
    [
      'Numero\tNimi\tPullokoko\tHinta',
      '000123\tVodka\t0,7 l\t24.98',
      { sku: 'Numero', size_ml: { column: 'Pullokoko', decimal: ',' }, price_minor: 'Hinta' },
    ],
    [
      'Varenummer\tVarenavn\tVolum\tPris',
      '1101\tAkevitt\t0,70\t399,90',
      { sku: 'Varenummer', size_ml: { column: 'Volum', unit: 'l' }, price_minor: 'Pris' },
    ],
    [
      'Artikelnummer\tBezeichnung\tInhalt\tPreis',
      '77\tKorn\t0,7 l\t9,99',
      { sku: 'Artikelnummer', source_name: 'Bezeichnung', price_minor: 'Preis' },
    ],
    [
      'Código\tNombre\tContenido\tPrecio',
      '77\tRon\t750 ml\t9.99',
      { sku: 'Código', source_name: 'Nombre', size_ml: 'Contenido' },
    ],
  ])('read %j', async (header, row, fields) => {
    const { recipe: drafted } = await draftOf('words.tsv', `${header}\n${row}\n`);
    expect(partRule(drafted, 'products')?.fields).toMatchObject(fields);
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

describe('a draft takes a unit from the values', () => {
  const draftOf = async (text: string, name = 'list.csv') => {
    const file = join(folder, name);
    writeFileSync(file, text);
    const { recipe: drafted } = await draftRecipe([file], stated);
    return { sku: drafted.snapshot.profile?.sku, fields: partRule(drafted, 'products')?.fields ?? {} };
  };
  const rows = (row: (at: number) => string) => Array.from({ length: 40 }, (_, at) => row(at)).join('\n');

  test('numbers that differ in nearly every row are no sizes, and a few usual ones are', async () => {
    const { fields } = await draftOf(
      `code,title,size,unit_volume,price\n${rows((at) => `${at + 100},Rye ${at},${4000 + at * 7},750,12.95`)}\n`,
    );
    expect(fields.size_ml).toBe('unit_volume');
    const sold = await draftOf(
      `code,title,Volume,price\n${rows((at) => `${at + 100},Rye ${at},${150 + at * 37},12.95`)}\n`,
    );
    expect(sold.fields.size_ml).toBeUndefined();
  });

  test.each(['retail_price_cents', 'PriceCents', 'Pris (öre)', 'price pence'])(
    '%s is in the minor unit',
    async (name) => {
      const { fields } = await draftOf(`code,title,${name},size_ml\n100,Rye,1728,750\n101,Gin,2995,1000\n`);
      expect(fields.price_minor).toEqual({ column: name, as: 'integer' });
    },
  );

  test('few bottles of one size are a pack, and a person says what the size measures', async () => {
    const { fields } = await draftOf(
      'sku,name,bottlesPerPack,volumeLitres,price\n100,Red,1,0.75,14.99\n101,Case,9,0.75,134.91\n102,Can,1,0.473,3.29\n',
    );
    expect(fields).toMatchObject({
      size_ml: { column: 'volumeLitres', unit: 'l' },
      pack_count: 'bottlesPerPack',
      size_of: { value: 'FILL IN' },
    });
  });

  test('a pattern fits the codes of the whole file, not of its first rows', async () => {
    const { sku } = await draftOf(
      `code,title,price\n${Array.from({ length: 300 }, (_, at) => `${9850 + at},Rye ${at},12.95`).join('\n')}\n`,
    );
    expect(sku?.pattern).toBe('^[0-9]{1,5}$');
  });
});

describe('a draft of files that nobody has described', () => {
  const rows = (count: number, row: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => row(index)).join('\n');
  const gtin = (index: number) => {
    const body = String(400_000_000_000 + index * 7);
    const sum = [...body].reverse().reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 3 : 1), 0);
    return `${body}${(10 - (sum % 10)) % 10}`;
  };

  test('finds codes, names, sizes, prices and bar codes by their values alone', async () => {
    const line = (index: number) =>
      `${index},${70_000 + 13 * index},Fine Rye ${index} Year Old,${[375, 700, 750][index % 3]}ml,${12 + index}.${10 + (index % 80)},${gtin(index)}`;
    for (const header of ['c1,c2,c3,c4,c5,c6\n', '']) {
      const draft = await draftRecipe([writtenTo('unknown.csv', `${header}${rows(30, line)}\n`)]);
      const columns = header === '' ? ['B', 'C', 'D', 'E', 'F'] : ['c2', 'c3', 'c4', 'c5', 'c6'];
      const [sku, source_name, size_ml, price_minor, gtin] = columns;
      expect(productsOf(draft)?.fields).toMatchObject({ sku, source_name, size_ml, price_minor, gtin });
      expect(draft.recipe.files.products?.header_row).toBe(header === '' ? null : undefined);
      expect(draft.recipe.snapshot.profile?.product_facts).toEqual(['gtin']);
    }
  });

  test('asks which of two columns of amounts is the price', async () => {
    const line = (index: number) => `${7000 + 3 * index},Old Gin ${index},70cl,${10 + index}.15,${20 + index}.45`;
    const draft = await draftRecipe([writtenTo('two.csv', `c1,c2,c3,c4,c5\n${rows(10, line)}\n`)]);
    expect(productsOf(draft)?.fields.price_minor).toEqual({ column: 'FILL IN' });
    expect(draft.columnsFor('products', 'price_minor')).toEqual(['c4', 'c5']);
    expect(draft.columns.find(({ column }) => column === 'c5')?.why).toBe('perhaps products.price_minor');
  });

  test('reads packed files, leaves out rows without a code, and reads only sizes as sizes', async () => {
    const line = (index: number) =>
      `${index % 50 === 7 ? '' : 5000 + index},Stone ${index} Ale,${index % 9 === 0 ? `${4 + (index % 12)}pk` : '355ML'},${2 + index / 100}`;
    const file = writtenTo('packed.csv.gz', gzipSync(`Code,Name,Size,Price\n${rows(100, line)}\n`));
    const draft = await draftRecipe([file]);
    expect(draft.recipe.products).toMatchObject({
      fields: { size_ml: { column: 'Size', extract: '^[\\d., ]+(?:ML)$', otherwise: null } },
      leave_out: [{ column: 'Code', empty: true, reason: 'a row without a code' }],
    });
  });

  test('makes a list of stores alone one that can be published', async () => {
    const stores = Array.from({ length: 5 }, (_, index) => ({
      ...{ siteId: `01${index}0`, alias: `Torget ${index}`, address: `Storgatan ${index}`, city: 'Lund' },
      openingHours: [{ day: 1 }],
    }));
    const { recipe: drafted } = await draftRecipe([writtenTo('stores.json', JSON.stringify(stores))]);
    expect(drafted).toMatchObject({ products: 'none', curation: { categories: [] } });
    expect(drafted.stores?.fields).not.toHaveProperty('regular_hours');
  });

  test('finds the inventory by the codes that it repeats, also of stores', async () => {
    const files = [
      writtenTo(
        'a.csv',
        `c1,c2,c3,c4\n${rows(20, (index) => `${4000 + 3 * index},Fine Rum ${index},750ml,${9 + index}.99`)}\n`,
      ),
      writtenTo('b.csv', `c1,c2,c3\n${rows(6, (index) => `${11 + 7 * index},Main Street ${index},Tarn`)}\n`),
      writtenTo(
        'c.csv',
        `c1,c2,c3\n${rows(60, (index) => `${index % 13},${4000 + 3 * (index % 20)},${11 + 7 * (index % 6)}`)}\n`,
      ),
    ];
    const tables = await tablesIn(files);
    const nothing = { columns: new Map(), parts: new Map() };
    const alone = draftFrom(tables, undefined, nothing);
    expect([alone.unassigned, alone.recipe.inventory?.fields]).toEqual([
      ['b.csv'],
      { sku: 'c2', store: { column: 'FILL IN' }, quantity: { column: 'FILL IN' } },
    ]);
    const told = draftFrom(tables, undefined, { ...nothing, parts: new Map([['b.csv', 'stores']]) });
    expect(told.recipe.inventory?.fields).toEqual({ sku: 'c2', store: 'c3', quantity: 'c1' });
    expect(told.recipe.stores?.fields).toMatchObject({ inventory_store_code: 'c1', name: { column: 'FILL IN' } });
    expect(told.columns.find(({ file, column }) => file === 'c.csv' && column === 'c1')?.why).toBe(
      'the only whole numbers that are left',
    );
    const columns = new Map([['stores' as const, new Map([['name', 'c2']])]]);
    const named = draftFrom(tables, undefined, { columns, parts: new Map([['b.csv', 'stores']]) });
    expect(named.recipe.stores?.fields.name).toEqual({ column: 'c2', spaces: 'collapse' });
  });

  test('reads text whose columns begin at the same characters', async () => {
    const line = ([code, name, size, price]: readonly string[]) =>
      `${code?.padEnd(8)}${name?.padEnd(30)}${size?.padStart(8)}${price?.padStart(10)}`;
    const lines = Array.from({ length: 60 }, (_, index) =>
      line([
        String(20_000 + 7 * index),
        `Wódka ${['Żubr', 'Nowa'][index % 2]} ${index}`,
        '0,7 l',
        `${20 + index},${10 + index}`,
      ]),
    );
    const text = `${[line(['KOD', 'NAZWA', 'POJ', 'CENA']), ...lines].join('\n')}\n`;
    const draft = await draftRecipe([writtenTo('cennik.txt', text)]);
    const { products: file } = draft.recipe.files;
    expect(file).toMatchObject({ type: 'fixed', starts: [1, 9, 22, 47], decimal: ',' });
    expect(file).not.toHaveProperty('ignore');
    const fields = { sku: 'KOD', name: 'NAZWA', source_name: 'NAZWA', size_ml: 'POJ', price_minor: 'CENA' };
    const recipe = { ...productRecipe(fields), files: { catalog: { ...file, match: 'cennik.txt' } } };
    const { part, lines: faults } = await importOf(
      {
        ...recipe,
        snapshot: {
          ...(recipeHead.snapshot as object),
          profile: { ...draft.recipe.snapshot.profile, currency: 'PLN', country: 'PL', time_zone: 'Europe/Warsaw' },
        },
      },
      { 'cennik.txt': text },
    );
    expect(faults).toEqual([]);
    expect(part('products.ndjson')[1]).toMatchObject({
      sku: '20007',
      name: 'Wódka Nowa 1',
      size_ml: 700,
      price_minor: 2111,
    });
  });

  test('text with delimiters, or without columns, has none that begin at the same characters', async () => {
    for (const text of [
      rows(20, (index) => `${1000 + index}\tGin\t9.99`),
      rows(20, (index) => `Gin ${index} of the north`),
    ]) {
      const [table] = await tablesIn([writtenTo('other.txt', `${text}\n`)]);
      expect(table?.rule.type).toBe('tsv');
    }
  });

  test('reads lines of JSON under any name, and says what it cannot read', async () => {
    const records = Array.from({ length: 4 }, (_, index) =>
      JSON.stringify({ sku: 3000 + index, name: 'Ale', price: 1.5 + index }),
    );
    const draft = await draftRecipe([writtenTo('lines.json', records.join('\n'))]);
    expect(draft.recipe.files.products).toEqual({ match: 'lines.json', type: 'ndjson' });
    for (const text of [`var list = [${records}]`, records.map((one) => one.replaceAll(',', ',\n')).join('\n')])
      await expect(draftRecipe([writtenTo('other.json', text)])).rejects.toThrow(
        'expected an array of objects, got something else than one JSON document, or one in each line',
      );
  });

  test('reads Polish letters, prices with a mark, packs, and alcohol in percent or fractions', async () => {
    const polish = (text: string) =>
      Buffer.from(
        [...text].flatMap((letter) => {
          const at = 'ąćęłńóśźżĄŁŻ'.indexOf(letter);
          return at < 0
            ? [...Buffer.from(letter)]
            : [[0xb9, 0xe6, 0xea, 0xb3, 0xf1, 0xf3, 0x9c, 0x9f, 0xbf, 0xa5, 0xa3, 0xaf][at] ?? 0];
        }),
      );
    const size = (index: number) => (index % 4 === 0 ? '4 x 0,5 l' : '0,7 l');
    const line = (index: number) =>
      `${20_100 + index};Żołądkowa gorzka ${index};${size(index)};${30 + index},50 zł;0,${10 + index}`;
    const text = `Kod towaru;Nazwa;Pojemność;Cena brutto;Moc %\n${rows(30, line)}\n`;
    const draft = await draftRecipe([writtenTo('cennik.csv', polish(text))], {
      currency: 'PLN',
      country: 'PL',
      zone: 'Europe/Warsaw',
    });
    expect(draft.recipe.files.products).toMatchObject({ encoding: 'windows-1250', delimiter: ';', decimal: ',' });
    const recipe = JSON.parse(JSON.stringify(draft.recipe).replaceAll('"FILL IN"', '"active"'));
    const { part, lines } = await importOf(recipe, { 'cennik.csv': polish(text) });
    expect(lines).toEqual([]);
    const imported = part('products.ndjson');
    expect(imported[0]).toMatchObject({
      name: 'Żołądkowa gorzka 0',
      ...{ size_ml: 500, pack_count: 4, size_of: 'container', price_minor: 3050, alcohol_by_volume: 10 },
    });
    expect(imported[1]).toMatchObject({ size_ml: 700, pack_count: 1, price_minor: 3150, alcohol_by_volume: 11 });
  });

  test('knows the currency from a column, says that there are several, and prefers names of categories to numbers', async () => {
    const record = (index: number, currency: string) => ({
      ...{ id: 700_000 + index, title: `Pale Ale ${index}`, category: { id: index % 3, label: `Beer ${index % 3}` } },
      price: { amount: 2.5 + index, currency },
    });
    const records = (currencies: readonly string[]) =>
      JSON.stringify(
        Array.from({ length: 12 }, (_, index) => record(index, currencies[index % currencies.length] ?? '')),
      );
    const one = await draftRecipe([writtenTo('one.json', records(['EUR']))]);
    expect(one.recipe.snapshot.profile?.currency).toBe('EUR');
    expect(productsOf(one)?.fields.category_id).toMatchObject({ column: 'category.label' });
    const stated = { currency: 'SEK', country: null, zone: null };
    for (const [currencies, words] of [
      [['EUR'], 'EUR'],
      [['EUR', 'USD'], 'EUR, USD'],
    ] as const) {
      const { unused } = await draftRecipe([writtenTo('several.json', records(currencies))], stated);
      expect(unused).toEqual([
        `several.json: prices are in ${words}, by a column with these words; a site has one currency`,
      ]);
    }
  });

  test.each([
    ['$', '', 'AUD', { remove: '\\$' }, undefined],
    ['', ' zł', 'PLN', { remove: 'zł' }, undefined],
    ['', ' zł', null, { remove: 'zł' }, undefined],
    ['kr ', '', 'NOK', undefined, ','],
  ])('removes the mark of prices %s12.50%s if it is not that of %s', async (before, after, currency, rule, decimal) => {
    const line = (index: number) =>
      `${100 + index};Old Rye ${index};750ml;${before}${12 + index}${decimal ?? '.'}50${after}`;
    const file = writtenTo('marks.csv', `Code;Name;Size;Price\n${rows(8, line)}\ncall;Old Rye;750ml;call\n`);
    const draft = await draftRecipe([file], { currency, country: null, zone: null });
    expect(productsOf(draft)?.fields.price_minor).toEqual(rule ? { column: 'Price', ...rule } : 'Price');
    expect(draft.recipe.files.products?.decimal).toBe(decimal);
  });
});
