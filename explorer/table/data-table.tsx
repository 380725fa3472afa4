import type { ComponentChildren, VNode } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { type Cell, csvOf } from '../../contract/csv.ts';
import { keepValue, takeKeptValue } from '../app/history-values.ts';
import { amountDigits, siteCurrency } from '../app/site-profile.ts';
import { countNoun, countText } from '../text/text.ts';
import type { Highlight } from './highlight.ts';
import { useLitRows } from './lit-rows.ts';
import { mostPrinted, type RowChange, useRowWindow } from './row-window.ts';
import { saveText } from './save-text.ts';
import { ariaSort, columnWidths, sortedBy } from './table-columns.ts';

export type Column<Row> = {
  readonly label: string;
  readonly value: (row: Row) => Cell;
  /** What the cell shows. Default: its value, and a dash for null. */
  readonly show?: (row: Row) => ComponentChildren;
  /** What the column sorts by. Default: its value. */
  readonly rank?: (row: Row) => Cell;
  readonly isNumber?: true;
  /** An amount in the major unit of the site's currency, such as 12.99. */
  readonly isAmount?: true;
  /** What the values are counted in. The heading of the CSV has it. */
  readonly unit?: string;
  /** A number of which readers look for the smallest: a heading orders by it first. */
  readonly isSmallestFirst?: true;
  /** Left out where it says the same of all rows. The CSV has it. */
  readonly isOptional?: true;
  /** Left out in a narrow window. The CSV has it. */
  readonly isMinor?: true;
  /** Only in the CSV: another column shows it. */
  readonly isOnlySaved?: true;
  /** A drawing: nothing to sort by, and not in the CSV. */
  readonly isDrawn?: true;
  /** A button for each row, as narrow as it is: nothing to sort by, and not in the CSV. */
  readonly isButton?: true;
  /** Characters that the column is wide in a long table. Default: what its values need, to a limit. */
  readonly width?: number;
};

/** A column by its number, and whether its largest value comes first. */
export type Order = { readonly column: number; readonly isDescending: boolean };

/**
 * A table that sorts by the headings of its columns, and that saves itself as CSV in the order shown. `order` null: the rows' own
 * order. `isArranged`: the rows come in the order that `order` says; a heading only calls `onOrder`. `change`: as for
 * {@link useRowWindow}.
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
  /** The name of the CSV file, without its extension. */
  readonly file: string;
  readonly order?: Order | null;
  readonly isArranged?: boolean;
  /** Whether it says how many rows it has. Otherwise that is said above it. */
  readonly isCounted?: boolean;
  readonly change?: RowChange;
  readonly rowKey: (row: Row) => string | number;
  readonly onOrder?: (order: Order) => void;
  /** Lights up the marks of rows on a map, by their keys, and is lit up by it. */
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
    saveText(`${file}.csv`, csvOf(withCurrency, hasAmounts ? cells.map((row) => [...row, currency]) : cells));
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
          The first {countText(mostPrinted)} of {countNoun(sorted.length, 'row')} are printed. Filter the list, or save
          it as CSV.
        </p>
      )}
      {/* Focus lets the keyboard scroll a table that is wider or longer than its place (WCAG 2.1.1). */}
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

/**
 * Draws rows, and where that is asked for gives those that were drawn before as they are. A step of a table that scrolls then only
 * makes the rows that come into the page.
 */
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

/** What the button saves: the rows shown, in their order. */
function saveLabel(rows: number): string {
  if (rows === 0) return 'Save as CSV';
  return rows === 1 ? 'Save this row as CSV' : `Save these ${countText(rows)} rows as CSV`;
}

function savedHeading<Row>({ label, isAmount, unit }: Column<Row>): string {
  const counted = isAmount ? siteCurrency() : unit;
  return counted === undefined ? label : `${label} (${counted})`;
}

/** An amount is saved with all its digits, such as 12.90. */
function savedCell<Row>({ value, isAmount }: Column<Row>, row: Row): Cell {
  const cell = value(row);
  return isAmount && typeof cell === 'number' ? amountDigits(cell) : cell;
}

/** The order that a step of the browser's history kept; null for anything else. */
function orderFrom(value: unknown): Order | null {
  const { column, isDescending } = (value ?? {}) as Partial<Order>;
  return typeof column === 'number' && typeof isDescending === 'boolean' ? { column, isDescending } : null;
}

/** Whether a column says something that is not the same of all rows. */
function isTelling<Row>({ value }: Column<Row>, rows: readonly Row[]): boolean {
  const first = rows[0] === undefined ? null : value(rows[0]);
  return rows.some((row) => value(row) !== first);
}

/** The whole text of a cell that may be cut. */
function fullText(cell: Cell): string | undefined {
  return typeof cell === 'string' && cell.length > 15 ? cell : undefined;
}

/** A row is made again when it shows another one, or elsewhere: not for each step of a table that scrolls. */
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
  // A row that lights up draws its cells no other way.
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

/** The place of rows that are not in the page. */
function GapRow({ rows }: { readonly rows: number }) {
  return (
    <tr class="gap" style={{ height: `calc(${rows} * var(--row))` }}>
      <td />
    </tr>
  );
}

/** Fixes the widths of the columns by the first rows that the table has. */
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
