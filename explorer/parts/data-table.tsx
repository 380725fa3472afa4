import type { ComponentChildren, VNode } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { type Cell, formatCsv } from '../../contract/csv.ts';
import { keepValue, takeKeptValue } from '../site/history-values.ts';
import { amountDigits, siteCurrency } from '../site/site-profile.ts';
import { type Highlight, useLitRows } from './highlight.ts';
import { mostPrinted, type RowChange, useRowWindow } from './row-window.ts';
import { saveText } from './save-text.ts';
import { ariaSort, columnWidths, sortedBy } from './table-columns.ts';
import { countNoun, countText } from './text.ts';

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
  /** For numbers where readers want the smallest: the first press of the heading sorts ascending. */
  readonly isSmallestFirst?: true;
  /** Hidden if all rows have the same value. The CSV file has it. */
  readonly isOptional?: true;
  /** Hidden in a narrow window. The CSV file has it. */
  readonly isMinor?: true;
  /** Only in the CSV file, because another column shows it. */
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

/**
 * A table that can be sorted by its headings and saved as CSV in the order shown. With a null `order`, rows keep the
 * order that they have. `isArranged`: the rows are already in the order that `order` describes, and headings only call
 * `onOrder`. `change`: see {@link useRowWindow}.
 */
export function DataTable<Row>({
  caption,
  columns,
  rows,
  file,
  order: given = null,
  isArranged = false,
  isCounted = true,
  change = 'other',
  rowKey,
  onOrder,
  highlight,
}: {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** The name of the CSV file, without extension. */
  readonly file: string;
  readonly order?: Order | null;
  readonly isArranged?: boolean;
  /** Whether it shows the number of rows; false if that is shown elsewhere. */
  readonly isCounted?: boolean;
  readonly change?: RowChange;
  readonly rowKey: (row: Row) => string | number;
  readonly onOrder?: (order: Order) => void;
  /** Highlights the marks of rows on a map, by row key, and is highlighted by the map. */
  readonly highlight?: Highlight;
}) {
  const orderName = `order of ${file}`;
  const [chosen, setChosen] = useState(() => orderFrom(takeKeptValue(orderName)) ?? given);
  const order = isArranged ? given : chosen;
  const sorted = useMemo(
    () => (isArranged ? rows : sortedBy(rows, columns, order)),
    [isArranged, rows, columns, isArranged ? null : order],
  );
  const shown = useMemo(
    () =>
      columns.flatMap((column, index) =>
        column.isOnlySaved || (column.isOptional && !isTelling(column, rows))
          ? []
          : [
              {
                ...column,
                index,
                look: [column.isNumber && 'number', column.isMinor && 'minor', column.isButton && 'for-button']
                  .filter(Boolean)
                  .join(' '),
              },
            ],
      ),
    [columns, rows],
  );
  const scrolled = useRef<HTMLElement>(null);
  const { isLong, start, end, onScroll } = useRowWindow(scrolled, sorted, change, `rows of ${file}`);
  const lightOf = useLitRows(highlight, scrolled, sorted, rowKey, isLong);
  const drawn = useDrawnRows<Row>(shown, isLong && lightOf === null);
  const sort = (column: number) => {
    const isNumber = columns[column]?.isNumber ?? false;
    const isDescending = order?.column === column ? !order.isDescending : isNumber && !columns[column]?.isSmallestFirst;
    setChosen({ column, isDescending });
    if (!isArranged) keepValue(orderName, { column, isDescending });
    onOrder?.({ column, isDescending });
    scrolled.current?.scrollTo(0, 0);
  };
  const save = () => {
    const saved = columns.filter(({ isDrawn, isButton }) => !isDrawn && !isButton);
    const hasAmounts = saved.some(({ isAmount }) => isAmount);
    const head = saved.map(savedHeading);
    const cells = sorted.map((row) => saved.map((column) => savedCell(column, row)));
    const [currency, withCurrency] = [siteCurrency(), hasAmounts ? [...head, 'Currency'] : head];
    saveText(`${file}.csv`, formatCsv(withCurrency, hasAmounts ? cells.map((row) => [...row, currency]) : cells));
  };
  return (
    <div class="table">
      <div class="table-top">
        <span role="status">{isCounted && countNoun(sorted.length, 'row')}</span>
        <button type="button" class="small" onClick={save} disabled={sorted.length === 0}>
          {saveLabel(sorted.length)}
        </button>
      </div>
      {sorted.length > mostPrinted && (
        <p class="printed">
          Only the first {countText(mostPrinted)} of {countNoun(sorted.length, 'row')} are printed. Filter the list, or
          save it as CSV.
        </p>
      )}
      {/* Focusable, so that the keyboard can scroll a table that is wider or taller than its box (WCAG 2.1.1). */}
      <section
        class={`scrolled${isLong ? ' long' : ''}${shown.filter(({ isMinor, isButton }) => !isMinor && !isButton).length < 5 ? ' few' : ''}`}
        ref={scrolled}
        aria-label={caption}
        tabIndex={0}
        onScroll={onScroll}
      >
        <table aria-rowcount={sorted.length + 1}>
          <caption>{caption}</caption>
          {isLong && <Widths columns={shown} rows={rows} />}
          <thead>
            <tr aria-rowindex={1}>
              {shown.map(({ label, index, look, isDrawn, isButton }) => (
                <th key={label} scope="col" class={look} aria-sort={ariaSort(order, index)}>
                  {isDrawn || isButton ? (
                    <span>{label}</span>
                  ) : (
                    <button type="button" onClick={() => sort(index)}>
                      {label}
                    </button>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {start > 0 && <GapRow key="above" rows={start} />}
            {sorted
              .slice(start, end)
              .map((row, index) =>
                drawn(row, start + index, () => (
                  <Row
                    key={isLong ? start + index : rowKey(row)}
                    row={row}
                    position={start + index}
                    columns={shown}
                    hasTitles={isLong}
                    light={lightOf?.(row)}
                  />
                )),
              )}
            {end < sorted.length && <GapRow key="below" rows={sorted.length - end} />}
          </tbody>
        </table>
      </section>
    </div>
  );
}

/** Draws rows and, if `isKept`, reuses rows drawn before. Scrolling then only creates the rows that come into view. */
function useDrawnRows<Of>(columns: readonly unknown[], isKept: boolean) {
  type Drawn = { readonly row: Of; readonly element: VNode };
  const last = useRef<{ readonly columns: readonly unknown[]; readonly rows: ReadonlyMap<number, Drawn> } | null>(null);
  const before = isKept && last.current?.columns === columns ? last.current.rows : null;
  const rows = new Map<number, Drawn>();
  last.current = { columns, rows };
  return (row: Of, position: number, draw: () => VNode): VNode => {
    const known = before?.get(position);
    const drawn = known?.row === row ? known : { row, element: draw() };
    rows.set(position, drawn);
    return drawn.element;
  };
}

/** The label of the button that saves the rows shown. */
function saveLabel(rows: number): string {
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

/** The order kept in the browser's history; null for anything else. */
function orderFrom(value: unknown): Order | null {
  const { column, isDescending } = (value ?? {}) as Partial<Order>;
  return typeof column === 'number' && typeof isDescending === 'boolean' ? { column, isDescending } : null;
}

/** Whether the values of a column differ. */
function isTelling<Row>({ value }: Column<Row>, rows: readonly Row[]): boolean {
  const first = rows[0] === undefined ? null : value(rows[0]);
  return rows.some((row) => value(row) !== first);
}

/** The full text of a cell that may be cut off. */
function fullText(cell: Cell): string | undefined {
  return typeof cell === 'string' && cell.length > 15 ? cell : undefined;
}

/** A table row. It is only drawn again if its data or its position changes, not with every scroll. */
function Row<Of>({
  row,
  position,
  columns,
  hasTitles,
  light,
}: {
  readonly row: Of;
  readonly position: number;
  readonly columns: readonly (Column<Of> & { readonly look: string })[];
  readonly hasTitles: boolean;
  readonly light: ReturnType<NonNullable<ReturnType<typeof useLitRows>>> | undefined;
}) {
  // A highlight does not change the cells.
  const cells = useMemo(
    () =>
      columns.map(({ label, value, show, look }) => (
        <td key={label} class={look} title={hasTitles ? fullText(value(row)) : undefined}>
          {show ? show(row) : (value(row) ?? '–')}
        </td>
      )),
    [row, columns, hasTitles],
  );
  return (
    <tr aria-rowindex={position + 2} {...light}>
      {cells}
    </tr>
  );
}

/** An empty row in place of the rows that are not in the document. */
function GapRow({ rows }: { readonly rows: number }) {
  return (
    <tr class="gap" style={{ height: `calc(${rows} * var(--row))` }}>
      <td />
    </tr>
  );
}

/** Fixes the column widths, based on the first set of rows. */
function Widths<Row>({
  columns,
  rows,
}: {
  readonly columns: readonly (Column<Row> & { readonly look: string })[];
  readonly rows: readonly Row[];
}) {
  const widths = useMemo(() => columnWidths(rows, columns), [columns.length]);
  return (
    <colgroup>
      {widths.map((width, index) => (
        <col key={columns[index]?.label} class={columns[index]?.look} style={{ '--width': `${width}ch` }} />
      ))}
    </colgroup>
  );
}
