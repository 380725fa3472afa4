import { bytesText, countText, limits } from './limits.ts';
import {
  copyOf,
  formatFaults,
  type OnBad,
  ProblemList,
  SnapshotError,
  type SnapshotProblem,
  type ValueFault,
} from './problem.ts';

/** At most this share of a file's rows may be set aside. */
const quarantineLimit = 0.01;

type SetAside = { file: string; line: number | null; reason: string; text: string };

/**
 * The faulty rows of a snapshot. Without quarantine any of them refuses the snapshot. With quarantine they are set
 * aside, unless they are more than 1 % of their file. A snapshot that exceeds `limits` is refused at once, without
 * reading the rest of it.
 */
export class RowFaults {
  readonly #snapshot: string;
  readonly #problems = new ProblemList();
  readonly #quarantine: boolean;
  readonly #setAside: SetAside[] = [];
  #setAsideCharacters = 0;
  #isRefused = false;

  constructor(snapshot: string, quarantine: boolean) {
    this.#snapshot = snapshot;
    this.#quarantine = quarantine;
  }

  /** Counts rows that are good. */
  accept(file: string, rows = 1): void {
    this.#problems.countRows(file, rows, 0);
  }

  /** Counts a faulty row with all its faults. Throws a SnapshotError when that exceeds a limit. */
  reject(file: string, line: number | null, text: string, faults: readonly ValueFault[]): void {
    this.#problems.countRows(file, 0, 1);
    for (const fault of faults) this.#problems.add({ file, line, ...fault } satisfies SnapshotProblem);
    if (this.#quarantine) this.#keep({ file, line, reason: formatFaults(faults), text });
    if (this.#problems.rowsOf(file).bad > limits.faultyRows) {
      throw this.#hopeless(file, line, `at most ${countText(limits.faultyRows)} faulty rows`);
    }
    if (this.#problems.total > limits.problems) {
      throw this.#hopeless(file, line, `at most ${countText(limits.problems)} problems`);
    }
  }

  /** Adds a fault that is not of one row, so that setting rows aside cannot help. */
  refuse(file: string, fault: ValueFault): void {
    this.#problems.add({ file, line: null, ...fault });
    this.#isRefused = true;
  }

  /** A callback that rejects the faulty entries of a file that is one document. */
  rejecting(file: string): OnBad {
    return ({ line, text }, problems) => this.reject(file, line, text, problems);
  }

  /** The rows to set aside. Throws a SnapshotError when the snapshot must be refused. */
  settle(): readonly SetAside[] {
    if (this.#problems.total === 0) return [];
    if (!this.#quarantine || this.#isRefused) throw new SnapshotError(this.#snapshot, this.#problems);
    const tooMany = this.#filesBeyondLimit();
    if (tooMany.total === 0) return this.#setAside;
    tooMany.addAll(this.#problems);
    throw new SnapshotError(this.#snapshot, tooMany);
  }

  #keep(row: SetAside): void {
    const { length } = row.text;
    const kept = copyOf(length > limits.setAsideText ? `${row.text.slice(0, limits.setAsideText)}…` : row.text);
    this.#setAside.push({ ...row, text: kept });
    this.#setAsideCharacters += kept.length;
    if (this.#setAsideCharacters > limits.setAsideTotal) {
      throw this.#hopeless(row.file, row.line, `at most ${bytesText(limits.setAsideTotal)} of rows to set aside`);
    }
  }

  /** The error of a snapshot that is not read further. Its first problem is the reason. */
  #hopeless(file: string, line: number | null, expected: string): SnapshotError {
    const problems = new ProblemList();
    problems.add({ file, line, field: null, expected, got: 'more; it was not read any further' });
    problems.addAll(this.#problems);
    return new SnapshotError(this.#snapshot, problems);
  }

  #filesBeyondLimit(): ProblemList {
    const problems = new ProblemList();
    for (const file of new Set(this.#setAside.map((row) => row.file))) {
      const { read, bad } = this.#problems.rowsOf(file);
      if (bad <= read * quarantineLimit) continue;
      const expected = 'at most 1 % faulty rows to set aside';
      problems.add({ file, line: null, field: null, expected, got: `${bad} of ${read}` });
    }
    return problems;
  }
}
