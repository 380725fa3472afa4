import type * as z from 'zod';
import { jsonStart } from '../../contract/json.ts';
import { Failure } from '../../failure.ts';
import { limits } from './limits.ts';

/** What is wrong with a value: where in it, what was expected there, and what came. */
export type ValueFault = { field: string | null; expected: string; got: string };

/** Something wrong with a snapshot. `line` 1-based or null; `field` a path like `rows[3][1]` or `brands[2].slug` or null. */
export type SnapshotProblem = { file: string; line: number | null } & ValueFault;

/** A row or entry that cannot be used: `text` as it was read, `reason` for people. */
export type BadRow = { line: number | null; text: string; reason: string };

export type OnBad = (row: BadRow, problems: SnapshotProblem[]) => void;

type RowCount = { readonly read: number; readonly bad: number };

/**
 * Collects problems. Keeps the first `kept` of them and counts all. Counts the rows and the bad rows of each file too.
 */
export class ProblemList {
  readonly #kept: number;
  readonly #shown: SnapshotProblem[] = [];
  readonly #rows = new Map<string, RowCount>();
  #total = 0;

  constructor(kept = 50) {
    this.#kept = kept;
  }

  get total(): number {
    return this.#total;
  }

  get shown(): readonly SnapshotProblem[] {
    return this.#shown;
  }

  add(problem: SnapshotProblem): void {
    this.#total += 1;
    if (this.#shown.length < this.#kept) this.#shown.push(problem);
  }

  /** Adds the problems of another list, counting those that it did not keep. */
  addAll({ shown, total }: ProblemList): void {
    for (const problem of shown) this.add(problem);
    this.#total += total - shown.length;
  }

  /** Counts good and bad rows of a file. */
  countRows(file: string, good: number, bad: number): void {
    const before = this.rowsOf(file);
    this.#rows.set(file, { read: before.read + good + bad, bad: before.bad + bad });
  }

  rowsOf(file: string): RowCount {
    return this.#rows.get(file) ?? { read: 0, bad: 0 };
  }
}

/** A snapshot that cannot be published, with everything found wrong with it. */
export class SnapshotError extends Failure {
  override readonly name = 'SnapshotError';
  readonly snapshot: string;
  readonly problems: ProblemList;

  constructor(snapshot: string, problems: ProblemList) {
    const [first] = problems.shown;
    const more = problems.total > 1 ? ` (and ${problems.total - 1} more)` : '';
    super(`snapshot ${snapshot}: ${first === undefined ? 'unusable' : formatProblem(first)}${more}`);
    this.snapshot = snapshot;
    this.problems = problems;
  }

  override get lines(): readonly string[] {
    const { shown, total } = this.problems;
    const more = total > shown.length ? `, of which the first ${shown.length} are shown` : '';
    const summary = `snapshot ${this.snapshot} was not published: ${total} problem${total === 1 ? '' : 's'}${more}`;
    return [...shown.map(formatProblem), summary];
  }

  override get facts(): Readonly<Record<string, unknown>> {
    const { shown, total } = this.problems;
    return { snapshot: this.snapshot, problem_count: total, problems: shown };
  }
}

/** `products.ndjson:12 price_minor: expected an integer of at least 0, got "12.99"` */
export function formatProblem(problem: SnapshotProblem): string {
  const line = problem.line === null ? '' : `:${problem.line}`;
  const field = problem.field === null ? '' : ` ${problem.field}`;
  return `${problem.file}${line}${field}: expected ${problem.expected}, got ${problem.got}`;
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
    faults.set(field, { field, expected: expectedText(issue), got: ownGot(issue) ?? rendering(at(value, issue.path)) });
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
  const short =
    text.length > shownCharacters ? `${text.slice(0, shownCharacters).replace(/[\uD800-\uDBFF]$/, '')}…` : text;
  return copyOf(short).replace(
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

/** What a custom rule says it got. A rule across fields knows that better than the value of one field tells. */
function ownGot(issue: z.core.$ZodIssue): string | null {
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
