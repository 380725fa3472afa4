import { countOf, Failure } from '../files/failure.ts';
import { cut } from '../snapshot/problem.ts';

/** Where rows are counted: the rows of a spreadsheet, the lines of NDJSON, or the records of JSON. All count from 1. */
export type RowUnit = 'row' | 'line' | 'record';

/** A place in a file. `column` is null for a whole row, `row` null for the whole file. */
type Place = {
  readonly file: string;
  readonly unit: RowUnit;
  readonly row: number | null;
  readonly column: string | null;
};

/** Faults of one kind in one column of one file. `got` is what the first of them found. */
type FaultGroup = Omit<Place, 'row'> & {
  count: number;
  readonly first: number[];
  readonly expected: string;
  readonly got: string;
  last: number | null;
};

const shownRows = 3;
const shownGroups = 100;

/** Collects faults by kind. It keeps the first rows of each kind, so that a file of faults takes little memory. */
export class Faults {
  readonly #groups = new Map<string, FaultGroup>();
  /** Rows come in their order, and again where a second part reads the file. */
  readonly #isOrdered: boolean;
  #total = 0;

  constructor({ isOrdered = false } = {}) {
    this.#isOrdered = isOrdered;
  }

  get total(): number {
    return this.#total;
  }

  get groups(): readonly Readonly<FaultGroup>[] {
    return [...this.#groups.values()];
  }

  /** The first kinds, a line each. */
  get lines(): readonly string[] {
    return this.groups.slice(0, shownGroups).map(groupText);
  }

  /** A function that reports faults in the columns of a row; column null: in the row as a whole. */
  ofRow({ file, unit }: Pick<Place, 'file' | 'unit'>, { number: row }: { readonly number: number }) {
    return (column: string | null, expected: string, got: string) =>
      this.add({ file, unit, row, column }, expected, got);
  }

  /** Adds the faults of another collection. */
  merge(other: Faults): void {
    for (const { file, unit, column, expected, got, first, count } of other.groups) {
      for (const row of first.length > 0 ? first : [null]) this.add({ file, unit, row, column }, expected, got);
      const more = count - Math.max(1, first.length);
      const group = this.#groups.get(keyOf({ file, column }, expected));
      if (group === undefined || more <= 0) continue;
      group.count += more;
      this.#total += more;
    }
  }

  add({ file, unit, row, column }: Place, expected: string, got: string): void {
    const key = keyOf({ file, column }, expected);
    const begun = { file, column, unit, count: 0, first: [], expected, got, last: null };
    const group: FaultGroup = this.#groups.get(key) ?? begun;
    this.#groups.set(key, group);
    // Two fields can have the same fault with the same cell.
    if (row !== null && group.last !== null && (row === group.last || (this.#isOrdered && row < group.last))) return;
    group.last = row;
    group.count += 1;
    this.#total += 1;
    if (row !== null && group.first.length < shownRows) group.first.push(row);
  }
}

function keyOf({ file, column }: Pick<Place, 'file' | 'column'>, expected: string): string {
  return JSON.stringify([file, column, expected]);
}

/** An import that wrote nothing, with everything found wrong. */
export class ImportError extends Failure {
  override readonly name = 'ImportError';

  constructor(recipe: string, { groups, total, lines }: Faults) {
    const message = `${recipe}: nothing was written: ${countOf(total, 'fault')}`;
    const kinds = groups.length === total ? '' : ` of ${countOf(groups.length, 'kind')}`;
    const more = groups.length > shownGroups ? `, of which the first ${shownGroups} kinds are shown` : '';
    const faults = groups.slice(0, shownGroups).map(({ last: _, ...group }) => group);
    super('import_faults', message, {
      lines: [...lines, `${message}${kinds}${more}`],
      facts: { recipe, fault_count: total, faults },
    });
  }
}

/** `prices.csv Retail: 121 rows, first 2, 3, 9: expected a price like $12.99, got 'call'` */
function groupText({ file, unit, column, expected, got, count, first }: Readonly<FaultGroup>): string {
  const place = column === null ? file : `${file} ${column}`;
  const rows =
    first.length === 0
      ? ''
      : count === 1
        ? ` ${unit} ${first[0]}:`
        : ` ${countOf(count, unit)}, first ${first.map(String).join(', ')}:`;
  return `${place}:${rows} expected ${expected}, got ${got}`;
}

/** A value from a file as a message shows it. */
export function quoted(text: string): string {
  return text === '' ? 'nothing' : `'${cut(text)}'`;
}
