import { strToU8, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { cellText } from '../../generator/import/tables/table.ts';
import { shownBy } from '../../generator/import/tables/workbook-parts.ts';
import { dateCell } from '../../generator/import/tables/workbook-rows.ts';
import { type Fields, importOf, inventoryRecipe, productRecipe } from './small-import.ts';
import { type WorkbookCell, workbook, workbookFiles } from './workbook-writer.ts';

const xlsx = { type: 'xlsx' };

function importRows(rows: readonly (readonly WorkbookCell[])[], fields: Fields = {}, file: Fields = {}) {
  const content = workbook([{ name: 'Prices', rows }]);
  return importOf(productRecipe(fields, {}, { ...xlsx, ...file }), { 'catalog.xlsx': content });
}

async function refusal(content: Uint8Array, file: Fields = {}) {
  const { lines } = await importOf(productRecipe({}, {}, { ...xlsx, ...file }), { 'catalog.xlsx': content });
  return lines.at(0);
}

describe('cells', () => {
  test('are text without signs of pronunciation, numbers, formulas and truth values', async () => {
    const rows = [
      ['Code', 'Name', 'Price'],
      [113, 'Cider & Perry', 12.990000000000002],
      [{ xml: '<c t="inlineStr"><is><r><t>000</t></r><r><t>114</t></r></is></c>' }, 'A_x000D_\nB', 7],
      [{ xml: '<c t="str"><f>A1</f><v>115</v></c>' }, { xml: '<c t="b"><v>1</v></c>' }, { xml: '<c t="n"/>' }],
      [
        116,
        { xml: '<c t="inlineStr"><is><t>日本酒</t><rPh sb="0" eb="3"><t>ニホンシュ</t></rPh><phoneticPr/></is></c>' },
      ],
    ];
    const { part } = await importRows(rows, { price_minor: 'Price', name: { column: 'Name', spaces: 'collapse' } });
    expect(part('products.ndjson').map(({ sku, name, price_minor }) => [sku, name, price_minor])).toEqual([
      ['000113', 'Cider & Perry', 1299],
      ['000114', 'A B', 700],
      ['000115', 'TRUE', null],
      ['000116', '日本酒', null],
    ]);
  });

  test('of a formula whose result was not saved are refused where they are used', async () => {
    const rows = [
      ['Code', 'Name', 'Price', 'Sum'],
      [1, 'a', { xml: '<c><f>1+1</f><v/></c>' }, { xml: '<c><f>1+1</f><v/></c>' }],
      [2, { xml: '<c t="str"><f>A1</f></c>' }, 7, { xml: '<c><f t="shared" si="0"/></c>' }],
      [3, 'c', { xml: '<c t="str"><f>""</f><v></v></c>' }, 9],
    ];
    const { lines } = await importRows(rows, { price_minor: 'Price' });
    expect(lines.slice(0, -1)).toEqual([
      "catalog.xlsx Price: row 2: expected a value, got 'a formula whose result was not saved'",
      "catalog.xlsx Name: row 3: expected a value, got 'a formula whose result was not saved'",
    ]);
  });

  test('with an error or a date where a code belongs are refused', async () => {
    const { lines } = await importRows([
      ['Code', 'Name'],
      [{ day: 45_000 }, 'n'],
      [{ xml: '<c t="e"><v>#N/A</v></c>' }, 'n'],
      [6.03e20, 'n'],
    ]);
    expect(lines.slice(0, -1)).toEqual([
      'catalog.xlsx Code: row 2: expected a code, not a date, got the date 2023-03-15',
      "catalog.xlsx Code: row 3: expected a value, got '#N/A'",
      "catalog.xlsx Code: row 4: expected a code of digits, not a number in scientific notation, got '6.03e+20'",
    ]);
  });

  test('shown in percent or in another currency are refused as prices, counts and sizes', async () => {
    const formats = ['[$€-407] #,##0.00', '0%', '[$$-409]#,##0.00'];
    const numFmts = formats.map((format, index) => `<numFmt numFmtId="${164 + index}" formatCode="${format}"/>`);
    const xfs = [0, 164, 165, 166, 10].map((id) => `<xf numFmtId="${id}"/>`);
    const styles = `<styleSheet><numFmts>${numFmts.join('')}</numFmts><cellXfs>${xfs.join('')}</cellXfs></styleSheet>`;
    const cell = (style: number, value: number) => ({ xml: `<c s="${style}"><v>${value}</v></c>` });
    const rows = [
      ['Code', 'Name', 'Price', 'Pack', 'Size'],
      [1, 'a', cell(1, 12.99), cell(2, 1), cell(4, 7.5)],
      [2, 'b', cell(3, 12.99), 1, 750],
    ];
    const recipe = productRecipe({ price_minor: 'Price', pack_count: 'Pack', size_ml: 'Size' }, {}, xlsx);
    const tried = (some: typeof rows) =>
      importOf(recipe, { 'catalog.xlsx': workbook([{ name: 'Prices', rows: some }], { 'xl/styles.xml': styles }) });
    expect((await tried(rows)).lines.slice(0, -1)).toEqual([
      "catalog.xlsx Size: row 2: expected a size, not a percentage, got '7.5'",
      "catalog.xlsx Pack: row 2: expected a whole number, not a percentage, got '1'",
      "catalog.xlsx Price: row 2: expected a price, not an amount in another currency, got '12.99'",
    ]);
    expect((await tried(rows.toSpliced(1, 1))).part('products.ndjson')).toMatchObject([{ price_minor: 1299 }]);
  });

  test('of rows are counted as the workbook counts, with titles above and blank rows between', async () => {
    const rows = [['Price book'], [], ['Code', 'Name'], [1, 'a'], [], [null, null], ['x', 'b']];
    const { lines } = await importRows(rows, {}, { header_row: 3 });
    expect(lines[0]).toBe("catalog.xlsx Code: row 7: expected a code of digits, got 'x'");
  });

  test.each([
    [45_719.461805555555, false, '2025-03-03T11:05:00'],
    [59, false, '1900-02-28'],
    [60, false, 'day 60'],
    [0.5, false, '12:00:00'],
    [44_257, true, '2025-03-03'],
  ])('the day %d is %s', (serial, isSince1904, text) => expect(cellText(dateCell(serial, isSince1904))).toBe(text));

  test.each([
    ['date', ['[$-409]m/d/yy h:mm AM/PM;@', '[h]:mm:ss']],
    [null, ['General', '"day" 0', '$#,##0.00_);($#,##0.00)', '_([$$-409]* #,##0.00_)', '0.00 "USD"']],
    ['currency', ['#,##0.00 [$€-407]', '[$$-1009]#,##0.00', '0.00 "EUR"']],
    ['percentage', ['0.0"%"']],
  ])('%s is shown by formats', (shown, formats) => {
    for (const format of formats) expect(shownBy(format, 'USD'), format).toBe(shown);
  });

  test.each([
    ['EUR', '#,##0.00 "kr"', 'currency'],
    ['NOK', '#,##0.00 "kr"', null],
    ['EUR', '0.00" Kč"', 'currency'],
    ['USD', '0.00 "each"', null],
    ['CAD', '"dollars" 0.00', null],
  ])('in %s, %s is shown as %s', (currency, format, shown) => expect(shownBy(format, currency)).toBe(shown));

  test('that are plain numbers of days count from where the workbook counts', async () => {
    const rows = [
      ['Code', 'Store', 'Qty', 'Time'],
      ['000001', '0001', 3, 44_257],
    ];
    const recipe = inventoryRecipe(
      {
        fields: {
          sku: 'Code',
          store: 'Store',
          quantity: 'Qty',
          source_updated_at: { column: 'Time', format: 'spreadsheet', zone: 'UTC' },
        },
      },
      {},
      { type: 'xlsx' },
    );
    const others = (text: string) => {
      const [file] = workbookFiles([{ name: 'A', rows }])['xl/workbook.xml'] as [Uint8Array, object];
      const xml = new TextDecoder().decode(file);
      return { 'xl/workbook.xml': xml.replace('<sheets>', `${text}<sheets>`) };
    };
    const timeOf = async (text: string) => {
      const content = workbook([{ name: 'A', rows }], others(text));
      const { part } = await importOf(recipe, { 'stock.xlsx': content });
      return part('inventory.ndjson')[0]?.source_updated_at;
    };
    expect(await timeOf('<workbookPr date1904="1"/>')).toBe('2025-03-03T00:00:00Z');
    expect(await timeOf('')).toBe('2021-03-02T00:00:00Z');
  });
});

test('sheets are chosen by name', async () => {
  const sheet = (name: string, code: number) => ({
    name,
    rows: [
      ['Code', 'Name'],
      [code, 'n'],
    ],
  });
  const two = workbook([sheet('Notes', 1), sheet('Prices', 2)]);
  const { part } = await importOf(productRecipe({}, {}, { ...xlsx, sheet: 'Prices' }), { 'catalog.xlsx': two });
  expect(part('products.ndjson')).toMatchObject([{ sku: '000002' }]);
  expect(await refusal(two)).toBe('catalog.xlsx: expected a sheet in the recipe, got a workbook with Notes, Prices');
  expect(await refusal(two, { sheet: 'Price' })).toBe(
    'catalog.xlsx: expected a sheet Price, got a workbook with Notes, Prices',
  );
});

describe('hostile workbooks', () => {
  const sheets = [
    {
      name: 'Prices',
      rows: [
        ['Code', 'Name'],
        [1, 'n'],
      ],
    },
  ];
  const sheetFile = 'xl/worksheets/sheet1.xml';
  const withFile = (name: string, text: string) => workbook(sheets, { [name]: text });

  test('that unpack to much more than they are', async () => {
    const cells = `<row><c><v>${' '.repeat(1000)}1</v></c></row>`.repeat(25_000);
    const head = '<row><c t="inlineStr"><is><t>Code</t></is></c><c t="inlineStr"><is><t>Name</t></is></c></row>';
    const bomb = withFile(sheetFile, `<worksheet><sheetData>${head}${cells}</sheetData></worksheet>`);
    expect(bomb.length).toBeLessThan(1_000_000);
    expect(await refusal(bomb)).toBe(
      `catalog.xlsx: expected ${sheetFile} of at most 200 times its packed size, got more`,
    );
  });

  test.each([
    [
      '<!DOCTYPE s [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;">]><worksheet>&b;</worksheet>',
      'expected XML without a document type, got one with it',
    ],
    ['<worksheet><sheetData></worksheet>', 'expected an XLSX workbook of XML in UTF-8, got '],
    [
      '<worksheet><sheetData><row r="1"/><row r="1"/></sheetData></worksheet>',
      'expected a row after row 1, at most 1048576, got row 1',
    ],
    [
      '<worksheet><sheetData><row r="1"><c r="ZZZZ1"/></row></sheetData></worksheet>',
      'expected cells in order, at most 16384 a row, got cell ZZZZ1',
    ],
  ])('of %s', async (xml, message) => {
    expect(await refusal(withFile(sheetFile, xml))).toContain(`catalog.xlsx: ${message}`);
  });

  test('whose bytes are not those of their checksums', async () => {
    const bytes = Buffer.from(zipSync(workbookFiles(sheets), { level: 0 }));
    bytes.write('Mane', bytes.indexOf('Name'));
    expect(await refusal(bytes)).toBe(
      'catalog.xlsx: expected xl/sharedStrings.xml with the checksum that its archive states, got another: the file is damaged',
    );
  });

  test('that are no workbooks, are damaged, or lack parts', async () => {
    expect(await refusal(strToU8('Code,Name\n1,n\n'))).toBe(
      'catalog.xlsx: expected an XLSX workbook, got text; "type" in the recipe may be csv',
    );
    expect(await refusal(strToU8('<html><body><table>'))).toMatch(/got HTML or XML under the name of a workbook/);
    const compound = Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0);
    expect(await refusal(compound)).toMatch(/got an \.xls workbook, or one with a password/);
    expect(await refusal(zipSync({ 'a.txt': strToU8('a') }))).toBe(
      'catalog.xlsx: expected an XLSX workbook with xl/workbook.xml, got none',
    );
    const whole = workbook(sheets);
    for (const damaged of [whole.subarray(0, whole.length - 30), Uint8Array.from(whole).fill(255, 60, 160)])
      expect(await refusal(damaged)).toMatch(/^catalog\.xlsx: expected an XLSX workbook/);
    const { [sheetFile]: _, ...rest } = workbookFiles(sheets);
    expect(await refusal(zipSync(rest))).toBe(`catalog.xlsx: expected an XLSX workbook with ${sheetFile}, got none`);
  });
});

describe('number formats', () => {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  /** A style sheet whose style n has format n, from 1. */
  const styles = (formats: readonly string[]) => {
    const list = formats.map(
      (format, at) => `<numFmt numFmtId="${170 + at}" formatCode="${format.replaceAll('"', '&quot;')}"/>`,
    );
    const cells = formats.map((_, at) => `<xf numFmtId="${170 + at}"/>`);
    return `<styleSheet xmlns="${main}"><numFmts>${list.join('')}</numFmts><cellXfs><xf numFmtId="0"/>${cells.join('')}</cellXfs></styleSheet>`;
  };
  const shown = (value: number, style: number): WorkbookCell => ({ xml: `<c s="${style}"><v>${value}</v></c>` });
  const importShown = (
    formats: readonly string[],
    values: readonly number[],
    rules: Fields,
    others: Readonly<Record<string, string>> = {},
  ) => {
    const rows = values.map((value, at) => [at + 1, 'n', shown(value, at + 1)]);
    const content = workbook([{ name: 'Prices', rows: [['Code', 'Name', 'Shown'], ...rows] }], {
      'xl/styles.xml': styles(formats),
      ...others,
    });
    return importOf(productRecipe(rules, {}, xlsx), { 'catalog.xlsx': content });
  };

  test('show zeros and letters that belong to codes, bar codes and postal codes', async () => {
    const formats = [
      '000000',
      '"A"0000',
      '00\\-000',
      '0000000000000',
      '[$-409]00000',
      '[Red]0000;-0000',
      '0',
      '0" kg"',
    ];
    const values = [30, 123, 12_345, 76_080_001_234, 2138, 12_345, 7, 8];
    const { part } = await importShown(formats, values, { name: 'Shown' });
    expect(part('products.ndjson').map(({ name }) => name)).toEqual([
      '000030',
      'A0123',
      '12-345',
      '0076080001234',
      '02138',
      '12345',
      '7',
      '8',
    ]);
    const codes = await importShown(['000000', '00-0000'], [30, 1234], { sku: 'Shown', name: 'Code' });
    expect(codes.lines.slice(0, 1)).toEqual([
      expect.stringContaining("Shown: row 3: expected a code of digits, got '00-1234'"),
    ]);
  });

  test('change no amount, and show the unit of a size', async () => {
    const { part } = await importShown(['0000', '0.00', '#,##0'], [12, 12.5, 1234], { price_minor: 'Shown' });
    expect(part('products.ndjson').map(({ price_minor }) => price_minor)).toEqual([1200, 1250, 123_400]);
    const sizes = await importShown(['0.00" L"', '0" cl"', '0\\ \\m\\l', '0'], [0.75, 70, 500, 375], {
      size_ml: 'Shown',
    });
    expect(sizes.part('products.ndjson').map(({ size_ml }) => size_ml)).toEqual([750, 700, 500, 375]);
  });

  test('are found by the relations of the workbook, whatever its parts are called', async () => {
    const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
    const packages = 'http://schemas.openxmlformats.org/package/2006/relationships';
    const relation = (id: string, type: string, target: string) =>
      `<Relationship Id="${id}" Type="${relations}/${type}" Target="${target}"/>`;
    const { lines } = await importShown(
      ['0.00'],
      [5],
      { price_minor: 'Shown' },
      {
        'xl/Formats/Other.xml': styles(['0%']),
        'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packages}">${relation('rId1', 'worksheet', '/XL/Worksheets/Sheet1.XML')}${relation('s', 'styles', './formats/other.xml')}</Relationships>`,
        '_rels/.rels': `<Relationships xmlns="${packages}">${relation('r', 'officeDocument', 'XL/workbook.xml')}</Relationships>`,
      },
    );
    expect(lines[0]).toBe("catalog.xlsx Shown: row 2: expected a price, not a percentage, got '5'");
  });

  test('of a key do not keep its rows from those of another file', async () => {
    const recipe = productRecipe(
      { sku: { column: 'No', pad: 6 }, name: 'names.Name', source_name: 'names.Name' },
      {},
      { ...xlsx, match: 'catalog.xlsx' },
    );
    const rows = [['No'], [shown(30, 1)], [shown(7, 1)]];
    const content = workbook([{ name: 'P', rows }], { 'xl/styles.xml': styles(['000000']) });
    const files = { ...(recipe.files as object), names: { match: 'names.csv', type: 'csv' } };
    const products = { ...(recipe.products as object), joins: [{ file: 'names', by: { No: 'Code' } }] };
    const { part } = await importOf(
      { ...recipe, files, products },
      { 'catalog.xlsx': content, 'names.csv': 'Code,Name\n000030,Thirty\n7,Seven\n' },
    );
    expect(part('products.ndjson').map(({ sku, name }) => [sku, name])).toEqual([
      ['000030', 'Thirty'],
      ['000007', 'Seven'],
    ]);
  });
});
