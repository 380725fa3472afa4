import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { importFiles } from '../../generator/import/import.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { importOf, inventoryRecipe, productRecipe, times } from './small-import.ts';

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
      /^catalog\.csv: expected text in utf-8, got '.*' in line 2; "encoding" in the recipe names another$/,
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

  test('with quotes that are no quotes is read where the recipe says so', async () => {
    const files = { 'catalog.csv': 'Code\tName\n1\t12" PIPE\n' };
    expect((await importOf(productRecipe({}, {}, { type: 'tsv' }), files)).lines).toEqual([
      'catalog.csv: expected quotes only around whole values, or "quote": null in the recipe, got another one in row 2',
    ]);
    const { part } = await importOf(productRecipe({}, {}, { type: 'tsv', quote: null }), files);
    expect(part('products.ndjson')).toMatchObject([{ name: '12" PIPE' }]);
  });
});

describe('hostile files', () => {
  test('of many columns, long rows and quotes without end are refused', async () => {
    const tried = async (content: string | Uint8Array) =>
      (await importOf(productRecipe(), { 'catalog.csv': content })).lines;
    expect(await tried(Array.from({ length: 20_000 }, (_, index) => index).join())).toEqual([
      'catalog.csv: expected at most 16384 columns, got 20000 in row 1',
    ]);
    expect(await tried(Buffer.alloc(8_000_000, 'x'))).toEqual([
      'catalog.csv: expected rows of at most 4194304 characters, got a longer one in row 1',
    ]);
    expect(await tried(`Code,Name\n1,"${'x\n'.repeat(1000)}`)).toEqual([
      'catalog.csv: expected a closing quote for every opening quote, got none in row 2',
    ]);
  });

  test('that are no files are refused at once', async () => {
    const folder = temporaryFolder();
    onTestFinished(() => removeFolder(folder));
    const at = (name: string) => join(folder, name);
    writeFileSync(at('recipe.json'), JSON.stringify(productRecipe()));
    writeFileSync(at('catalog.empty'), '');
    mkdirSync(at('catalog.folder'));
    expect(spawnSync('mkfifo', [at('catalog.pipe')]).status).toBe(0);
    const tried = (name: string) =>
      importFiles({ recipe: at('recipe.json'), files: [at(name)], out: at('out'), ...times }, () => {});
    await expect(tried('catalog.empty')).rejects.toThrow('catalog.empty: expected a file with rows, got an empty file');
    await expect(tried('catalog.folder')).rejects.toThrow('catalog.folder: expected a file, got a folder');
    await expect(tried('catalog.pipe')).rejects.toThrow('catalog.pipe: expected a file, got a pipe or a device');
    await expect(tried('catalog.none')).rejects.toThrow('catalog.none: expected a file, got ENOENT');
  });

  test('without a header or rows', async () => {
    expect((await importOf(productRecipe({}, {}, { header_row: 4 }), { 'catalog.csv': 'a\nb\n' })).lines).toEqual([
      'catalog.csv: expected a header in row 4, got fewer rows',
    ]);
    expect((await importOf(productRecipe(), { 'catalog.csv': ',,\n1,2,3\n' })).lines).toEqual([
      'catalog.csv: expected a header in row 1, got a blank row',
    ]);
    expect((await importOf(productRecipe(), { 'catalog.csv': 'Code,Name\n' })).summary).toMatchObject({ products: 0 });
  });
});

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

  test('of another shape is refused', async () => {
    const tried = async (text: string, file = {}) => (await importItems(text, file)).lines[0];
    expect(await tried('{"a":[]}')).toBe('catalog.json: expected an array at /, got an object');
    expect(await tried('{"a":{}}', { records: '/b' })).toBe(
      'catalog.json: expected records in an array at /b, got none',
    );
    expect(await tried('[{"code":"1"')).toBe('catalog.json: expected whole JSON, got an end in the middle');
    expect(await tried('[{]')).toMatch(/^catalog\.json: expected JSON, got /);
    expect(await tried('"text"')).toBe('catalog.json: expected records in an array at /, got none');
    expect(await tried('['.repeat(1000))).toBe(
      'catalog.json: expected at most 100 levels of arrays and objects, got more',
    );
    expect(await tried(`["${'x'.repeat(5_000_000)}`)).toMatch(
      /^catalog\.json: expected records, got none in \d+ characters$/,
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
    expect(ndjson.lines[0]).toMatch(/^catalog\.ndjson name( \(\w+\))?: line 3: expected /);
    const broken = await importOf(productRecipe(rules, {}, { type: 'ndjson' }), { 'catalog.ndjson': '{}\n{"a":\n' });
    expect(broken.lines).toEqual(['catalog.ndjson: expected a JSON object a line, got something else in line 2']);
  });

  test('has a row for each entry of an inner list, and none for an empty one', async () => {
    const fields = { sku: 'code', store: 'stock.store', quantity: 'stock.qty' };
    const recipe = inventoryRecipe({ each: 'stock', fields }, {}, { type: 'json' });
    const items = [
      {
        code: '000001',
        stock: [
          { store: '0001', qty: 5 },
          { store: '0002', qty: 0 },
        ],
      },
      { code: '000002', stock: [] },
    ];
    const { part } = await importOf(recipe, { 'stock.json': JSON.stringify(items) });
    expect(part('inventory.ndjson').map(({ rows }) => rows)).toEqual([
      [
        ['0001', 5],
        ['0002', 0],
      ],
      [],
    ]);
  });

  test.each([
    ['nothing', { code: '000002' }, 'nothing'],
    ['null', { code: '000002', stock: null }, 'nothing'],
    ['a text', { code: '000002', stock: 'timeout' }, '"timeout"'],
    ['an object', { code: '000002', stock: { store: '0001', qty: 9 } }, 'an object'],
    ['a list of numbers', { code: '000002', stock: [5] }, '5 in a list'],
    ['a list with null', { code: '000002', stock: [{ store: '0001', qty: 9 }, null] }, 'nothing in a list'],
  ])('refuses %s in place of the list, whichever record comes first', async (_, record, got) => {
    const fields = { sku: 'code', store: 'stock.store', quantity: 'stock.qty' };
    const recipe = inventoryRecipe({ each: 'stock', fields }, {}, { type: 'json' });
    const sound = { code: '000001', stock: [{ store: '0001', qty: 5 }] };
    for (const items of [
      [record, sound],
      [sound, record],
    ]) {
      const { lines } = await importOf(recipe, { 'stock.json': JSON.stringify(items) });
      expect(lines[0]).toBe(
        `stock.json stock: record ${items.indexOf(record) + 1}: expected a list of objects, empty for no rows, got ${got}`,
      );
    }
  });

  test('refuses entries whose keys have other names, and takes a failed retrieval without a list', async () => {
    const status = { column: 'error', if_empty: 'succeeded', lookup: { succeeded: 'succeeded', timeout: 'failed' } };
    const fields = { sku: 'code', store: 'stock.store', quantity: 'stock.qty', status };
    const recipe = inventoryRecipe({ each: 'stock', fields }, {}, { type: 'json' });
    const renamed = [{ code: '000001', error: '', stock: [{ shop: '0001', quantity: 5 }] }];
    expect((await importOf(recipe, { 'stock.json': JSON.stringify(renamed) })).lines[0]).toMatch(
      /^stock\.json stock\./,
    );
    const failed = [
      { code: '000001', error: 'timeout' },
      { code: '000002', error: '', stock: [{ store: '0001', qty: 5 }] },
    ];
    const { lines, part } = await importOf(recipe, { 'stock.json': JSON.stringify(failed) });
    expect(lines).toEqual([]);
    expect(part('inventory.ndjson')).toMatchObject([{ status: 'failed' }, { status: 'succeeded' }]);
  });

  test.each([
    ['ndjson', '{"code":1}\n[{"code":2}]\n', 'a JSON object a line, got a list in line 2'],
    ['ndjson', '5', 'a JSON object a line, got 5 in line 1'],
    ['ndjson', '{"code":1}\nnull', 'a JSON object a line, got something else in line 2'],
    ['json', '[{"code":1},[2]]', 'records that are objects, got a list as record 2'],
    ['json', '["a"]', 'records that are objects, got "a" as record 1'],
    ['json', '[null]', 'records that are objects, got nothing as record 1'],
  ])('of %s refuses records that are no objects: %s', async (type, content, expected) => {
    const { lines } = await importOf(productRecipe({}, {}, { type }), { [`catalog.${type}`]: content });
    expect(lines).toEqual([`catalog.${type}: expected ${expected}`]);
  });
});
