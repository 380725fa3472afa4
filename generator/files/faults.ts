import { faultText, type ValueFault } from '../../contract/schemas/checked-value.ts';
import { countOf, countText, Failure, type FailureCode } from './failure.ts';

/** What is counted from 1 in a file: the lines of text, the rows of a spreadsheet, or the records of JSON. */
export type LineUnit = 'line' | 'row' | 'record';

/**
 * Something wrong with a file. `line`: null for the whole file. `unit`: given for tables, whose fields are columns with
 * names of their own.
 */
export type Fault = { readonly file: string; readonly line: number | null; readonly unit?: LineUnit } & ValueFault;

/** Faults of one kind: in the same file and field, with the same expectation. */
export type FaultGroup = Omit<Fault, 'line'> & {
  /** Faults, and the lines that have them. There are no lines in a file that is one document. */
  readonly count: number;
  readonly line_count: number;
  /** The first places. A line comes once, with the first of its fields. */
  readonly first: readonly Pick<Fault, 'line' | 'field'>[];
};

/** Says where a column of a row is, if another file has it. */
type PlaceOf<Row> = (column: string, row: Row) => Pick<Fault, 'file' | 'line' | 'field'> | null;

/** Counts faults, and keeps the first `most` of them, so that much damage takes little memory. */
export class KeptFaults<Kept> {
  #kept: Kept[] = [];
  #total = 0;
  readonly #most: number;
  readonly #compare: ((a: Kept, b: Kept) => number) | null;

  /** `compare`: decides which faults come first. Without it, those that are found first do. */
  constructor(most: number, compare: ((a: Kept, b: Kept) => number) | null = null) {
    this.#most = most;
    this.#compare = compare;
  }

  get total(): number {
    return this.#total;
  }

  first(): Kept[] {
    if (this.#compare) this.#kept.sort(this.#compare);
    return this.#kept.slice(0, this.#most);
  }

  /**
   * Adds faults. `count`: how many they count for, which is more than their number if others are counted that are not
   * kept.
   */
  protected keep(faults: readonly Kept[], count = faults.length): void {
    this.#total += count;
    if (this.#compare === null && this.#kept.length >= this.#most) return;
    this.#kept.push(...faults);
    if (this.#kept.length >= 4 * this.#most) this.#kept = this.first();
  }
}

const mostKept = 50;
const mostGroups = 100;
const mostPlaces = 3;

/**
 * Collects the faults of files. Counts all, keeps the first, and groups them by kind in the order of their first
 * faults.
 */
export class Faults extends KeptFaults<Fault> {
  readonly #groups = new Map<string, FaultGroup>();
  /** The fault that was added last to each group. */
  readonly #last = new Map<string, Fault>();
  readonly #isOrdered: boolean;
  #ungrouped = 0;
  #added = 0;

  /**
   * `isOrdered`: an earlier line of a file comes only when the file is read a second time, and is not counted again.
   */
  constructor(faults: readonly Fault[] = [], { isOrdered = false } = {}) {
    super(mostKept);
    this.#isOrdered = isOrdered;
    for (const fault of faults) this.add(fault);
  }

  /** How often a fault was added, including faults that are not counted again. A step of a job fails if it adds one. */
  get added(): number {
    return this.#added;
  }

  /**
   * `isOrdered`: whether the lines come in their order. The lines of a joined file come in the order in which other
   * lines name them.
   */
  add(fault: Fault, isOrdered = this.#isOrdered): void {
    this.#added += 1;
    const { line, field } = fault;
    const key = groupKey(fault);
    const last = this.#last.get(key);
    // Two fields can be read from one column, whose fault counts once. A file as a whole can have two such faults, if
    // what was found there differs.
    if (last && line === last.line && field === last.field && (line !== null || fault.got === last.got)) return;
    if (last && isOrdered && (line ?? 0) < (last.line ?? 0)) return;
    const isNewLine = line !== null && line !== last?.line;
    const first = isNewLine || line === null ? [{ line, field }] : [];
    const { line: _, ...rest } = fault;
    this.#group(key, { ...rest, field: groupField(fault), count: 1, line_count: Number(isNewLine), first });
    if (this.#groups.has(key)) this.#last.set(key, fault);
    this.keep([fault]);
  }

  /**
   * Returns a function that adds faults in the columns of a row or, for the column null, in the row as a whole.
   * `placeOf`: says where a column is if another file has it.
   */
  in<Row extends { readonly number: number }>(
    { file, unit, placeOf }: Pick<Fault, 'file' | 'unit'> & { readonly placeOf?: PlaceOf<Row> },
    row: Row,
  ) {
    return (column: string | null, expected: string, got: string) => {
      const elsewhere = column === null ? null : placeOf?.(column, row);
      const here = { file, line: row.number, field: column, ...(unit ? { unit } : {}) };
      this.add({ ...here, ...elsewhere, expected, got }, elsewhere ? false : this.#isOrdered);
    };
  }

  /** Adds kinds of faults of another list that this one does not have. */
  addNew(other: Faults): void {
    this.addAll(other.#some((_, key) => !this.#groups.has(key)));
  }

  /** Adds the faults of another list, and counts those that it did not keep. */
  addAll(other: Faults): void {
    for (const [key, group] of other.#groups) {
      this.#group(key, group);
      const last = other.#last.get(key);
      if (last) this.#last.set(key, last);
    }
    this.#ungrouped += other.#ungrouped;
    this.#added += other.#added;
    this.keep(other.first(), other.total);
  }

  /** The faults of rows, or those of whole files, such as that a column is missing. */
  of(what: 'rows' | 'files'): Faults {
    return this.#some(({ first }) => (first[0]?.line === null) === (what === 'files'));
  }

  /** The faults that expected anything else than this. */
  without(expected: string): Faults {
    return this.#some((group) => group.expected !== expected);
  }

  #some(isWanted: (group: FaultGroup, key: string) => boolean): Faults {
    const some = new Faults();
    for (const [key, group] of this.#groups) {
      if (!isWanted(group, key)) continue;
      some.#groups.set(key, group);
      some.#added += group.count;
      some.keep(
        this.first().filter((fault) => groupKey(fault) === key),
        group.count,
      );
    }
    return some;
  }

  /** Adds to a group or begins one. Only counts the faults of a group for which there is no room. */
  #group(key: string, more: FaultGroup): void {
    const before = this.#groups.get(key);
    if (before !== undefined) this.#groups.set(key, joined(before, more));
    else if (this.#groups.size < mostGroups) this.#groups.set(key, more);
    else this.#ungrouped += more.count;
  }

  /** The faults for people, a line for each kind. */
  get lines(): readonly string[] {
    const others = this.#ungrouped > 0 ? [`and ${countOf(this.#ungrouped, 'fault')} of other kinds`] : [];
    return [...[...this.#groups.values()].map(formatGroup), ...others];
  }

  /** `121 faults of 3 kinds` */
  get summary(): string {
    const kinds = this.#groups.size;
    const count = countOf(this.total, 'fault');
    if (this.#ungrouped > 0) return `${count} of more than ${kinds} kinds`;
    return kinds < this.total ? `${count} of ${countOf(kinds, 'kind')}` : count;
  }

  /** The faults as data for programs. */
  get facts() {
    return {
      fault_count: this.total,
      faults: this.first(),
      groups: [...this.#groups.values()],
      ungrouped_count: this.#ungrouped,
    };
  }
}

/** Input that cannot be used, with everything that is wrong with it. */
export class FaultyInput extends Failure {
  override readonly name = 'FaultyInput';
  readonly faults: Faults;
  /** What was tried against the faults, in words. */
  readonly advice: readonly string[];

  /**
   * `what` begins the message, which names the first fault. `outcome` begins the summary after all faults and `advice`.
   */
  constructor(
    code: FailureCode,
    what: string,
    outcome: string,
    faults: Faults,
    facts: Failure['facts'] = {},
    advice: readonly string[] = [],
  ) {
    const [first] = faults.first();
    const more = faults.total > 1 ? ` (and ${faults.total - 1} more)` : '';
    super(code, `${what}: ${first === undefined ? 'unusable' : formatFault(first)}${more}`, {
      lines: [...faults.lines, ...advice, `${outcome}: ${faults.summary}`],
      facts: { ...facts, ...faults.facts },
    });
    this.faults = faults;
    this.advice = advice;
  }
}

/** `products.ndjson:12 price_minor: expected an integer, got "12.99"`, or for a row: `prices.csv Retail: row 3: …` */
export function formatFault({ file, line, unit = 'line', field, ...fault }: Fault): string {
  const named = field === null ? '' : ` ${field}`;
  const text = faultText({ field: null, ...fault });
  if (line === null) return `${file}${named}: ${text}`;
  return unit === 'line' ? `${file}:${line}${named}: ${text}` : `${file}${named}: ${unit} ${line}: ${text}`;
}

/**
 * Faults of one kind on one line:
 * `stores.ndjson access_type: 121 lines (1, 2, 3, …): expected one of consumer_state_store, …, got "PKG"`
 */
function formatGroup(group: FaultGroup): string {
  const { file, unit = 'line', field, count, line_count: lines, first, expected, got } = group;
  const [place] = first;
  if (count === 1 && place !== undefined) return formatFault({ ...group, ...place });
  const places = first.map(({ line, field: exact }) => line ?? exact ?? 'the whole');
  if ((lines || count) > first.length) places.push('…');
  const times = count > lines ? [`${countText(count)} times`] : [];
  const often = [...times, ...(lines > 0 ? [countOf(lines, unit)] : [])].join(' in ');
  const named = field === null ? '' : ` ${field}`;
  return `${file}${named}: ${often} (${places.join(', ')}): ${faultText({ field: null, expected, got })}`;
}

/**
 * The field of a group: a column, or the path in a document without indexes, such as `rows[][0]` or `brands[].slug`.
 */
function groupField({ field, unit }: Fault): string | null {
  return unit === undefined ? (field?.replace(/\[\d+\]/g, '[]') ?? null) : field;
}

function groupKey(fault: Fault): string {
  return JSON.stringify([fault.file, groupField(fault), fault.expected]);
}

function joined(before: FaultGroup, more: FaultGroup): FaultGroup {
  const { first } = before;
  return {
    ...before,
    count: before.count + more.count,
    line_count: before.line_count + more.line_count,
    first: first.length < mostPlaces ? [...first, ...more.first].slice(0, mostPlaces) : first,
  };
}
