import type * as z from 'zod';
import { jsonStart, shortened } from '../../contract/text.ts';
import { countOf, countText, Failure } from '../files/failure.ts';
import { limits } from './limits.ts';

/** What is wrong with a value: where in it, what was expected there, and what came. */
export type ValueFault = { field: string | null; expected: string; got: string };

/** Something wrong with a snapshot. `line` 1-based or null; `field` a path like `rows[3][1]` or `brands[2].slug` or null. */
export type SnapshotProblem = { file: string; line: number | null } & ValueFault;

/** Is told of a row or entry that cannot be used: `text` as it was read, and all that is wrong with it. */
export type OnBad = (row: { line: number | null; text: string }, faults: readonly ValueFault[]) => void;

/** Problems of one kind: in the same file and field, with the same expectation. */
export type ProblemGroup = {
  readonly file: string;
  /** The field without indexes, such as `rows[][0]` or `brands[].slug`. */
  readonly field: string | null;
  readonly expected: string;
  /** Problems, and the lines that have them. No lines in a file that is one document. */
  readonly count: number;
  readonly line_count: number;
  /** The first places. Of each line only the first field. */
  readonly first: readonly { readonly line: number | null; readonly field: string | null }[];
  /** What came at the first place. */
  readonly got: string;
};

type RowCount = { readonly read: number; readonly bad: number; readonly problems: number };

/**
 * Collects problems. Keeps the first 50 of them, counts all, and groups them by kind: at most
 * `limits.problemGroups` groups, in the order of their first problems. Counts the rows, the bad rows and the problems of
 * each file too.
 */
export class ProblemList {
  readonly #shown: SnapshotProblem[] = [];
  readonly #rows = new Map<string, RowCount>();
  readonly #groups = new Map<string, ProblemGroup>();
  readonly #lastLines = new Map<string, number>();
  #ungrouped = 0;
  #total = 0;

  get total(): number {
    return this.#total;
  }

  get shown(): readonly SnapshotProblem[] {
    return this.#shown;
  }

  add(problem: SnapshotProblem): void {
    const { file, line, field, expected, got } = problem;
    this.#total += 1;
    if (this.#shown.length < shownProblems) this.#shown.push(problem);
    const pattern = field?.replace(/\[\d+\]/g, '[]') ?? null;
    const key = keyOf({ file, field: pattern, expected });
    const isNewLine = line !== null && this.#lastLines.get(key) !== line;
    const first = isNewLine || line === null ? [{ line, field }] : [];
    this.#group({ file, field: pattern, expected, count: 1, line_count: Number(isNewLine), first, got });
    if (line !== null && this.#groups.has(key)) this.#lastLines.set(key, line);
  }

  /** Adds the problems of another list, counting those that it did not keep. */
  addAll(other: ProblemList): void {
    this.#shown.push(...other.#shown.slice(0, Math.max(0, shownProblems - this.#shown.length)));
    for (const group of other.#groups.values()) this.#group(group);
    this.#ungrouped += other.#ungrouped;
    this.#total += other.#total;
  }

  /** Adds to a group, or begins one. Counts the problems of a group for which there is no room. */
  #group(more: ProblemGroup): void {
    const key = keyOf(more);
    const before = this.#groups.get(key);
    if (before !== undefined) this.#groups.set(key, joined(before, more));
    else if (this.#groups.size < limits.problemGroups) this.#groups.set(key, more);
    else this.#ungrouped += more.count;
  }

  /** Counts good rows, bad rows and problems of a file. */
  countRows(file: string, good: number, bad: number, problems = bad): void {
    const before = this.rowsOf(file);
    this.#rows.set(file, {
      read: before.read + good + bad,
      bad: before.bad + bad,
      problems: before.problems + problems,
    });
  }

  rowsOf(file: string): RowCount {
    return this.#rows.get(file) ?? { read: 0, bad: 0, problems: 0 };
  }

  /** The problems for people, a line for each kind. */
  get lines(): readonly string[] {
    const others = this.#ungrouped > 0 ? [`and ${countText(this.#ungrouped)} problems of other kinds`] : [];
    return [...[...this.#groups.values()].map(formatGroup), ...others];
  }

  /** `121 problems of 3 kinds` */
  get countOfKinds(): string {
    const kinds = this.#groups.size;
    if (this.#total === 1) return '1 problem';
    const count = `${countText(this.#total)} problems`;
    if (this.#ungrouped > 0) return `${count} of more than ${kinds} kinds`;
    return kinds < this.#total ? `${count} of ${countOf(kinds, 'kind')}` : count;
  }

  /** The problems for programs. */
  get facts() {
    return {
      problem_count: this.#total,
      problems: this.#shown,
      groups: [...this.#groups.values()],
      ungrouped_count: this.#ungrouped,
    };
  }
}

const shownProblems = 50;
const shownPlaces = 3;

function keyOf({ file, field, expected }: Pick<ProblemGroup, 'file' | 'field' | 'expected'>): string {
  return JSON.stringify([file, field, expected]);
}

function joined(before: ProblemGroup, more: ProblemGroup): ProblemGroup {
  const { first } = before;
  return {
    ...before,
    count: before.count + more.count,
    line_count: before.line_count + more.line_count,
    first: first.length < shownPlaces ? [...first, ...more.first].slice(0, shownPlaces) : first,
  };
}

/** A snapshot that cannot be published, with everything found wrong with it. */
export class SnapshotError extends Failure {
  override readonly name = 'SnapshotError';
  readonly snapshot: string;
  readonly problems: ProblemList;

  constructor(snapshot: string, problems: ProblemList) {
    const [first] = problems.shown;
    const more = problems.total > 1 ? ` (and ${problems.total - 1} more)` : '';
    super(
      'snapshot_faults',
      `snapshot ${snapshot}: ${first === undefined ? 'unusable' : formatProblem(first)}${more}`,
      {
        lines: [...problems.lines, `snapshot ${snapshot} was not published: ${problems.countOfKinds}`],
        facts: { snapshot, ...problems.facts },
      },
    );
    this.snapshot = snapshot;
    this.problems = problems;
  }
}

/** `products.ndjson:12 price_minor: expected an integer of at least 0, got "12.99"` */
export function formatProblem(problem: SnapshotProblem): string {
  const line = problem.line === null ? '' : `:${problem.line}`;
  const field = problem.field === null ? '' : ` ${problem.field}`;
  return `${problem.file}${line}${field}: expected ${problem.expected}, got ${problem.got}`;
}

/**
 * A kind of problems on one line:
 * `stores.ndjson access_type: 121 lines, first 1, 2, 3: expected one of consumer_state_store, …, got "PKG"`
 */
export function formatGroup(group: ProblemGroup): string {
  const { file, field, expected, count, line_count: lines, first, got } = group;
  const [place] = first;
  if (count === 1 && place !== undefined) return formatProblem({ file, ...place, expected, got });
  const places = first.map(({ line, field: exact }) => line ?? exact ?? 'the whole').join(', ');
  const isInLines = lines > 0;
  const times = `${countText(count)} times`;
  const inLines = countOf(lines, 'line');
  const often = !isInLines ? times : count > lines ? `${times} in ${inLines}` : inLines;
  const named = field === null ? '' : ` ${field}`;
  const which = (isInLines ? lines : count) > first.length ? `first ${places}` : places;
  return `${file}${named}: ${often}, ${which}: expected ${expected}, got ${got}`;
}

const describedFaults = 10;

/** The first faults of one row or entry as the reason for its rejection, without its place in the file. */
export function formatFaults(faults: readonly ValueFault[]): string {
  const more = faults.length > describedFaults ? `; and ${faults.length - describedFaults} more` : '';
  const described = faults
    .slice(0, describedFaults)
    .map(({ field, expected, got }) => `${field === null ? '' : `${field}: `}expected ${expected}, got ${got}`)
    .join('; ');
  return `${described}${more}`;
}

/** The faults that zod found in `value`, one per offending field, at most `limits.problemsOfRow`. */
export function problemsOf(error: z.ZodError, value: unknown): ValueFault[] {
  const faults = new Map<string | null, ValueFault>();
  for (const issue of error.issues) {
    const field = pathText(issue.path);
    if (faults.has(field)) continue;
    if (faults.size === limits.problemsOfRow) break;
    faults.set(field, {
      field,
      expected: expectedText(issue),
      got: statedGot(issue) ?? rendering(at(value, issue.path)),
    });
  }
  return [...faults.values()];
}

const shownCharacters = 60;

/** A value as a problem prints it: JSON on one line, cut at 60 characters. */
export function rendering(value: unknown): string {
  if (value === undefined) return 'nothing';
  return cut(typeof value === 'number' ? String(value) : jsonStart(value, shownCharacters));
}

/** Text that is safe for a terminal, cut at 60 characters. */
export function cut(text: string): string {
  return copyOf(shortened(text, shownCharacters)).replace(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A copy of a text. A slice of a long text would keep all of it in memory. */
export function copyOf(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}

function pathText(path: readonly PropertyKey[]): string | null {
  if (path.length === 0) return null;
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    return text === '' ? String(key) : `${text}.${String(key)}`;
  }, '');
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | null | undefined)?.[key], value);
}

/** What an issue says it got. A rule across fields knows that better than the value of one field tells. */
function statedGot(issue: z.core.$ZodIssue): string | null {
  if (issue.code === 'unrecognized_keys') return cut(issue.keys.join(', '));
  const got = issue.code === 'custom' ? issue.params?.got : undefined;
  return typeof got === 'string' ? got : null;
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
};

/**
 * This project's messages begin in lower case and say what is expected. zod's begin with a capital and are replaced.
 */
function expectedText(issue: z.core.$ZodIssue): string {
  if (!/^[A-Z]/.test(issue.message)) return issue.message.replace(/^expected /, '');
  switch (issue.code) {
    case 'invalid_type':
      return typeNames[issue.expected] ?? issue.expected;
    case 'invalid_value':
      return issue.values.length === 1
        ? JSON.stringify(issue.values[0])
        : `one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return `a ${issue.origin} of at least ${issue.minimum}`;
    case 'too_big':
      return `a ${issue.origin} of at most ${issue.maximum}`;
    default:
      return 'a valid value';
  }
}
