import { strToU8, type Zippable, zipSync } from 'fflate';
import { columnLetters } from '../../generator/import/tables/table.ts';

/** A cell as a test writes it: text, a number, a day number that is shown as a date, or XML. */
export type WorkbookCell = string | number | null | { readonly day: number } | { readonly xml: string };

export type WorkbookSheet = {
  readonly name: string;
  readonly rows: readonly (readonly WorkbookCell[])[];
  /** Numbers of rows, from 1, that are not shown. */
  readonly hiddenRows?: readonly number[];
  readonly isHidden?: boolean;
};

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006/relationships';
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** The files of a workbook, in the form that Excel writes. `others` are added or replace those of the same name. */
export function workbookFiles(
  sheets: readonly WorkbookSheet[],
  others: Readonly<Record<string, string>> = {},
): Zippable {
  const strings: string[] = [];
  const stringNumber = (text: string) => {
    const known = strings.indexOf(text);
    return known === -1 ? strings.push(text) - 1 : known;
  };
  const files: Record<string, string> = {};
  for (const [index, { rows, hiddenRows = [] }] of sheets.entries()) {
    const body = rows.map((cells, row) => rowXml(cells, row + 1, hiddenRows.includes(row + 1), stringNumber)).join('');
    files[`xl/worksheets/sheet${index + 1}.xml`] =
      `${head}<worksheet xmlns="${main}"><sheetData>${body}</sheetData></worksheet>`;
  }
  const list = sheets.map(
    ({ name, isHidden }, index) =>
      `<sheet name="${escaped(name)}"${isHidden ? ' state="hidden"' : ''} sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
  );
  files['xl/workbook.xml'] =
    `${head}<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>${list.join('')}</sheets></workbook>`;
  const targets = sheets.map(
    (_, index) =>
      `<Relationship Id="rId${index + 1}" Type="${relations}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
  );
  files['xl/_rels/workbook.xml.rels'] = `${head}<Relationships xmlns="${packages}">${targets.join('')}</Relationships>`;
  files['xl/styles.xml'] =
    `${head}<styleSheet xmlns="${main}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="22"/></cellXfs></styleSheet>`;
  const items = strings.map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`);
  files['xl/sharedStrings.xml'] = `${head}<sst xmlns="${main}">${items.join('')}</sst>`;
  const modified = new Date('2025-01-01T00:00:00Z');
  const all = Object.entries({ ...files, ...others });
  return Object.fromEntries(all.map(([name, text]) => [name, [strToU8(text), { mtime: modified }]]));
}

export function workbook(sheets: readonly WorkbookSheet[], others: Readonly<Record<string, string>> = {}): Uint8Array {
  return zipSync(workbookFiles(sheets, others));
}

function rowXml(
  cells: readonly WorkbookCell[],
  row: number,
  isHidden: boolean,
  stringNumber: (text: string) => number,
): string {
  return `<row r="${row}"${isHidden ? ' hidden="1"' : ''}>${cells.map((cell, column) => cellXml(cell, columnLetters(column) + row, stringNumber)).join('')}</row>`;
}

function cellXml(cell: WorkbookCell, place: string, stringNumber: (text: string) => number): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return `<c r="${place}"><v>${cell}</v></c>`;
  if (typeof cell === 'string') return `<c r="${place}" t="s"><v>${stringNumber(cell)}</v></c>`;
  return 'day' in cell ? `<c r="${place}" s="1"><v>${cell.day}</v></c>` : cell.xml.replace('<c', `<c r="${place}"`);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
