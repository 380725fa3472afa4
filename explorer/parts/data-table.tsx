import type { VNode } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import type { Cell } from '../../contract/csv.ts';
import { keepValue, takeKeptValue } from '../site/history-values.ts';
import { type Highlight, useLitRows } from './highlight.ts';
import { mostPrinted, type RowChange, useRowWindow } from './row-window.ts';
import {
  ariaSort,
  type Column,
  columnWidths,
  nextOrder,
  type Order,
  type ShownColumn,
  shownColumns,
  sortedBy,
} from './table-columns.ts';
import { saveLabel, saveTable } from './table-file.ts';
import { countNoun, countText } from './text.ts';

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
  const [order, setOrder] = useOrder(file, given, isArranged);
  const sorted = useMemo(
    () => (isArranged ? rows : sortedBy(rows, columns, order)),
    [isArranged, rows, columns, isArranged ? null : order],
  );
  const shown = useMemo(() => shownColumns(columns, rows), [columns, rows]);
  const scrolled = useRef<HTMLElement>(null);
  const { isLong, start, end, onScroll } = useRowWindow(scrolled, sorted, change, `rows of ${file}`);
  const lightOf = useLitRows(highlight, scrolled, sorted, rowKey, isLong);
  const drawn = useDrawnRows<Row>(shown, isLong && lightOf === null);
  const sort = (column: number) => {
    const next = nextOrder(columns, order, column);
    setOrder(next);
    onOrder?.(next);
    scrolled.current?.scrollTo(0, 0);
  };
  const isOfFew = shown.filter(({ isMinor, isButton }) => !isMinor && !isButton).length < 5;
  return (
    <div class="table">
      <div class="table-top">
        <span role="status">{isCounted && countNoun(sorted.length, 'row')}</span>
        <button
          type="button"
          class="small"
          onClick={() => saveTable(file, columns, sorted)}
          disabled={sorted.length === 0}
        >
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
        class={`scrolled${isLong ? ' long' : ''}${isOfFew ? ' few' : ''}`}
        ref={scrolled}
        aria-label={caption}
        tabIndex={0}
        onScroll={onScroll}
      >
        <table aria-rowcount={sorted.length + 1}>
          <caption>{caption}</caption>
          {isLong && <Widths columns={shown} rows={rows} />}
          <Head columns={shown} order={order} onSort={sort} />
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

/**
 * The order of the rows, which the browser's history keeps under the name of the file. `isArranged`: it is always the
 * given one.
 */
function useOrder(file: string, given: Order | null, isArranged: boolean): [Order | null, (order: Order) => void] {
  const name = `order of ${file}`;
  const [chosen, setChosen] = useState(() => orderFrom(takeKeptValue(name)) ?? given);
  const choose = (order: Order) => {
    setChosen(order);
    if (!isArranged) keepValue(name, order);
  };
  return [isArranged ? given : chosen, choose];
}

/** The order kept in the browser's history; null for anything else. */
function orderFrom(value: unknown): Order | null {
  const { column, isDescending } = (value ?? {}) as Partial<Order>;
  return typeof column === 'number' && typeof isDescending === 'boolean' ? { column, isDescending } : null;
}

/** The headings, which sort the rows. */
function Head<Row>({
  columns,
  order,
  onSort,
}: {
  readonly columns: readonly ShownColumn<Row>[];
  readonly order: Order | null;
  readonly onSort: (column: number) => void;
}) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        {columns.map(({ label, index, look, isDrawn, isButton }) => (
          <th key={label} scope="col" class={look} aria-sort={ariaSort(order, index)}>
            {isDrawn || isButton ? (
              <span>{label}</span>
            ) : (
              <button type="button" onClick={() => onSort(index)}>
                {label}
              </button>
            )}
          </th>
        ))}
      </tr>
    </thead>
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
  readonly columns: readonly ShownColumn<Of>[];
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
  readonly columns: readonly ShownColumn<Row>[];
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
