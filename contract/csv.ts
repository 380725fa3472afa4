export type Cell = string | number | null;

/**
 * Formats CSV (RFC 4180) whose lines end in CRLF. Texts come from sources, so one that a spreadsheet would compute as a
 * formula gets an apostrophe in front. Documents and other exports keep every text as it is.
 */
export function formatCsv(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [head, ...rows].map(csvLine).join('');
}

export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(formatField).join(',')}\r\n`;
}

function formatField(cell: Cell): string {
  if (cell === null) return '';
  const text = typeof cell === 'string' ? withoutFormulas(cell) : String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A tab or a line break at the start of a text can hide what follows it, and can begin a cell. */
const hidden = /^[\t\r\n]/;
/**
 * Where a formula begins: at the start of a text, or after a character that can separate cells. Its sign may also be a
 * full-width one.
 */
const beginnings = /(^|[,;|\t\r\n])([ \u00a0]*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/gu;

/** What a formula begins with, and what can hide or end a cell. Most texts have none of these. */
const suspicious = /[=+\-@\uff1d\uff0b\uff0d\uff20\t\r\n]/;

/** Texts that a spreadsheet computes get an apostrophe. Plain numbers, such as `+1801`, are not formulas. */
export function withoutFormulas(text: string): string {
  if (!suspicious.test(text) || /^[+-]?\d+(\.\d+)?$/.test(text)) return text;
  const safe = text.replace(beginnings, "$1$2'");
  return hidden.test(safe) ? `'${safe}` : safe;
}

/**
 * The cells of a row without its line end; null if RFC 4180 does not allow the row. A text whose quotes are not closed
 * continues on the next line, see {@link isOpen}.
 */
export function parseCsvRow(row: string): string[] | null {
  const cells: string[] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|$)/y;
  for (;;) {
    const match = field.exec(row);
    if (!match) return null;
    const [, quoted, plain = '', separator] = match;
    cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (separator === '') return cells;
  }
}

export function isOpen(line: string): boolean {
  return (line.split('"').length - 1) % 2 === 1;
}
