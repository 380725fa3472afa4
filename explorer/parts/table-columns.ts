import type { ComponentChildren } from 'preact';
import type { Cell } from '../../contract/csv.ts';

export type Column<Row> = {
  readonly label: string;
  readonly value: (row: Row) => Cell;
  /** What the cell shows. Default: its value, or a dash for null. */
  readonly show?: (row: Row) => ComponentChildren;
  /** The value to sort by. Default: the cell's value. */
  readonly rank?: (row: Row) => Cell;
  readonly isNumber?: true;
  /** An amount in the major unit of the site's currency, such as 12.99. */
  readonly isAmount?: true;
  /** The unit of the values, shown in the heading of the CSV file. */
  readonly unit?: string;
  /** Whether readers look for the smallest numbers, so that the first press of the heading sorts ascending. */
  readonly isSmallestFirst?: true;
  /** Whether the column is hidden if all rows have the same value. The CSV file still has it. */
  readonly isOptional?: true;
  /** Whether the column is hidden in a narrow window. The CSV file still has it. */
  readonly isMinor?: true;
  /** Whether the column is only in the CSV file, because another column shows the same. */
  readonly isOnlySaved?: true;
  /** A drawing: cannot be sorted, and is not in the CSV file. */
  readonly isDrawn?: true;
  /** A column of buttons, as narrow as they are: cannot be sorted, and is not in the CSV file. */
  readonly isButton?: true;
  /** The width in a long table, in characters. Default: what its values need, up to a limit. */
  readonly width?: number;
};

/** A column by its index, and the direction. */
export type Order = { readonly column: number; readonly isDescending: boolean };

/** A column that is shown: its index among all columns, and its classes. */
export type ShownColumn<Row> = Column<Row> & { readonly index: number; readonly look: string };

export function shownColumns<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): ShownColumn<Row>[] {
  return columns.flatMap((column, index) => {
    const { isOnlySaved, isOptional, isNumber, isMinor, isButton } = column;
    if (isOnlySaved || (isOptional && !isTelling(column, rows))) return [];
    const look = [isNumber && 'number', isMinor && 'minor', isButton && 'for-button'].filter(Boolean).join(' ');
    return [{ ...column, index, look }];
  });
}

/** Whether the values of a column differ. */
function isTelling<Row>({ value }: Column<Row>, rows: readonly Row[]): boolean {
  const first = rows[0] === undefined ? null : value(rows[0]);
  return rows.some((row) => value(row) !== first);
}

/** The order after the heading of a column is pressed. */
export function nextOrder<Row>(columns: readonly Column<Row>[], order: Order | null, column: number): Order {
  const { isNumber = false, isSmallestFirst = false } = columns[column] ?? {};
  return { column, isDescending: order?.column === column ? !order.isDescending : isNumber && !isSmallestFirst };
}

/** Sorted rows. Nulls come last in both directions, and equal rows keep their order. */
export function sortedBy<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  order: Order | null,
): readonly Row[] {
  const column = order && columns[order.column];
  if (!column) return rows;
  const sortKey = column.rank ?? column.value;
  const sign = order.isDescending ? -1 : 1;
  const keyed = rows.map((row) => ({ row, key: sortKey(row) }));
  keyed.sort((a, b) => {
    if (a.key === b.key) return 0;
    if (a.key === null) return 1;
    if (b.key === null) return -1;
    return a.key < b.key ? -sign : sign;
  });
  return keyed.map(({ row }) => row);
}

/** The minimum and maximum width of a column in a long table, in characters. */
const [narrowest, widest] = [7, 26];
const sampleSize = 300;

/**
 * Column widths for a long table, in characters, based on rows from all over it. Without fixed widths the columns would
 * shift while the reader scrolls, because only some rows are in the document.
 */
export function columnWidths<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): number[] {
  const step = Math.max(1, Math.floor(rows.length / sampleSize));
  const samples = rows.filter((_, index) => index % step === 0);
  return columns.map(({ label, value, width }) => {
    if (width !== undefined) return width;
    const lengths = samples.map((row) => String(value(row) ?? '').length);
    return Math.min(widest, Math.max(narrowest, longestWord(label) + 5, ...lengths.map((length) => length + 3)));
  });
}

/** A heading may wrap onto two lines. */
function longestWord(label: string): number {
  return Math.max(...label.split(' ').map((word) => word.length));
}

export function ariaSort(order: Order | null, column: number): 'ascending' | 'descending' | undefined {
  if (order?.column !== column) return undefined;
  return order.isDescending ? 'descending' : 'ascending';
}
