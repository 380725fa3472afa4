import type { FileRule } from '../recipe/recipe.ts';
import { fileFailure, type InputFile, limits, type OnBytes } from './input.ts';
import { inCodeFormat } from './number-format.ts';
import { type Cell, columnIndex, numberCell, type Row } from './table.ts';
import { openWorkbook } from './workbook-archive.ts';
import {
  readSheetNames,
  readWorkbook,
  type Sheet,
  unescaped,
  utf8,
  type Workbook,
  workbookXml,
} from './workbook-parts.ts';
import { readXml, type XmlHandler } from './xml.ts';

/** Excel's limits for a sheet. */
const mostRows = 1_048_576;

/**
 * The rows of a sheet, counted as the workbook counts. Without a name, takes the only sheet that is not hidden. Cells
 * have values, not the text that formats show; formulas have their last result. It is an error if a program did not
 * save that result.
 */
export async function* workbookRows(
  input: InputFile,
  { sheet: name }: FileRule,
  currency: string,
  onBytes: OnBytes,
): AsyncGenerator<Row> {
  const archive = await openWorkbook(input);
  try {
    const workbook = await readWorkbook(input, archive, currency);
    const sheet = chosenSheet(input, workbook.sheets, name ?? null);
    const reader = new SheetReader(input, workbook);
    // Progress counts bytes of the file, and the sheet is nearly all of it.
    const scale = input.size / Math.max(1, archive.size(sheet.file));
    for await (const length of readXml(input, utf8(input, archive.read(sheet.file)), workbookXml, reader.handler)) {
      onBytes(Math.round(length * scale));
      yield* reader.newRows();
    }
  } finally {
    archive.close();
  }
}

export async function sheetNames(input: InputFile): Promise<{ readonly shown: string[]; readonly hidden: string[] }> {
  const archive = await openWorkbook(input);
  try {
    const { named } = await readSheetNames(input, archive);
    const names = (wanted: boolean) => named.filter(({ isHidden }) => isHidden === wanted).map(({ name }) => name);
    return { shown: names(false), hidden: names(true) };
  } finally {
    archive.close();
  }
}

function chosenSheet(input: InputFile, sheets: readonly Sheet[], name: string | null): Sheet {
  const fitting = sheets.filter((sheet) => (name === null ? !sheet.isHidden : sheet.name.trim() === name.trim()));
  const [first, second] = fitting;
  if (first !== undefined && second === undefined) return first;
  const names = sheets.map((sheet) => sheet.name).join(', ');
  throw fileFailure(
    input.path,
    name === null ? 'a sheet in the recipe' : `a sheet ${name}`,
    `a workbook with ${names}`,
  );
}

class SheetReader {
  readonly #input: InputFile;
  readonly #workbook: Workbook;
  #rows: Row[] = [];
  #number = 0;
  #cells: Cell[] = [];
  #column = -1;
  #isHidden = false;
  #type = '';
  #style = 0;
  #text = '';
  #isValue = false;
  #isPhonetic = false;
  /** Whether the cell has a formula without a saved value. */
  #isUnsaved = false;

  constructor(input: InputFile, workbook: Workbook) {
    this.#input = input;
    this.#workbook = workbook;
  }

  newRows(): Row[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  readonly handler: XmlHandler = {
    open: (tag, attributes) => {
      if (tag === 'row') this.#startRow(attributes);
      else if (tag === 'c') this.#startCell(attributes);
      else if (tag === 'f') this.#isUnsaved = true;
      else if (tag === 'rPh') this.#isPhonetic = true;
      else this.#isValue = (tag === 'v' || tag === 't') && !this.#isPhonetic;
      // A formula may result in empty text, which has a type of its own.
      if (tag === 'v' && this.#type === 'str') this.#isUnsaved = false;
    },
    text: (text) => {
      if (!this.#isValue) return;
      this.#text += text;
      this.#isUnsaved = false;
    },
    close: (tag) => {
      this.#isValue = false;
      if (tag === 'rPh') this.#isPhonetic = false;
      if (tag === 'c') this.#cells[this.#column] = this.#cell();
      else if (tag === 'row')
        this.#rows.push({ number: this.#number, cells: this.#cells, ...(this.#isHidden && { isHidden: true }) });
    },
  };

  #startRow({ r: written, hidden }: Readonly<Record<string, string>>): void {
    this.#isHidden = hidden === '1' || hidden === 'true';
    const number = written === undefined ? this.#number + 1 : Number(written);
    if (!Number.isInteger(number) || number <= this.#number || number > mostRows)
      throw fileFailure(this.#input.path, `a row after row ${this.#number}, at most ${mostRows}`, `row ${written}`);
    this.#number = number;
    this.#cells = [];
    this.#column = -1;
  }

  #startCell({ r, t = 'n', s = '0' }: Readonly<Record<string, string>>): void {
    const column = r === undefined ? this.#column + 1 : columnIndex(r.replace(/\d+$/, ''));
    if (!(column > this.#column && column < limits.columns))
      throw fileFailure(this.#input.path, `cells in order, at most ${limits.columns} a row`, `cell ${r}`);
    this.#column = column;
    this.#type = t;
    this.#style = Number(s);
    this.#text = '';
    this.#isUnsaved = false;
  }

  #cell(): Cell {
    const text = this.#text;
    if (this.#isUnsaved) return { kind: 'error', text: 'a formula whose result was not saved' };
    switch (this.#type) {
      case 's':
        return this.#workbook.strings[Number(text)] ?? { kind: 'error', text: 'a text that the workbook lacks' };
      case 'str':
      case 'inlineStr':
        return unescaped(text);
      case 'b':
        return { kind: 'boolean', text: text === '1' ? 'TRUE' : 'FALSE' };
      case 'e':
        return { kind: 'error', text };
      case 'd':
        return { kind: 'date', text };
      default:
        return text === '' ? '' : this.#numeric(text);
    }
  }

  #numeric(text: string): Cell {
    const value = Number(text);
    if (!Number.isFinite(value)) return { kind: 'error', text };
    const { kind = null, code = null, unit = null } = this.#workbook.styles[this.#style] ?? {};
    if (kind === 'date') return dateCell(value, this.#workbook.isSince1904);
    const cell = numberCell(value);
    if (kind !== null) return { ...cell, kind };
    return {
      ...cell,
      ...(code !== null && /^\d+$/.test(cell.text) && { code: inCodeFormat(cell.text, code) }),
      ...(unit !== null && { unit }),
      ...(this.#workbook.isSince1904 && { isSince1904: true }),
    };
  }
}

const secondsPerDay = 86_400;

/**
 * The date of a day number, with the time if it has one: `2024-03-01T14:05:00`. Excel treats 1900 as a leap year: day
 * 60 does not exist, and earlier days count from another day.
 */
export function dateCell(serial: number, isSince1904: boolean): Cell {
  const days = Math.floor(serial);
  if (serial < 0 || days >= 2_958_466 || (days === 60 && !isSince1904)) return { kind: 'error', text: `day ${serial}` };
  const first = isSince1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30);
  const time = new Date(first + Math.round(serial * secondsPerDay) * 1000).toISOString();
  if (days === 0 && !isSince1904) return { kind: 'date', text: time.slice(11, 19) };
  return { kind: 'date', text: time.slice(11, 19) === '00:00:00' ? time.slice(0, 10) : time.slice(0, 19) };
}
