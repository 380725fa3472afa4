import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvLine, formatCsv, isOpen, parseCsvRow, withoutFormulas } from '../../contract/csv.ts';

const csvCell = (text: string) => formatCsv(['name'], [[text]]).slice('name\r\n'.length, -2);

test('cells have the quotes of RFC 4180, and null is an empty cell', () => {
  expect(
    formatCsv(
      ['a', 'b,c'],
      [
        [1.5, null],
        ['say "hi"', 'two\nlines'],
      ],
    ),
  ).toBe('a,"b,c"\r\n1.5,\r\n"say ""hi""","two\nlines"\r\n');
});

test('a text that a spreadsheet would compute gets an apostrophe, also in full width and after a separator', () => {
  for (const formula of ['=1+1', '+cmd', '-2+3', '@SUM(A1)', '＝1+1', '＋1+1', '－1+1', '＠SUM(A1)'])
    expect(csvCell(formula)).toBe(`'${formula}`);
  expect(csvCell(' =1+1')).toBe(" '=1+1");
  expect(csvCell('\t=1+1')).toBe("'\t'=1+1");
  expect(csvCell('\r=1+1')).toBe('"\'\r\'=1+1"');
  for (const separator of [';', '|', '; '])
    expect(csvCell(`Gin${separator}=HYPERLINK(A1)`)).toBe(`Gin${separator}'=HYPERLINK(A1)`);
  expect(csvCell('Gin, @home')).toBe('"Gin, \'@home"');
});

test('a text that no spreadsheet computes stays as it is', () => {
  for (const text of ['-12.5', '+18015551234', 'Half-and-half', 'a=b', 'Rum + Cola', "O'Brien", 'x@y.example'])
    expect(csvCell(text)).toBe(text);
});

test('the cells of a row can be read back, and a line with open quotes continues', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\r', '\n', ' ', '=', 'é'), maxLength: 6 });
  fc.assert(
    fc.property(fc.array(cell, { minLength: 1, maxLength: 5 }), (cells) => {
      const row = csvLine(cells).slice(0, -2);
      expect(isOpen(row)).toBe(false);
      expect(parseCsvRow(row)).toEqual(cells.map(withoutFormulas));
    }),
  );
  expect(isOpen('"two')).toBe(true);
  for (const row of ['a"b', '"a"b', '"a', 'a\r']) expect(parseCsvRow(row)).toBeNull();
});
