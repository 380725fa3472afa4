import { cut } from '../../../contract/schemas/checked-value.ts';
import type { Faults } from '../../files/faults.ts';
import type { FileRule, LeaveOut, Repeated } from '../recipe/recipe.ts';
import type { InputFile } from '../tables/input.ts';
import type { Table } from '../tables/table.ts';
import { cellText, codeText, columnIndex, columnLetters, isBlank, quoted, type Row, trimmed } from '../tables/table.ts';
import { openTable } from '../tables/tables.ts';
import { sheetNames } from '../tables/workbook-rows.ts';
import { cellAt } from '../values/field-reader.ts';
import { compilePattern, timely } from '../values/patterns.ts';
import type { ImportContext } from './context.ts';
import type { Joins } from './joins.ts';

export type PartRow = { readonly row: Row; readonly table: Table };

type Condition = Exclude<LeaveOut, { not_in: string }>;

/** Counts rows that the recipe leaves out and repeated rows, by reason. */
export class LeftOut {
  readonly #rules: readonly { readonly rule: Condition; readonly applies: (text: string) => boolean }[];
  readonly #unknown: readonly Extract<LeaveOut, { not_in: string }>[];
  readonly #repeated: Repeated;
  readonly #counts = new Map<string, number>();

  constructor({ leave_out: rules = [], repeated = 'refuse' }: Rules) {
    this.#repeated = repeated;
    this.#rules = rules.flatMap((rule) => ('not_in' in rule ? [] : { rule, applies: matcher(rule) }));
    this.#unknown = rules.filter((rule) => 'not_in' in rule);
  }

  get columns(): readonly string[] {
    return this.#rules.map(({ rule }) => rule.column);
  }

  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  /** Whether the recipe leaves a row out. `faults` gets text on which a pattern takes too long. */
  has(row: Row, table: Table, faults: Faults): boolean {
    const found = this.#rules.find(({ rule, applies }) => {
      const cell = cellAt(row, table, rule.column);
      const onSlow = (expected: string) => faults.in(table, row)(rule.column, expected, quoted(cellText(cell)));
      return timely(onSlow, () => applies(trimmed(cellText(cell))) || applies(trimmed(codeText(cell))));
    });
    return found === undefined ? false : this.#count(found.rule);
  }

  hasUnknown(what: 'products' | 'stores'): boolean {
    const found = this.#unknown.find((rule) => rule.not_in === what);
    return found === undefined ? false : this.#count(found);
  }

  /** Which of two rows with the same key counts. Equal rows count once. Null if the recipe refuses different ones. */
  choose(isSame: boolean): 'first' | 'last' | null {
    if (!isSame && this.#repeated === 'refuse') return null;
    const reason = isSame
      ? 'the same as another row'
      : `another row of the same key comes ${otherPlace[this.#repeated]}`;
    this.#count({ reason });
    return isSame || this.#repeated === 'first' ? 'first' : 'last';
  }

  #count({ reason }: Pick<LeaveOut, 'reason'>): true {
    this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + 1);
    return true;
  }
}

function matcher({ equals, matches, empty }: Condition): (text: string) => boolean {
  if (empty) return (text) => text === '';
  const pattern = matches === undefined ? null : compilePattern(matches);
  const texts = new Set([equals ?? []].flat());
  return (text) => texts.has(text) || pattern?.test(text) === true;
}

type Rules = { readonly leave_out?: readonly LeaveOut[] | undefined; readonly repeated?: Repeated | undefined };

const otherPlace = { first: 'before it', last: 'after it', refuse: '' };

export type ColumnUse = {
  readonly file: string;
  readonly names: readonly string[];
  readonly used: ReadonlySet<string>;
};

type Source = {
  readonly files: readonly InputFile[];
  readonly rule: FileRule;
  readonly each: string | null;
  readonly columns: readonly string[];
  readonly uses?: (column: string) => boolean;
  readonly leftOut: LeftOut;
  readonly joins: Joins;
};

/** Skips rows that the recipe leaves out. Reports columns that a file lacks. */
export async function* partRows(
  { files, rule, each, columns: all, uses = () => false, leftOut, joins }: Source,
  context: ImportContext,
): AsyncGenerator<PartRow> {
  const { faults, notices, onUse, onBytes, profile } = context;
  const columns = [...all.filter((column) => !joins.has(column)), ...joins.columns];
  for (const file of files) {
    const table = joins.with(await openTable(file, rule, each, onBytes(file), profile.currency));
    if (rule.type === 'xlsx') await noticeHiddenSheets(file, rule, notices);
    let count = 0;
    for await (const row of soundRows(table, rule, columns, context, {
      uses,
      isLeftOut: (row) => leftOut.has(row, table, faults),
    })) {
      count += 1;
      joins.check(row, table);
      yield { row, table };
    }
    joins.end(table, count);
    const decided = [rule.key ?? [], rule.ignore ?? []].flat();
    const used = new Set([...columns, ...decided, ...table.columns.names.filter(uses)]);
    onUse({ file: file.name, names: table.columns.names, used });
  }
}

/** Decides about a row before its values are read. */
type RowChoice = {
  readonly uses?: (column: string) => boolean;
  readonly isLeftOut?: (row: Row) => boolean;
};

/** Yields only complete rows. Reports incomplete rows and missing columns. */
export async function* soundRows(
  table: Table,
  rule: FileRule,
  columns: readonly string[],
  { faults, notices, onMissing }: Pick<ImportContext, 'faults' | 'notices' | 'onMissing'>,
  { uses = () => false, isLeftOut = () => false }: RowChoice = {},
): AsyncGenerator<Row> {
  const before = faults.added;
  if (table.hasHeader) requireColumns(table, columns, faults, onMissing);
  const named = [...columns, ...(rule.ignore ?? [])];
  const usedIndexes = table.hasHeader
    ? table.columns.names
        .filter((name) => columns.includes(name) || uses(name))
        .map((name) => table.columns.indexOf(name))
    : columns.map(columnIndex);
  const lastUsed = usedIndexes.reduce<number>((last, index = -1) => Math.max(last, index), -1);
  const shape = rowShape(table, rule, lastUsed, faults, notices);
  let width = table.hasHeader ? table.columns.width : null;
  let count = 0;
  let repaired = 0;
  if (faults.added > before) return;
  for await (const row of table.rows) {
    count += 1;
    if (row.isRepaired) repaired += 1;
    if (shape.isCut(row) || shape.isBroken(row)) continue;
    if (isLeftOut(row)) continue;
    if (table.unit === 'row') width ??= widthWithoutHeader(row, named);
    shape.noticeShort(row);
    if (row.isHidden) notices.in(table, row)(null, 'rows that the workbook shows', 'hidden ones, which are read too');
    if (width === null || !shape.hasSurplus(row, width)) yield row;
  }
  if (!table.hasHeader && count > 0) requireColumns(table, columns, faults, onMissing);
  const expected = 'at most 10 rows, or 0.1 %, with quotes within values, or "quote": null';
  if (repaired > Math.max(10, count / 1000))
    faults.add({ file: table.file, line: null, field: null, expected, got: `${repaired}` });
}

async function noticeHiddenSheets(file: InputFile, { sheet }: FileRule, notices: Faults): Promise<void> {
  const { hidden } = await sheetNames(file);
  const others = hidden.filter((name) => name.trim() !== sheet?.trim());
  const got = `${others.join(', ')}, which is not read`;
  if (others.length > 0) notices.add({ file: file.name, line: null, field: null, expected: 'no hidden sheets', got });
}

/**
 * Compares rows with the header and with each other, to find values that are lost, or shifted by a comma. `lastUsed`:
 * the index of the last column that the recipe uses.
 */
function rowShape(table: Table, rule: FileRule, lastUsed: number, faults: Faults, notices: Faults) {
  const ignored = new Set(rule.ignore);
  const nameless = table.columns.nameless.filter((index) => !ignored.has(columnLetters(index)));
  const isDelimited = rule.type === 'csv' || rule.type === 'tsv';
  /** Cells of the first row. Those beyond the last column may be blank. */
  let first: number | null = null;
  let mostSoFar: number | null = null;
  const notice = (row: Row, expected: string, got: string) => notices.in(table, row)(null, expected, got);
  const report = (row: Row, expected: string, got: string): true => {
    faults.in(table, row)(null, expected, got);
    return true;
  };
  return {
    /** Whether the file ends in a short row, or in a value that may be cut off. */
    isCut(row: Row): boolean {
      if (!isDelimited) return false;
      const { cells, isUnended = false } = row;
      const width = table.columns.width || Number.POSITIVE_INFINITY;
      const most = mostSoFar ?? table.columns.width;
      if (isUnended && cells.length < most)
        return report(row, `${most} values, or a line break after them`, `${cells.length} where the file ends`);
      mostSoFar = Math.max(mostSoFar ?? 0, Math.min(cells.length, width));
      if (isUnended && rule.unterminated === undefined && cells.length <= lastUsed + 1)
        return report(row, endsWhole, `${quoted(cellText(cells.at(-1)))} where the file ends, which may be cut off`);
      return false;
    },
    /** Whether a row with quotes within values has more or fewer values than others. Reports other such rows. */
    isBroken(row: Row): boolean {
      if (row.isRepaired !== true) return false;
      const expected = 'quotes only around whole values';
      const most = table.columns.width || (mostSoFar ?? row.cells.length);
      if (row.cells.length !== most) return report(row, `${expected}, and ${most} values`, `${row.cells.length}`);
      notice(row, expected, 'quotes within values, which are read as text');
      return false;
    },
    /** Reports a row that lacks a used value. Workbooks leave out empty cells, so their rows are not reported. */
    noticeShort(row: Row): void {
      const { length } = row.cells;
      if (isDelimited && length <= lastUsed)
        notice(row, 'a value in every column, empty or not', `${length} of at least ${lastUsed + 1}`);
    },
    /**
     * Whether a row of a table with `width` columns has values beyond the last column, or below a header cell without
     * text. A comma may have shifted them, as in `2105,1,1,299`.
     */
    hasSurplus(row: Row, width: number): boolean {
      const { cells } = row;
      first ??= cells.length;
      const like = table.hasHeader ? 'the header has' : 'the recipe and the first row have';
      const beyond = cells.slice(width).filter((_, index) => !ignored.has(columnLetters(width + index)));
      if (!isBlank(beyond)) return report(row, `at most ${width} columns, as ${like}`, `${cells.length}`);
      const most = Math.max(width, first);
      if (isDelimited && beyond.length > 0 && cells.length > most)
        return report(row, `at most ${most} values, as the first row has`, `${cells.length}`);
      const index = nameless.find((one) => !isBlank([cells[one]]));
      if (index === undefined) return false;
      const name = columnLetters(index);
      const expected = `a name for column ${name} in the header, or "${name}" in "ignore"`;
      return report(row, expected, quoted(cellText(cells[index])));
    },
  };
}

const endsWhole = 'a line break after the last row, or "unterminated": "accept" for an agency that writes none';

/**
 * How many columns a file without a header has. Its first row that counts may lack the last values of columns that the
 * recipe names.
 */
function widthWithoutHeader(row: Row, named: readonly string[]): number {
  const letters = named.filter((name) => /^[A-Z]{1,3}$/.test(name));
  return Math.max(row.cells.length, ...letters.map((name) => columnIndex(name) + 1));
}

function requireColumns(
  { file, columns }: Table,
  wanted: readonly string[],
  faults: Faults,
  onMissing: ImportContext['onMissing'],
): void {
  for (const name of new Set(wanted)) {
    if (columns.indexOf(name) !== undefined) continue;
    const count = columns.countOf(name);
    const fault =
      count > 1
        ? { expected: 'one column of this name', got: `${count}: write '${name} (1)' for the first` }
        : { expected: 'a column of this name', got: shown(columns.names) };
    onMissing(name);
    faults.add({ file, line: null, field: name, ...fault });
  }
}

function shown(names: readonly string[]): string {
  if (names.length === 0) return 'no columns';
  return names.slice(0, 20).map(cut).join(', ') + (names.length > 20 ? `, and ${names.length - 20} more` : '');
}
