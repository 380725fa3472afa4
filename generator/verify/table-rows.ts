import type { TableColumn } from '../contract/formats/parquet.ts';
import { storedValue } from '../contract/formats/parquet-storage.ts';
import { type FaultList, shown } from '../site/fault.ts';
import type { GroupColumns } from '../site/table-file.ts';
import { type OpenTable, reportBroken } from './table-schema.ts';

/**
 * Compares the rows of a Parquet file with those that it should have, in order. Reads one row group at a time. Reports
 * the first difference, and then compares no more.
 */
export class RowCheck {
  readonly #table: OpenTable;
  readonly #faults: FaultList;
  #isOver = false;
  #row = 0;
  #nextGroup = 0;
  #group: readonly ArrayLike<unknown>[] = [];
  #at = 0;
  #groupRows = 0;

  constructor(table: OpenTable, faults: FaultList) {
    this.#table = table;
    this.#faults = faults;
  }

  /** Compares the next rows with records. Columns of which a record says nothing are not compared. */
  async take(records: Iterable<Readonly<Record<string, unknown>>>): Promise<void> {
    for (const record of records) {
      if (!this.#isInGroup() && !(await this.#readOn())) return;
      this.#compare(({ name, type }) => (name in record ? storedValue(type, record[name]) : undefined));
    }
  }

  /**
   * Compares the next rows with all rows of another file, whose own rows were compared. Row groups that were taken over
   * byte for byte are not decoded.
   */
  async takeFile(part: OpenTable): Promise<void> {
    for (const [index, rows] of part.file.groups.entries()) {
      if (this.#isOver) return;
      try {
        if (this.#at === this.#groupRows && this.#table.file.hasGroupOf(this.#nextGroup, part.file, index)) {
          this.#nextGroup += 1;
          this.#row += rows;
        } else await this.#takeGroup(await part.file.readGroup(index), rows);
      } catch (error) {
        reportBroken(this.#faults, part.path, error);
        this.stop();
      }
    }
  }

  /**
   * Passes over rows that are in no other file. `problemOf` gets the values of these columns of each row, and says what should
   * have been there; null when the row is right.
   */
  async pass(
    count: number,
    names: readonly string[],
    problemOf: (values: readonly unknown[]) => string | null,
  ): Promise<void> {
    const indexes = names.map((name) => this.#table.columns.findIndex((column) => column.name === name));
    for (let passed = 0; passed < count; passed += 1) {
      if (!this.#isInGroup() && !(await this.#readOn())) return;
      this.#row += 1;
      const values = indexes.map((index) => this.#group[index]?.[this.#at] ?? null);
      const problem = problemOf(values);
      if (problem !== null) {
        this.#faults.add(
          'parquet_row',
          this.#table.path,
          `row ${this.#row} ${problem}`,
          values.map(printed).join(', '),
        );
        this.stop();
        return;
      }
      this.#at += 1;
    }
  }

  /** Checks that there are no more rows. `source`: what has as many rows as the file should have. */
  end(source: string): void {
    if (this.#isOver || this.#row === this.#table.file.rows) return;
    this.#addCount(`${this.#row} rows, as many as ${source}`);
  }

  /** Compares no more, because nobody knows which rows should come next. */
  stop(): void {
    this.#isOver = true;
  }

  async #takeGroup(columns: GroupColumns, rows: number): Promise<void> {
    for (let row = 0; row < rows; row += 1) {
      if (!this.#isInGroup() && !(await this.#readOn())) return;
      this.#compare(({ name }) => {
        const values = columns.get(name);
        return values && (values[row] ?? null);
      });
    }
  }

  /** Whether the next row is decoded, as nearly always. Only otherwise is there something to wait for. */
  #isInGroup(): boolean {
    return !this.#isOver && this.#at < this.#groupRows;
  }

  /** Decodes the group of the next row; false when there is no row to compare. */
  async #readOn(): Promise<boolean> {
    while (!this.#isOver && this.#at === this.#groupRows) await this.#readNextGroup();
    return !this.#isOver;
  }

  async #readNextGroup(): Promise<void> {
    const { file, path, columns } = this.#table;
    const rows = file.groups[this.#nextGroup];
    if (rows === undefined) {
      this.stop();
      this.#addCount(`more than ${this.#row} rows`);
      return;
    }
    try {
      const group = await file.readGroup(this.#nextGroup);
      const problem = file.problemOfBounds(this.#nextGroup, group);
      if (problem) {
        const what = `statistics of row group ${this.#nextGroup + 1} that are true of its rows`;
        this.#faults.add('parquet_statistics', path, what, problem);
      }
      this.#group = columns.map(({ name }) => group.get(name) ?? []);
    } catch (error) {
      reportBroken(this.#faults, path, error);
      this.stop();
    }
    this.#nextGroup += 1;
    this.#at = 0;
    this.#groupRows = rows;
  }

  #compare(expectedOf: (column: TableColumn) => unknown): void {
    const { columns, path } = this.#table;
    this.#row += 1;
    for (let index = 0; index < columns.length; index += 1) {
      const column = columns[index] as TableColumn;
      const expected = expectedOf(column);
      const got = this.#group[index]?.[this.#at] ?? null;
      if (expected === undefined || isSame(expected, got)) continue;
      const claim = `row ${this.#row} with ${column.name} ${printed(expected)}`;
      this.#faults.add('parquet_row', path, claim, printed(got));
      this.stop();
      return;
    }
    this.#at += 1;
  }

  #addCount(expected: string): void {
    this.#faults.add('parquet_count', this.#table.path, expected, String(this.#table.file.rows));
  }
}

function isSame(a: unknown, b: unknown): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return a === b;
  return a.length === b.length && a.every((value, index) => value === b[index]);
}

function printed(value: unknown): string {
  return typeof value === 'bigint' ? String(value) : shown(value);
}
