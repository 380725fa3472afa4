import { type Cell, formatCsv } from '../../contract/csv.ts';
import { amountDigits, siteCurrency } from '../site/site-profile.ts';
import type { Column } from './table-columns.ts';
import { countText } from './text.ts';

/** Saves the rows of a table as a CSV file. */
export function saveTable<Row>(file: string, columns: readonly Column<Row>[], rows: readonly Row[]): void {
  const saved = columns.filter(({ isDrawn, isButton }) => !isDrawn && !isButton);
  // Every row names the currency of its amounts.
  const currency = (cell: string) => (saved.some(({ isAmount }) => isAmount) ? [cell] : []);
  const head = [...saved.map(savedHeading), ...currency('Currency')];
  const cells = rows.map((row) => [...saved.map((column) => savedCell(column, row)), ...currency(siteCurrency())]);
  saveText(`${file}.csv`, formatCsv(head, cells));
}

/** The label of the button that saves the rows shown. */
export function saveLabel(rows: number): string {
  if (rows === 0) return 'Save as CSV';
  return rows === 1 ? 'Save this row as CSV' : `Save these ${countText(rows)} rows as CSV`;
}

function savedHeading<Row>({ label, isAmount, unit }: Column<Row>): string {
  const counted = isAmount ? siteCurrency() : unit;
  return counted === undefined ? label : `${label} (${counted})`;
}

/** Amounts are saved with all their digits, such as 12.90. */
function savedCell<Row>({ value, isAmount }: Column<Row>, row: Row): Cell {
  const cell = value(row);
  return isAmount && typeof cell === 'number' ? amountDigits(cell) : cell;
}

/** Saves a text as a file, without a request. */
function saveText(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
