import { cut } from '../../../contract/schemas/checked-value.ts';
import type { LineUnit } from '../../files/faults.ts';

/** The rows of a file, read once. With a header, `columns` are complete before the first row. */
export type Table = {
  readonly file: string;
  readonly unit: LineUnit;
  readonly columns: Columns;
  readonly hasHeader: boolean;
  readonly rows: AsyncIterable<Row>;
  /** Cells of joined files by their column, such as `prices.Price`. */
  readonly joined?: ReadonlyMap<string, (row: Row) => Cell | undefined>;
  /** The place of a joined cell, for messages. Null for a column of the table itself, or a row without a partner. */
  readonly placeOf?: (column: string, row: Row) => JoinedPlace | null;
};
export type JoinedPlace = {
  readonly file: string;
  readonly unit: LineUnit;
  readonly line: number;
  readonly field: string;
};
/**
 * Text is as in the file. Workbooks and JSON also have numbers, dates and truth values, whose `text` is what a person
 * would type: `12.99`, even if the file has 12.990000000000002.
 */
export type Cell = string | TypedCell;
type TypedCell = {
  readonly kind: 'number' | 'boolean' | 'error' | ShownKind;
  readonly text: string;
  /** The number as the format of a code shows it: `000030` for 30. */
  readonly code?: string;
  /** The text that the format shows after the number, such as `cl`. */
  readonly unit?: string;
  readonly isSince1904?: true;
};
/** What a workbook shows instead of a plain number. `currency`: an amount in a foreign currency. */
export type ShownKind = 'date' | 'percentage' | 'currency';

/**
 * `number` counts from 1, as the file does. `isUnended`: the file ends here without a line break. `isRepaired`: quotes
 * within values were read as text. `isHidden`: the workbook does not show the row.
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

/** The cell as the reader of a workbook sees it, with the zeros that a code's format adds. */
export function codeText(cell: Cell | undefined): string {
  return (typeof cell === 'object' ? cell.code : undefined) ?? cellText(cell);
}

export function cellKind(cell: Cell | undefined): 'text' | TypedCell['kind'] {
  return cell === undefined || typeof cell === 'string' ? 'text' : cell.kind;
}

/**
 * A number as people write it. Spreadsheets compute with binary fractions and show 15 digits, so further digits are
 * noise, except in whole numbers such as ids. A whole number too large to be exact gets an exponent, which every
 * conversion refuses, because its digits are lost.
 */
export function numberCell(value: number): TypedCell {
  if (Number.isInteger(value)) {
    return { kind: 'number', text: Number.isSafeInteger(value) ? String(value) : value.toExponential() };
  }
  const rounded = Number(value.toPrecision(15));
  const text = String(rounded);
  return { kind: 'number', text: text.includes('e-') ? rounded.toFixed(15).replace(/\.?0+$/, '') : text };
}

/** Any white space, such as no-break spaces from web pages, and invisible marks. */
const blank = /[\s\u00a0\u200b\u2060\ufeff]/u;
const blanks = new RegExp(`${blank.source}+`, 'gu');

/** A pattern such as `+$` would try every run of blanks from each of its characters. */
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
 * The columns of a table by name. A name that is twice in a header becomes `Price (1)` and `Price (2)`. Columns of JSON
 * appear as records name them. Columns without a header are letters, and appear as rows reach them.
 */
export class Columns {
  readonly #indexes = new Map<string, number>();
  readonly #ambiguous = new Map<string, number>();
  /** How many cells the header has, with or without a name. */
  width = 0;
  /** Indexes of header cells without a name. */
  nameless: readonly number[] = [];

  /** Cells without text have no name. */
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
      // A header may have `Price` twice and also `Price (1)`; no rule can tell them apart.
      if (columns.#indexes.has(unique)) columns.#ambiguous.set(unique, 2);
      columns.#indexes.set(unique, index);
    }
    for (const [name, count] of columns.#ambiguous) if (count > 1) columns.#indexes.delete(name);
    return columns;
  }

  /** Names columns as a spreadsheet does: A, B, …, Z, AA, up to this number. */
  addLetters(count: number): void {
    for (let index = this.count; index < count; index += 1) this.#indexes.set(columnLetters(index), index);
  }

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

  countOf(name: string): number {
    return this.#ambiguous.get(name) ?? (this.#indexes.has(name) ? 1 : 0);
  }
}

export function columnLetters(index: number): string {
  const rest = Math.floor(index / 26);
  return (rest > 0 ? columnLetters(rest - 1) : '') + String.fromCharCode(65 + (index % 26));
}

/** The index of the column with these letters: 27 for `AB`. */
export function columnIndex(letters: string): number {
  let index = 0;
  for (const letter of letters) index = index * 26 + letter.charCodeAt(0) - 64;
  return index - 1;
}

export function quoted(text: string): string {
  return text === '' ? 'nothing' : `'${cut(text)}'`;
}
