import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, onTestFinished, test } from 'vitest';
import { draftTables } from '../../generator/import/draft/draft-tables.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { importOf, inventoryRecipe, productRecipe, recipeHead } from './small-import.ts';
import { workbook } from './workbook-writer.ts';

const named = (sku: string, name: string) => expect.objectContaining({ sku, name });

describe('XML', () => {
  const file = { match: 'list*', type: 'xml', records: '/artiklar/artikel' };
  const xml = (content: string) => `<?xml version="1.0" encoding="utf-8"?>\n<artiklar>${content}</artiklar>`;

  test('has a record for each element at a path, with the elements and attributes in it as columns', async () => {
    const fields = {
      sku: 'nr.@kod',
      source_name: { join: { columns: ['Namn', 'Namn2'], with: ' ' } },
      name: 'Namn',
      size_ml: 'mått.Volymiml',
      size_text: 'Typ',
      price_minor: 'Pris',
    };
    const content = `<skapad-tid>2015-05-13 01:00</skapad-tid>
      <artikel><nr kod="000001"/><Namn>Ängs &amp; Malt</Namn><Namn2/><mått><Volymiml>700.00</Volymiml></mått><Typ>a</Typ><Typ>b</Typ><Pris>1468.00</Pris></artikel>
      <a:artikel xmlns:a="urn:a"><a:nr kod="000002"/><a:Namn><![CDATA[<B>]]></a:Namn></a:artikel>`;
    const { part, lines } = await importOf(productRecipe(fields, {}, file), { 'list.xml': xml(content) });
    expect(lines).toEqual([]);
    expect(part('products.ndjson')).toMatchObject([
      {
        sku: '000001',
        source_name: 'Ängs & Malt',
        size_ml: 700,
        size_text: 'a,b',
        price_minor: 146_800,
      },
      { sku: '000002', name: '<B>', size_ml: null, price_minor: null },
    ]);
  });

  test('has a list in a record, where none is a retrieval without rows', async () => {
    const stock = (code: string, inner: string) => `<artikel><Code>${code}</Code>${inner}</artikel>`;
    const row = (store: string, quantity: number) => `<butik><Store>${store}</Store><Qty>${quantity}</Qty></butik>`;
    const recipe = inventoryRecipe(
      {
        each: 'lager.butik',
        fields: { sku: 'Code', store: 'lager.butik.Store', quantity: 'lager.butik.Qty' },
      },
      {},
      { match: 'list*', type: 'xml', records: '/artiklar/artikel' },
    );
    const content = [
      stock('000001', `<lager>${row('0001', 3)}${row('0002', 0)}</lager>`),
      stock('000002', `<lager>${row('0001', 5)}</lager>`),
      stock('000003', '<lager/>'),
    ];
    const { part, lines } = await importOf(recipe, { 'list.xml': xml(content.join('')) });
    expect(lines).toEqual([]);
    expect(part('inventory.ndjson').map(({ sku, rows }) => [sku, rows])).toEqual([
      [
        '000001',
        [
          ['0001', 3],
          ['0002', 0],
        ],
      ],
      ['000002', [['0001', 5]]],
      ['000003', []],
    ]);
  });

  test.each([
    [
      'an end in the middle',
      xml('<artikel><Code>1</Code>').slice(0, -12),
      /^list\.xml: expected whole XML, got .*unclosed tag/,
    ],
    [
      'another path',
      xml('<vara><Code>1</Code></vara>'),
      /^list\.xml: expected elements at \/artiklar\/artikel, got none; its elements are \/artiklar, \/artiklar\/vara, /,
    ],
    [
      'another encoding',
      xml('').replace('utf-8', 'ISO-8859-1'),
      /^list\.xml: expected text in utf-8, got XML that says it is in ISO-8859-1; "encoding"/,
    ],
    [
      'a document type',
      `<!DOCTYPE a [<!ENTITY b "b">]>${xml('')}`.replace(/<\?.*\?>\n/, ''),
      /^list\.xml: expected XML without a document type/,
    ],
  ])('with %s is refused', async (_, content, message) => {
    const { lines } = await importOf(productRecipe({ sku: 'Code', source_name: 'Code', name: 'Code' }, {}, file), {
      'list.xml': content,
    });
    expect(lines).toEqual([expect.stringMatching(message)]);
  });

  test('needs the path of its records', async () => {
    const { lines } = await importOf(productRecipe({}, {}, { match: 'list*', type: 'xml' }), { 'list.xml': xml('') });
    expect(lines.join()).toContain('files.catalog.records: expected the path to the records, such as /list/item');
  });
});

describe('records that are members of an object', () => {
  const list = JSON.stringify({ data: { u1: { Code: '000009', Name: 'Äng' }, u2: { Code: '000010', Name: 'B' } } });

  test('are rows with their names as a column', async () => {
    const file = { match: 'list*', type: 'json', records: '/data', key: 'id' };
    const { part, lines } = await importOf(productRecipe({ sku: 'Code', status_raw: 'id' }, {}, file), {
      'list.json': list,
    });
    expect(lines).toEqual([]);
    expect(part('products.ndjson')).toMatchObject([
      { sku: '000009', name: 'Äng', status_raw: 'u1' },
      { sku: '000010', status_raw: 'u2' },
    ]);
  });

  test.each([
    [{}, list, 'an array at /data, got an object; "key" in the recipe reads its members, with their names as a column'],
    [{ key: 'id' }, '{"data":[{"Code":"1"}]}', 'an object at /data, as "key" in the recipe says, got an array'],
  ])('are asked for by a key: %o', async (more, content, message) => {
    const file = { match: 'list*', type: 'json', records: '/data', ...more };
    const { lines } = await importOf(productRecipe({}, {}, file), { 'list.json': content });
    expect(lines).toEqual([`list.json: expected ${message}`]);
  });

  test('are refused where a record has the column itself', async () => {
    const file = { match: 'list*', type: 'json', records: '/data', key: 'Code' };
    const { lines } = await importOf(productRecipe({ sku: 'Code' }, {}, file), { 'list.json': list });
    expect(lines[0]).toMatch(/^list\.json Code: 2 records \(1, 2\): expected a value, got/);
  });
});

test.each([
  [
    'list.xml',
    '<?xml version="1.0"?><artiklar><skapad>1</skapad><artikel><nr>000001</nr></artikel><artikel><nr>000002</nr></artikel></artiklar>',
    { type: 'xml', records: '/artiklar/artikel' },
  ],
  ['list.json', '{"a":{"Code":"000001"},"b":{"Code":"000002"}}', { type: 'json', key: 'key' }],
  ['list.json', '{"data":[{"Code":"000001"},{"Code":"000002"}]}', { type: 'json', records: '/data' }],
])('the draft of %s finds the records: %s', async (name, content, rule) => {
  const folder = temporaryFolder();
  onTestFinished(() => removeFolder(folder));
  writeFileSync(join(folder, name), content);
  const [table] = await draftTables(join(folder, name));
  expect(table?.rule).toEqual({ match: name, ...rule });
  expect(table?.values(rule.type === 'xml' ? 'nr' : 'Code')).toEqual(['000001', '000002']);
});

describe('files that are joined', () => {
  const recipe = (more = {}) => ({
    ...productRecipe({ sku: 'sku', source_name: 'name', name: 'name', price_minor: 'prices.Retail' }),
    files: { catalog: { match: 'list.csv', type: 'csv' }, prices: { match: 'prices*', type: 'csv', ...more } },
  });
  const joinedBy = (by: unknown, more = {}) => {
    const { products, ...rest } = recipe(more) as unknown as { products: object };
    return { ...rest, products: { ...products, joins: [{ file: 'prices', by }] } };
  };
  const list = 'sku,name\n000001,A\n000002,B\n000003,C\n';

  test('give a row the columns of the row with the same key', async () => {
    const { part, lines, summary } = await importOf(joinedBy({ sku: 'Code' }), {
      'list.csv': list,
      'prices.csv': 'Retail,Code,Time\n12.99,000002,9\n7.5,000001,9\n1.00,000009,9\n7.5,000001,10\n',
    });
    expect(lines).toEqual([]);
    expect(part('products.ndjson').map(({ price_minor }) => price_minor)).toEqual([750, 1299, null]);
    expect(summary?.notices).toEqual([
      "list.csv sku: row 4: expected a row of prices with the same value, got '000003'",
      "prices.csv: row 4: expected a row of list.csv with the same value, got '000009'",
    ]);
    expect(summary?.unused_columns).toEqual([{ file: 'prices.csv', columns: ['Time'] }]);
  });

  test.each([
    [
      'a key with two prices',
      'Retail,sku\n12.99,000001\n7.5,000001\n',
      "prices.csv sku: row 3: expected one row for each value, because it is joined, got '000001', which row 2 has too",
    ],
    [
      'no key in common',
      'Retail,sku\n12.99,1\n',
      'list.csv sku: expected values that rows of prices have, got none of them',
    ],
    [
      'no such column',
      'Price,sku\n12.99,000001\n',
      'prices.csv Retail: expected a column of this name, got Price, sku',
    ],
  ])('are refused with %s', async (_, prices, message) => {
    const { lines } = await importOf(joinedBy('sku'), { 'list.csv': list, 'prices.csv': prices });
    expect(lines).toContain(message);
  });

  test('are files of the recipe', async () => {
    const unknown = joinedBy('sku') as unknown as { products: { joins: { file: string }[] } };
    for (const one of unknown.products.joins) one.file = 'nosuch';
    const { lines } = await importOf(unknown as never, { 'list.csv': list, 'prices.csv': 'Retail,sku\n1,000001\n' });
    expect(lines.join('\n')).toContain('joins: expected one of catalog, prices, got nosuch');
  });
});

describe('codes that are made of names', () => {
  const recipe = {
    ...inventoryRecipe({
      fields: { sku: 'Code', store: { column: 'Store', as: 'name-code' }, quantity: 'Qty' },
    }),
    snapshot: {
      ...(recipeHead.snapshot as object),
      profile: { store_code: { pattern: '^[A-Z0-9-]{2,32}$', example: 'AKUREYRI' } },
    },
  };

  test('are the same each day, whatever the marks and the case', async () => {
    const rows = ['Akureyri', 'Höfuðborgin, Kringlan', 'AKUREYRI', 'Þórshöfn'];
    const { part, lines } = await importOf(recipe, {
      'stock.csv': `Code,Store,Qty\n${rows.map((name, index) => `00000${index + 1},"${name}",${index}\n`).join('')}`,
    });
    expect(lines).toEqual([]);
    expect(part('inventory.ndjson').map(({ rows }) => rows)).toEqual([
      [['AKUREYRI', 0]],
      [['HOFUDBORGIN-KRINGLAN', 1]],
      [['AKUREYRI', 2]],
      [['THORSHOFN', 3]],
    ]);
  });

  test('are a fault where two names have one', async () => {
    const { lines } = await importOf(recipe, { 'stock.csv': 'Code,Store,Qty\n000001,Hofn,1\n000002,Höfn,2\n' });
    expect(lines).toContain(
      'stock.csv Store: row 3: expected a name whose code is not that of \'Hofn\', HOFN; "lookup" or "replace" can tell them apart, got \'Höfn\'',
    );
  });
});

describe('what a workbook hides', () => {
  test('is read as its rows are, and named', async () => {
    const content = workbook([
      {
        name: 'List',
        rows: [
          ['Code', 'Name'],
          ['000001', 'A'],
          ['000002', 'B'],
        ],
        hiddenRows: [3],
      },
      { name: 'Old', rows: [['Code']], isHidden: true },
    ]);
    const { part, summary, lines } = await importOf(productRecipe({}, {}, { type: 'xlsx' }), {
      'catalog.xlsx': content,
    });
    expect(lines).toEqual([]);
    expect(part('products.ndjson')).toEqual([named('000001', 'A'), named('000002', 'B')]);
    expect(summary?.notices).toEqual([
      'catalog.xlsx: expected no hidden sheets, got Old, which is not read',
      'catalog.xlsx: row 3: expected rows that the workbook shows, got hidden ones, which are read too',
    ]);
  });
});

describe('an encoding', () => {
  const csv = 'Code,Name\n000001,Flöte\n';

  test.each([
    [
      'windows-1252',
      Buffer.from(csv),
      'expected text in windows-1252, got text in utf-8; "encoding" in the recipe names it',
    ],
    [
      'utf-16',
      Buffer.from(csv),
      'expected text in utf-16, got other text; "encoding" in the recipe names its encoding',
    ],
  ])('that the bytes are not in is refused: %s', async (encoding, content, message) => {
    const { lines } = await importOf(productRecipe({}, {}, { encoding }), { 'catalog.csv': content });
    expect(lines).toEqual([`catalog.csv: ${message}`]);
  });

  test.each([
    ['little', Buffer.from(csv, 'utf16le')],
    ['big', Buffer.from(csv, 'utf16le').swap16()],
  ])('of UTF-16 needs no mark, with the %s end first', async (_, content) => {
    const { part } = await importOf(productRecipe({}, {}, { encoding: 'utf-16' }), { 'catalog.csv': content });
    expect(part('products.ndjson')).toEqual([named('000001', 'Flöte')]);
  });
});

describe('packed files', () => {
  const csv = 'Code,Name\n000001,A\n';
  const packed = zipSync({ 'folder/catalog.csv': strToU8(csv), 'README.txt': strToU8('hello') });

  test.each([
    ['gzip', { 'catalog.csv.gz': gzipSync(csv) }, {}],
    ['gzip, named whole', { 'catalog.csv.gz': gzipSync(csv) }, { match: 'catalog.csv.gz' }],
    ['gzip without its ending', { 'catalog.csv': gzipSync(csv) }, {}],
    ['a ZIP file', { 'delivery.zip': packed }, {}],
    [
      'a ZIP file with a workbook',
      {
        'delivery.zip': zipSync({
          'catalog.xlsx': workbook([
            {
              name: 'A',
              rows: [
                ['Code', 'Name'],
                ['000001', 'A'],
              ],
            },
          ]),
        }),
      },
      { type: 'xlsx' },
    ],
  ])('in %s are read', async (_, files, file) => {
    const { part, lines } = await importOf(productRecipe({}, {}, file), files as never);
    expect(lines).toEqual([]);
    expect(part('products.ndjson')).toEqual([named('000001', 'A')]);
  });

  test.each([
    [
      'cut gzip',
      { 'catalog.csv.gz': gzipSync(csv).subarray(0, 25) },
      /^catalog\.csv\.gz: expected a whole gzip file, got unexpected end of file$/,
    ],
    [
      'damaged gzip',
      { 'catalog.csv.gz': gzipSync(csv).map((byte, index) => (index === 35 ? byte ^ 1 : byte)) },
      /^catalog\.csv\.gz: expected a whole gzip file, got incorrect/,
    ],
    ['a cut ZIP file', { 'delivery.zip': packed.subarray(0, 100) }, /^delivery\.zip: expected a ZIP file, got /],
    [
      'a ZIP file of others',
      { 'delivery.zip': zipSync({ 'a.txt': strToU8('a') }) },
      /^delivery\.zip: expected a ZIP file with a file of the recipe, got a\.txt$/,
    ],
    [
      'what fills the disk',
      { 'catalog.csv.gz': gzipSync(Buffer.alloc(64 * 1024 * 1024)) },
      /at most 200 times its packed size, got more$/,
    ],
    [
      'a fault in a row',
      { 'delivery.zip': zipSync({ 'catalog.csv': strToU8('Code,Name\n,A\n') }) },
      /^catalog\.csv Code: row 2: expected/,
    ],
  ])('that are %s are refused', async (_, files, message) => {
    const { lines } = await importOf(productRecipe(), files as never);
    expect(lines[0]).toMatch(message);
  });

  test('and others have the checksum that stands beside them', async () => {
    const sum = createHash('sha256').update(csv).digest('hex');
    const imported = (stated: string) =>
      importOf(productRecipe(), { 'catalog.csv': csv, 'catalog.csv.sha256': stated }, ['catalog.csv']);
    expect((await imported(`${sum}  catalog.csv\n`)).lines).toEqual([]);
    const other = 'f'.repeat(64);
    expect((await imported(other)).lines).toEqual([
      `catalog.csv: expected the SHA-256 ${other} that catalog.csv.sha256 states, got ${sum}`,
    ]);
    expect((await imported('nothing')).lines).toEqual([
      'catalog.csv.sha256: expected a SHA-256 of 64 digits, got something else',
    ]);
  });
});
