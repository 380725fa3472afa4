/** A value of a table: what a column sorts by. */
export type Cell = string | number | null;

/**
 * A table as CSV (RFC 4180), in UTF-8 with lines that end in CRLF. A cell of null is empty. Names come from sources, so whatever a
 * spreadsheet would compute gets an apostrophe before it. Documents and exports have every text as it is.
 */
export function csvOf(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [head, ...rows].map((row) => `${row.map(fieldOf).join(',')}\r\n`).join('');
}

function fieldOf(cell: Cell): string {
  if (cell === null) return '';
  const text = typeof cell === 'string' ? withoutFormulas(cell) : String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A tab or a line break may hide what follows it, and begin a cell. */
const hidden = /^[\t\r\n]/;
/** What begins a formula, in full width too: in a text, and after a character that separates cells in some countries. */
const beginnings = /(^|[,;|\t\r\n])([ \u00a0]*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/gu;

/** A text in which a spreadsheet finds no formula. A plain number, such as a telephone number after a plus, is none. */
function withoutFormulas(text: string): string {
  if (/^[+-]?\d+(\.\d+)?$/.test(text)) return text;
  const safe = text.replace(beginnings, "$1$2'");
  return hidden.test(safe) ? `'${safe}` : safe;
}

/** Offers a text as a file. It is made in the page, so nothing is requested. */
export function saveText(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
