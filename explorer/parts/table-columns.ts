import type { Column, Order } from './data-table.tsx';

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
