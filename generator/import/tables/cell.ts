/**
 * A value of a table. Text is as the file has it. Workbooks and JSON also have numbers, dates and truth values, whose
 * `text` is what a person would type: `12.99` also where the file has 12.990000000000002.
 */
export type Cell = string | TypedCell;
type TypedCell = { readonly kind: 'number' | 'boolean' | 'error' | ShownKind; readonly text: string };
/** Numbers that a workbook shows as something else. `currency` is any but dollars. */
export type ShownKind = 'date' | 'percentage' | 'currency';

/** A row of a table, counted from 1 as its file counts. `isUnended`: the file ends in it, without a line break. */
export type Row = {
  readonly number: number;
  readonly cells: readonly (Cell | undefined)[];
  readonly isUnended?: boolean;
};

export function textOf(cell: Cell | undefined): string {
  return cell === undefined ? '' : typeof cell === 'string' ? cell : cell.text;
}

export function kindOf(cell: Cell | undefined): 'text' | TypedCell['kind'] {
  return cell === undefined || typeof cell === 'string' ? 'text' : cell.kind;
}

/**
 * A number as people write it. Spreadsheets compute with binary fractions and show 15 digits, so digits after those are
 * noise, but for whole numbers, such as ids. Of one that is too large to be exact, nobody knows what the file has: it gets an
 * exponent, which no conversion takes.
 */
export function numberCell(value: number): TypedCell {
  if (Number.isInteger(value)) {
    return { kind: 'number', text: Number.isSafeInteger(value) ? String(value) : value.toExponential() };
  }
  const rounded = Number(value.toPrecision(15));
  const text = String(rounded);
  return { kind: 'number', text: text.includes('e-') ? rounded.toFixed(15).replace(/\.?0+$/, '') : text };
}

/** White space of any kind, such as the no-break spaces of web pages, and marks that nobody sees. */
const blank = /[\s\u00a0\u200b\u2060\ufeff]/u;
const blanks = new RegExp(`${blank.source}+`, 'gu');

/** A pattern that ends with `+$` would try every run of blanks in the text from each of its characters. */
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
  return cells.every((cell) => trimmed(textOf(cell)) === '');
}
