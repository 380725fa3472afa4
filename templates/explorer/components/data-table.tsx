import type { ComponentChildren } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { type Cell, csvOf, saveText } from './csv.ts';
import { countOf } from './text.ts';

export type Column<Row> = {
  readonly label: string;
  readonly value: (row: Row) => Cell;
  /** What the cell shows. Default: its value, and a dash for null. */
  readonly show?: (row: Row) => ComponentChildren;
  readonly isNumber?: true;
};

/** A column by its number, and whether its largest value comes first. */
export type Order = { readonly column: number; readonly isDescending: boolean };

/** Rows have one height where not all of them are in the page, in pixels. */
const rowHeight = 36;
/** A longer table scrolls, and only the rows in sight are in the page. */
const mostRows = 150;
const spareRows = 10;

/**
 * A table that sorts by the headings of its columns, and that saves itself as CSV in the order shown. `order` null: the rows' own
 * order.
 */
export function DataTable<Row>({
  caption,
  columns,
  rows,
  file,
  order: first = null,
  keyOf,
  onOrder,
}: {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** The name of the CSV file, without its extension. */
  readonly file: string;
  readonly order?: Order | null;
  readonly keyOf: (row: Row) => string | number;
  readonly onOrder?: (order: Order) => void;
}) {
  const [order, setOrder] = useState<Order | null>(first);
  const [top, setTop] = useState(0);
  const scrolled = useRef<HTMLElement>(null);
  const sorted = useMemo(() => sortedBy(rows, columns, order), [rows, columns, order]);
  const isLong = sorted.length > mostRows;
  const inSight = Math.ceil((scrolled.current?.clientHeight ?? 800) / rowHeight);
  const start = isLong ? Math.max(0, Math.min(Math.floor(top / rowHeight), sorted.length - inSight) - spareRows) : 0;
  const end = isLong ? Math.min(sorted.length, start + inSight + 2 * spareRows) : sorted.length;
  const sort = (column: number) => {
    const isNumber = columns[column]?.isNumber ?? false;
    const isDescending = order?.column === column ? !order.isDescending : isNumber;
    setOrder({ column, isDescending });
    onOrder?.({ column, isDescending });
    scrolled.current?.scrollTo(0, 0);
  };
  const save = () =>
    saveText(
      `${file}.csv`,
      csvOf(
        columns.map(({ label }) => label),
        sorted.map((row) => columns.map(({ value }) => value(row))),
      ),
    );
  return (
    <div class="table">
      <div class="table-top">
        <span role="status">{countOf(sorted.length, 'row')}</span>
        <button type="button" class="small" onClick={save} disabled={sorted.length === 0}>
          Save as CSV
        </button>
      </div>
      {/* Focus lets the keyboard scroll a table that is wider or longer than its place (WCAG 2.1.1). */}
      <section
        class={isLong ? 'scrolled long' : 'scrolled'}
        ref={scrolled}
        aria-label={caption}
        tabIndex={0}
        onScroll={(event) => isLong && setTop(event.currentTarget.scrollTop)}
      >
        <table aria-rowcount={sorted.length + 1}>
          <caption>{caption}</caption>
          <thead>
            <tr aria-rowindex={1}>
              {columns.map(({ label, isNumber }, index) => (
                <th key={label} scope="col" class={isNumber ? 'number' : undefined} aria-sort={sortOf(order, index)}>
                  <button type="button" onClick={() => sort(index)}>
                    {label}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {start > 0 && <Gap rows={start} columns={columns.length} />}
            {sorted.slice(start, end).map((row, index) => (
              <tr key={keyOf(row)} aria-rowindex={start + index + 2}>
                {columns.map(({ label, value, show, isNumber }) => (
                  <td key={label} class={isNumber ? 'number' : undefined}>
                    {show ? show(row) : (value(row) ?? '–')}
                  </td>
                ))}
              </tr>
            ))}
            {end < sorted.length && <Gap rows={sorted.length - end} columns={columns.length} />}
          </tbody>
        </table>
      </section>
    </div>
  );
}

/** The place of rows that are not in the page. */
function Gap({ rows, columns }: { readonly rows: number; readonly columns: number }) {
  return (
    <tr class="gap" style={{ height: rows * rowHeight }}>
      <td colSpan={columns} />
    </tr>
  );
}

function sortOf(order: Order | null, column: number): 'ascending' | 'descending' | undefined {
  if (order?.column !== column) return undefined;
  return order.isDescending ? 'descending' : 'ascending';
}

/** Rows in an order. Nulls come last either way, and equal rows keep their own order. */
function sortedBy<Row>(rows: readonly Row[], columns: readonly Column<Row>[], order: Order | null): readonly Row[] {
  const value = order && columns[order.column]?.value;
  if (!value) return rows;
  const sign = order.isDescending ? -1 : 1;
  const keyed = rows.map((row) => ({ row, key: value(row) }));
  keyed.sort((a, b) => {
    if (a.key === b.key) return 0;
    if (a.key === null) return 1;
    if (b.key === null) return -1;
    return a.key < b.key ? -sign : sign;
  });
  return keyed.map(({ row }) => row);
}
