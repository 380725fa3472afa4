import { cut } from '../../../contract/schemas/checked-value.ts';
import type { LineUnit } from '../../files/faults.ts';

/** The rows of a file, read once. With a header, `columns` are complete before the first row. */
export type Table = {
  readonly file: string;
  readonly unit: LineUnit;
  readonly columns: Columns;
  readonly hasHeader: boolean;
  readonly rows: AsyncIterable<Row>;
  /** Cells of joined files that belong to a row, by the names of their columns, such as `prices.Price`. */
  readonly joined?: ReadonlyMap<string, (row: Row) => Cell | undefined>;
  /** Where such a cell is, for messages. Null for a column of the table itself, or a row without a partner. */
  readonly placeOf?: (column: string, row: Row) => JoinedPlace | null;
};
/** A cell of a joined file: its column there, and its row. */
export type JoinedPlace = {
  readonly file: string;
  readonly unit: LineUnit;
  readonly line: number;
  readonly field: string;
};
/**
 * A value of a table. Text is as in the file. Workbooks and JSON also have numbers, dates and truth values, whose
 * `text` is what a person would type: `12.99`, even if the file has 12.990000000000002.
 */
export type Cell = string | TypedCell;
type TypedCell = {
  readonly kind: 'number' | 'boolean' | 'error' | ShownKind;
  readonly text: string;
  /** The number as its format shows it, if that is the format of a code: `000030` for 30. */
  readonly code?: string;
  /** The text that its format shows after the number, such as `cl`. */
  readonly unit?: string;
  /** Whether the number is from a workbook whose days count from 1904. */
  readonly isSince1904?: true;
};
/** Numbers that a workbook shows as something else. `currency`: a foreign one. */
export type ShownKind = 'date' | 'percentage' | 'currency';

/**
 * A row of a table, counted from 1 as its file counts. `isUnended`: the file ends in it, without a line break.
 * `isRepaired`: it has quotes within values, which are read as text. `isHidden`: the workbook does not show it.
 */
export type Row = {
  readonly number: number;
  readonly cells: readonly (Cell | undefined)[];
  readonly isUnended?: boolean;
  readonly isRepaired?: boolean;
  readonly isHidden?: boolean;
};

export function cellText(cell: Cell | undefined): string {
  return cell === undefined ? '' : typeof cell === 'string' ? cell : cell.text;
}

/** The text of a cell as the reader of a workbook sees it, with the zeros that the format of a code adds. */
export function codeText(cell: Cell | undefined): string {
  return (typeof cell === 'object' ? cell.code : undefined) ?? cellText(cell);
}

export function cellKind(cell: Cell | undefined): 'text' | TypedCell['kind'] {
  return cell === undefined || typeof cell === 'string' ? 'text' : cell.kind;
}

/**
 * A number as people write it. Spreadsheets compute with binary fractions and show 15 digits, so further digits are
 * noise, except in whole numbers, such as ids. A whole number that is too large to be exact gets an exponent, which no
 * conversion accepts, because nobody knows what the file had.
 */
export function numberCell(value: number): TypedCell {
  if (Number.isInteger(value)) {
    return { kind: 'number', text: Number.isSafeInteger(value) ? String(value) : value.toExponential() };
  }
  const rounded = Number(value.toPrecision(15));
  const text = String(rounded);
  return { kind: 'number', text: text.includes('e-') ? rounded.toFixed(15).replace(/\.?0+$/, '') : text };
}

/** White space of any kind, such as no-break spaces from web pages, and invisible marks. */
const blank = /[\s\u00a0\u200b\u2060\ufeff]/u;
const blanks = new RegExp(`${blank.source}+`, 'gu');

/** Trims without a pattern like `+$`, which would try every run of blanks in the text from each of its characters. */
export function trimmed(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && blank.test(text.charAt(start))) start += 1;
  while (end > start && blank.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

export function collapsed(text: string): string {
  return trimmed(text).replace(blanks, ' ');
}

export function isBlank(cells: readonly (Cell | undefined)[]): boolean {
  return cells.every((cell) => trimmed(cellText(cell)) === '');
}

/**
 * The columns of a table by name. If a name is in a header twice, its columns are `Price (1)` and `Price (2)`. JSON has
 * no header, so its columns appear as records name them. Columns of files with rows but no header are letters, and
 * appear as rows reach them.
 */
export class Columns {
  readonly #indexes = new Map<string, number>();
  readonly #ambiguous = new Map<string, number>();
  /** The number of cells in the header, with or without a name. */
  width = 0;
  /** The indexes of header cells without a name. */
  nameless: readonly number[] = [];

  /** The columns of a header row. Cells without text have no name. */
  static ofHeader(cells: readonly string[]): Columns {
    const columns = new Columns();
    columns.width = cells.length;
    const names = cells.map(collapsed);
    columns.nameless = [...names.keys()].filter((index) => names[index] === '');
    for (const name of names) columns.#ambiguous.set(name, (columns.#ambiguous.get(name) ?? 0) + 1);
    const seen = new Map<string, number>();
    for (const [index, name] of names.entries()) {
      if (name === '') continue;
      const nth = (seen.get(name) ?? 0) + 1;
      seen.set(name, nth);
      const unique = (columns.#ambiguous.get(name) ?? 0) > 1 ? `${name} (${nth})` : name;
      // A header may have `Price` twice and also `Price (1)`, which no rule can tell apart.
      if (columns.#indexes.has(unique)) columns.#ambiguous.set(unique, 2);
      columns.#indexes.set(unique, index);
    }
    for (const [name, count] of columns.#ambiguous) if (count > 1) columns.#indexes.delete(name);
    return columns;
  }

  /** Names columns without a header as a spreadsheet does, A, B, …, Z, AA, up to this number. */
  addLetters(count: number): void {
    for (let index = this.count; index < count; index += 1) this.#indexes.set(columnLetters(index), index);
  }

  /** The index of a column. Adds it if it is new. */
  add(name: string): number {
    const previous = this.#indexes.get(name);
    if (previous !== undefined) return previous;
    const index = this.#indexes.size;
    this.#indexes.set(name, index);
    return index;
  }

  indexOf(name: string): number | undefined {
    return this.#indexes.get(name);
  }

  get count(): number {
    return this.#indexes.size;
  }

  get names(): readonly string[] {
    return [...this.#indexes.keys()];
  }

  /** How many columns have this name in the header. */
  countOf(name: string): number {
    return this.#ambiguous.get(name) ?? (this.#indexes.has(name) ? 1 : 0);
  }
}

export function columnLetters(index: number): string {
  const rest = Math.floor(index / 26);
  return (rest > 0 ? columnLetters(rest - 1) : '') + String.fromCharCode(65 + (index % 26));
}

/** The index of column letters, such as 27 for `AB`. */
export function columnIndex(letters: string): number {
  let index = 0;
  for (const letter of letters) index = index * 26 + letter.charCodeAt(0) - 64;
  return index - 1;
}

/** A text from a file as a message shows it. */
export function quoted(text: string): string {
  return text === '' ? 'nothing' : `'${cut(text)}'`;
}
