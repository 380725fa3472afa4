import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Failure } from '../../generator/files/failure.ts';
import { RowSplitter } from '../../generator/import/tables/delimited-rows.ts';
import type { Row } from '../../generator/import/tables/table.ts';
import { type Fields, importOf, inventoryRecipe, productRecipe } from './small-import.ts';

const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le');

describe('text', () => {
  const text = 'Code,Name\r\n1,Café\u00a0Rosé\r\n';
  const named = (name: string) => [{ sku: '000001', name }];

  test.each([
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${text}`), {}],
    ['UTF-16', utf16(text), { encoding: 'utf-16' }],
    ['UTF-16 with the high byte first', utf16(text).swap16(), { encoding: 'utf-16' }],
    ['Windows-1252', Buffer.from(text, 'latin1'), { encoding: 'windows-1252' }],
    ['old line ends', Buffer.from(text.replaceAll('\r\n', '\r')), {}],
    ['tabs', Buffer.from(text.replaceAll(',', '\t')), { type: 'tsv' }],
    ['semicolons', Buffer.from(text.replaceAll(',', ';')), { delimiter: ';' }],
    ['rows above the header', Buffer.from(`Price book,,\r\n\r\n${text}`), { header_row: 3 }],
    ['formulas of text', Buffer.from(text.replace('1,', '="1",')), {}],
  ])('in %s', async (_, content, file) => {
    const { part } = await importOf(productRecipe({ name: { column: 'Name', spaces: 'collapse' } }, {}, file), {
      'catalog.csv': content,
    });
    expect(part('products.ndjson')).toMatchObject(named('Café Rosé'));
  });

  test.each([
    [
      'Windows-1252',
      Buffer.from(text, 'latin1'),
      /^catalog\.csv: expected text in utf-8, got '.*' in line 2; "encoding" in the recipe names another, or "mixed" if lines differ$/,
    ],
    ['UTF-16', utf16(text), /^catalog\.csv: expected text in utf-8, got text in utf-16;/],
    [
      'UTF-16 without a mark',
      Buffer.from(text.replace(/[^\0-~]/g, ''), 'utf16le'),
      /^catalog\.csv: expected text in utf-8, got NUL/,
    ],
    ['a cut character', Buffer.from(text).subarray(0, 17), /a character that is cut short/],
  ])('in %s is refused as UTF-8', async (_, content, message) => {
    expect((await importOf(productRecipe(), { 'catalog.csv': content })).lines).toEqual([
      expect.stringMatching(message),
    ]);
  });

  test('with quotes within values has them as text, in a few rows that have as many values as others', async () => {
    const imported = (rows: readonly string[], file = {}) =>
      importOf(productRecipe({}, {}, { type: 'csv', ...file }), {
        'catalog.csv': `Code,Name,Size\n${rows.join('\n')}\n`,
      });
    const rows = ['1,12" PIPE,1L', '2,"THE "BIG, BAD" ALE",1L', '3,"OPEN,1L', '4,"a ""b"", c",1L', '5,"A" B,1L'];
    const { part, summary } = await imported(rows);
    const names = ['12" PIPE', 'THE "BIG, BAD" ALE', '"OPEN', 'a "b", c', '"A" B'];
    expect(part('products.ndjson').map(({ name }) => name)).toEqual(names);
    expect(summary?.notices).toEqual([
      'catalog.csv: 4 rows (2, 3, 4, …): expected quotes only around whole values, got quotes within values, which are read as text',
    ]);
    expect((await imported(['1,"A" B,"1L"', '2,"a","1L"'])).lines[0]).toBe(
      'catalog.csv: row 2: expected quotes only around whole values, and 3 values, got 2',
    );
    const many = Array.from({ length: 11 }, (_, index) => `${index},12" PIPE,1L`);
    expect((await imported(many)).lines[0]).toBe(
      'catalog.csv: expected at most 10 rows, or 0.1 %, with quotes within values, or "quote": null, got 11',
    );
    expect((await imported(many, { quote: null })).summary?.products).toBe(11);
    const sound = Array.from({ length: 11_000 }, (_, index) => `${index + 100},PIPE,1L`);
    expect((await imported([...many, ...sound])).summary?.products).toBe(11_011);
  });
});

describe('rows', () => {
  const splitter = (delimiter: string) =>
    new RowSplitter(
      { delimiter, quote: '"' },
      (row, expected, got) => new Failure('import_faults', `${expected}, ${got} in row ${row}`),
    );

  test('are the same wherever the text is cut into pieces, whatever its quotes are', () => {
    const rowsOf = (pieces: readonly string[]) => {
      const reader = splitter(',');
      try {
        return [...pieces, null].flatMap((piece) => [...reader.rows(piece)]);
      } catch (error) {
        return String(error);
      }
    };
    const text = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r', '='), maxLength: 30 });
    fc.assert(
      fc.property(text, (whole) => {
        expect(rowsOf([...whole])).toEqual(rowsOf([whole]));
      }),
    );
  });

  test('come back as they were written, wherever the text is cut into pieces', () => {
    const value = fc.string({ unit: fc.constantFrom('a', ',', ']', '"', '\n', '\r', ' ', '-', '=', 'é') });
    const rows = fc.array(fc.array(value, { minLength: 1, maxLength: 4 }), { minLength: 1 });
    const written = (text: string, delimiter: string) =>
      /["\r\n]/.test(text) || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text;
    fc.assert(
      fc.property(
        rows,
        fc.constantFrom(',', ']', '-', '^', '\\', '\t'),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.boolean(),
        fc.infiniteStream(fc.integer({ min: 1, max: 5 })),
        (cells, delimiter, lineBreak, isUnended, sizes) => {
          const lines = cells.map((row) => row.map((text) => written(text, delimiter)).join(delimiter));
          const text = lines.join(lineBreak) + (isUnended && lines.at(-1) !== '' ? '' : lineBreak);
          const reader = splitter(delimiter);
          const found: Row[] = [];
          let at = 0;
          while (at < text.length) {
            const { value: size } = sizes.next();
            found.push(...reader.rows(text.slice(at, at + size)));
            at += size;
          }
          found.push(...reader.rows(null));
          expect(found.map((row) => row.cells)).toEqual(cells);
          expect(found.map(({ number }) => number)).toEqual(cells.map((_, index) => index + 1));
          expect(found.some(({ isRepaired }) => isRepaired)).toBe(false);
          expect(found.at(-1)?.isUnended).toBe(!/[\r\n]$/.test(text));
        },
      ),
    );
  });

  test('of many blanks take no longer than others', async () => {
    const blanks = ' '.repeat(1_000_000);
    const row = `1,a${blanks}b,1${blanks}x,1${blanks}!`;
    const files = { 'catalog.csv': `Code,Name,Price,Size\n${'\n'.repeat(250_000)}${row}\n` };
    for (const [column, field] of Object.entries({ Name: 'name', Price: 'price_minor', Size: 'size_ml' })) {
      const { lines } = await importOf(productRecipe({ [field]: column }), files);
      expect(lines[0]).toMatch(new RegExp(`^catalog\\.csv ${column}.*: row 250002: expected text of at most 1,?000 `));
    }
  });
});

describe('a file that ends in the middle', () => {
  const header = 'Code,Store,Qty,As of,Notes';
  const rules = { sku: { column: 'Code', pad: 6 }, store: { column: 'Store', pad: 4 }, quantity: 'Qty' };
  const importStock = (text: string, inventory: Fields = {}) =>
    importOf(inventoryRecipe(inventory, {}, { ignore: ['As of', 'Notes'] }), { 'stock.csv': text });

  test('is refused where its last row has fewer values than others', async () => {
    for (const last of ['2105,1,12', '2105,1,1200,', '2105']) {
      const refused = `stock.csv: row 3: expected 5 values, or a line break after them, got ${last.split(',').length} where the file ends`;
      const leave_out = [{ column: 'Qty', empty: true, reason: 'no quantity' }];
      const text = `${header}\n2104,1,7,3/3/2025,x\n${last}`;
      expect((await importStock(text, { leave_out })).lines[0]).toBe(refused);
    }
    expect((await importStock(`${header}\n2105,1,12`)).lines[0]).toMatch(/^stock\.csv: row 2: expected 5 values, or a/);
  });

  test('is refused where its last value is used and no line break follows, unless the agency writes none', async () => {
    const three = async (text: string, file: Readonly<Record<string, unknown>> = {}) =>
      (await importOf(inventoryRecipe({}, {}, file), { 'stock.csv': text })).lines;
    const cut =
      'stock.csv: row 3: expected a line break after the last row, or "unterminated": "accept" for an agency that writes none, got \'12\' where the file ends, which may be cut off';
    expect((await three('Code,Store,Qty\n2104,1,7\n2105,1,12'))[0]).toBe(cut);
    expect(await three('Code,Store,Qty\r\n2104,1,7\r\n2105,1,12\r\n')).toEqual([]);
    expect(await three('Code,Store,Qty\n2104,1,7\n2105,1,12', { unterminated: 'accept' })).toEqual([]);
    const { summary } = await importStock(`${header}\n2104,1,7,3/3/2025,x\n2105,1,12,3/3/2025,no`);
    expect(summary?.notices).toEqual([]);
  });

  test('differs from rows that lack values in the middle, which are empty, and reported where they are used', async () => {
    const fields = { ...rules, source_updated_at: { column: 'As of', format: 'M/d/yyyy', zone: 'America/Denver' } };
    const text = `${header}\n2104,1,7\n2105,1,12,3/3/2025\n2106,1,12,3/3/2025,x\n`;
    expect((await importStock(text, { fields })).summary?.notices).toEqual([
      'stock.csv: row 2: expected a value in every column, empty or not, got 3 of at least 4',
    ]);
    expect((await importStock(text)).summary?.notices).toEqual([]);
  });

  test('is refused as gzip, and at any byte as JSON, but between two lines of NDJSON', async () => {
    const text = `${JSON.stringify({ code: '000001', name: 'n' })}\n${JSON.stringify({ code: '000002', name: 'n' })}\n`;
    const rules = { sku: 'code', source_name: 'name', name: 'name' };
    const imports = async (type: string, content: string) =>
      (await importOf(productRecipe(rules, {}, { type }), { 'catalog.x': content })).summary !== null;
    const whole: number[] = [];
    for (let end = 1; end < text.length; end += 1) if (await imports('ndjson', text.slice(0, end))) whole.push(end);
    expect(whole).toEqual([text.length / 2 - 1, text.length / 2, text.length - 1]);
    const json = `[${text.trim().replace('\n', ',')}]`;
    for (let end = 1; end < json.length; end += 9)
      expect(await imports('json', json.slice(0, end)), `${end}`).toBe(false);
    const gzip = gzipSync(text).subarray(0, 30);
    expect((await importOf(inventoryRecipe(), { 'stock.csv': gzip })).lines).toEqual([
      'stock.csv: expected a whole gzip file, got unexpected end of file',
    ]);
  });
});

describe('hostile files', () => {
  test('of many columns, long rows and quotes without end are refused', async () => {
    const tried = async (content: string | Uint8Array) =>
      (await importOf(productRecipe(), { 'catalog.csv': content })).lines;
    expect(await tried(Array.from({ length: 20_000 }, (_, index) => index).join())).toEqual([
      'catalog.csv: expected at most 16384 columns, got more in row 1',
    ]);
    expect(await tried(Buffer.alloc(8_000_000, 'x'))).toEqual([
      'catalog.csv: expected rows of at most 4194304 characters, got a longer one in row 1',
    ]);
    expect(await tried(`Code,Name\n1,"${'x\n'.repeat(1000)}`)).toEqual([
      'catalog.csv: expected a closing quote for every opening quote, got none in row 2',
    ]);
  });

  test.each([
    ['', {}, 'a file with rows, got an empty file'],
    ['a\nb\n', { header_row: 4 }, 'a header in row 4, got fewer rows'],
    [',,\n1,2,3\n', {}, 'a header in row 1, got a blank row'],
  ])('without a header or rows: %j', async (content, file, expected) => {
    const { lines } = await importOf(productRecipe({}, {}, file), { 'catalog.csv': content });
    expect(lines).toEqual([`catalog.csv: expected ${expected}`]);
  });
});

const onceEach = (got: string) => `each key once in an object, got ${got}`;

describe('JSON', () => {
  const rules = { sku: 'code', source_name: 'name', name: 'name', price_minor: 'price' };
  const item = { code: '000001', name: 'Cider', price: 12.99, more: { deep: [1, 2], list: [{}] } };
  const importItems = (text: string, file = {}) =>
    importOf(productRecipe(rules, {}, { type: 'json', ...file }), { 'catalog.json': text });

  test('is an array, or has one at a path', async () => {
    const { part, summary } = await importItems(JSON.stringify([item]));
    expect(part('products.ndjson')).toMatchObject([{ sku: '000001', price_minor: 1299 }]);
    expect(summary?.unused_columns).toEqual([{ file: 'catalog.json', columns: ['more.deep', 'more.list'] }]);
    const inner = await importItems(JSON.stringify({ huge: Array(1000).fill(item), data: { items: [item] }, end: 1 }), {
      records: '/data/items',
    });
    expect(inner.summary).toMatchObject({ products: 1 });
  });

  test.each([
    ['json', '[{"code":"1"', 'whole JSON, got an end in the middle'],
    ['json', '[{]', 'JSON, got '],
    ['json', '['.repeat(1000), 'at most 100 levels of arrays and objects, got more'],
    ['json', `["${'x'.repeat(5_000_000)}`, 'records, got none in '],
    ['json', '[{"code":1},[2]]', 'records that are objects, got a list as record 2'],
    ['json', '[{"code":"000001","name":"a","name":"b"}]', onceEach("'name' twice near record 1")],
    ['ndjson', '{"name":1}\n{"more":{"name":"a","n\\u0061me":"b"}}', onceEach("'name' twice in line 2")],
    ['ndjson', '{"code":1}\n[{"code":2}]\n', 'a JSON object a line, got a list in line 2'],
    ['ndjson', '{"code":1}\nnull', 'a JSON object a line, got something else in line 2'],
  ])('of %s is refused: %.60s', async (type, content, expected) => {
    const { lines } = await importOf(productRecipe(rules, {}, { type }), { [`catalog.${type}`]: content });
    expect(lines).toEqual([expect.stringContaining(`catalog.${type}: expected ${expected}`)]);
  });

  test('has each key once also outside of the records, and records where the recipe says', async () => {
    const tried = async (text: string, records: string) => (await importItems(text, { records })).lines;
    const twice = '{"data":{"items":[]},"x":[{"a":1},{"a":2}],"data":{"items":[]}}';
    expect(await tried(twice, '/data/items')).toEqual([
      `catalog.json: expected ${onceEach("'data' twice near record 1")}`,
    ]);
    expect(await tried('{"a":{}}', '/b')).toEqual(['catalog.json: expected records in an array at /b, got none']);
  });

  test('may have a key in several objects and a colon in a text, but not two values for a column', async () => {
    const other = { other: { name: 'x' }, list: [{ name: 1 }, { name: 2 }] };
    const found = await importItems(JSON.stringify([{ ...item, name: '{"name":1,"name":2}', ...other }]));
    expect(found.summary?.products).toBe(1);
    const twice = [{ code: '000001', name: 'n', 'price.now': 1, price: { now: 2 } }];
    const recipe = productRecipe({ ...rules, price_minor: 'price.now' }, {}, { type: 'json' });
    expect((await importOf(recipe, { 'catalog.json': JSON.stringify(twice) })).lines[0]).toBe(
      "catalog.json price.now: record 1: expected a value, got 'two values of this name'",
    );
  });

  test('records are counted from 1, and lines of NDJSON with the blank ones', async () => {
    const { lines } = await importItems(
      JSON.stringify([item, { ...item, code: 2, price: 'free' }, { ...item, price: [1] }]),
    );
    expect(lines[0]).toBe("catalog.json price: record 2: expected a price like $12.99, got 'free'");
    const ndjson = await importOf(productRecipe(rules, {}, { type: 'ndjson' }), {
      'catalog.ndjson': `${JSON.stringify(item)}\r\n\r\n${JSON.stringify({ ...item, name: null })}`,
    });
    expect(ndjson.lines[0]).toMatch(/^catalog\.ndjson:3 name( \(\w+\))?: expected /);
  });

  const inner = { sku: 'code', store: 'stock.store', quantity: 'stock.qty' };
  const importStock = (items: readonly object[], fields: Fields = {}) =>
    importOf(inventoryRecipe({ each: 'stock', fields: { ...inner, ...fields } }, {}, { type: 'json' }), {
      'stock.json': JSON.stringify(items),
    });
  const entry = (store: string, qty: number) => ({ store, qty });

  test('has a row for each entry of an inner list, and none for an empty one', async () => {
    const stock = [entry('0001', 5), entry('0002', 0)];
    const { part } = await importStock([
      { code: '000001', stock },
      { code: '000002', stock: [] },
    ]);
    expect(part('inventory.ndjson').map(({ rows }) => Object.fromEntries(rows as [string, number][]))).toEqual([
      { '0001': 5, '0002': 0 },
      {},
    ]);
  });

  test.each([
    [undefined, 'nothing'],
    ['timeout', '"timeout"'],
    [entry('0001', 9), 'an object'],
    [[5], '5 in a list'],
    [[entry('0001', 9), null], 'nothing in a list'],
  ])('refuses %j in place of the list, whichever record comes first', async (stock, got) => {
    const record = { code: '000002', stock };
    const sound = { code: '000001', stock: [entry('0001', 5)] };
    for (const [index, items] of [
      [record, sound],
      [sound, record],
    ].entries())
      expect((await importStock(items)).lines[0]).toBe(
        `stock.json stock: record ${index + 1}: expected a list of objects, empty for no rows, got ${got}`,
      );
  });

  test('refuses entries whose keys have other names, and takes a failed retrieval without a list', async () => {
    const status = { column: 'error', if_empty: 'succeeded', lookup: { succeeded: 'succeeded', timeout: 'failed' } };
    const renamed = [{ code: '000001', error: '', stock: [{ shop: '0001', quantity: 5 }] }];
    expect((await importStock(renamed, { status })).lines[0]).toMatch(/^stock\.json stock\./);
    const failed = { code: '000001', error: 'timeout' };
    const { part } = await importStock([failed, { code: '000002', error: '', stock: [entry('0001', 5)] }], { status });
    expect(part('inventory.ndjson')).toMatchObject([{ status: 'failed' }, { status: 'succeeded' }]);
  });
});
