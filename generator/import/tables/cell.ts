/**
 * A value of a table. Text is as the file has it. Workbooks and JSON also have numbers, dates and truth values, whose
 * `text` is what a person would type: `12.99` also where the file has 12.990000000000002.
 */
export type Cell = string | TypedCell;
type TypedCell = { readonly kind: 'number' | 'date' | 'boolean' | 'error'; readonly text: string };

/** A row of a table, counted from 1 as its file counts. */
export type Row = { readonly number: number; readonly cells: readonly (Cell | undefined)[] };

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
export function numberCell(value: number): Cell {
  if (Number.isInteger(value)) {
    return { kind: 'number', text: Number.isSafeInteger(value) ? String(value) : value.toExponential() };
  }
  const rounded = Number(value.toPrecision(15));
  const text = String(rounded);
  return { kind: 'number', text: text.includes('e-') ? rounded.toFixed(15).replace(/\.?0+$/, '') : text };
}

/** White space of any kind, such as the no-break spaces of web pages, and marks that nobody sees. */
const blanks = /[\s\u00a0\u200b\u2060\ufeff]+/gu;
const blanksAtEnds = /^[\s\u00a0\u200b\u2060\ufeff]+|[\s\u00a0\u200b\u2060\ufeff]+$/gu;

export function trimmed(text: string): string {
  return text.replace(blanksAtEnds, '');
}

export function collapsed(text: string): string {
  return trimmed(text).replace(blanks, ' ');
}

export function isBlank(cells: readonly (Cell | undefined)[]): boolean {
  return cells.every((cell) => trimmed(textOf(cell)) === '');
}
