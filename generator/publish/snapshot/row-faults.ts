import { countText } from '../../failure.ts';
import { bytesText, limits } from './limits.ts';
import { copyOf, formatFaults, type OnBad, ProblemList, SnapshotError, type ValueFault } from './problem.ts';

/** At most this share of a file's rows may be set aside. */
const quarantineLimit = 0.01;

type SetAside = { file: string; line: number | null; reason: string; text: string };

/**
 * The faults of a snapshot. Without quarantine any faulty row refuses the snapshot. With quarantine they are set aside,
 * unless they are more than 1 % of their file. A part that cannot be read, or that exceeds `limits`, refuses the
 * snapshot; the rest of that part is not read, but the other parts are.
 */
export class RowFaults {
  readonly #snapshot: string;
  readonly #problems = new ProblemList();
  /** What keeps the folder or a whole part from being read. */
  readonly #unreadable = new ProblemList();
  readonly #quarantine: boolean;
  readonly #setAside: SetAside[] = [];
  #setAsideCharacters = 0;
  #isRefused = false;

  constructor(snapshot: string, quarantine: boolean) {
    this.#snapshot = snapshot;
    this.#quarantine = quarantine;
  }

  /**
   * Whether what refers to a faulty row is faulty too. So it is with quarantine, because the row is not used. Without
   * quarantine the row must be corrected anyway, and complaints about what refers to it would only hide the cause.
   */
  get faultsSpread(): boolean {
    return this.#quarantine;
  }

  /** Counts rows that are good. */
  accept(file: string, rows = 1): void {
    this.#problems.countRows(file, rows, 0);
  }

  /** The number of good rows of a file so far. */
  goodRows(file: string): number {
    const { read, bad } = this.#problems.rowsOf(file);
    return read - bad;
  }

  /** Adds what keeps the folder or a part of it from being read. */
  addUnreadable(problems: ProblemList): void {
    this.#unreadable.addAll(problems);
  }

  /** Checks a part. A part that cannot be read to its end is a fault, and gives null. */
  async ofPart<Result>(check: () => Promise<Result>): Promise<Result | null> {
    try {
      return await check();
    } catch (error) {
      if (!(error instanceof SnapshotError)) throw error;
      this.addUnreadable(error.problems);
      return null;
    }
  }

  /** Counts a faulty row with all its faults. Throws a SnapshotError when its file exceeds a limit. */
  reject(file: string, line: number | null, text: string, faults: readonly ValueFault[]): void {
    this.#problems.countRows(file, 0, 1, faults.length);
    for (const fault of faults) this.#problems.add({ file, line, ...fault });
    if (this.#quarantine) this.#keep({ file, line, reason: formatFaults(faults), text });
    const { bad, problems } = this.#problems.rowsOf(file);
    if (bad > limits.faultyRows) {
      throw this.#hopeless(file, line, `at most ${countText(limits.faultyRows)} faulty rows`);
    }
    if (problems > limits.problems) {
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
    return ({ line, text }, faults) => this.reject(file, line, text, faults);
  }

  /** The rows to set aside. Throws a SnapshotError when the snapshot must be refused. */
  settle(): readonly SetAside[] {
    const refusal = this.refusal();
    if (refusal.total > 0) throw new SnapshotError(this.#snapshot, refusal);
    return this.#setAside;
  }

  /** Everything for which the snapshot must be refused. */
  refusal(): ProblemList {
    const refusing = new ProblemList();
    refusing.addAll(this.#unreadable);
    if (this.#quarantine && refusing.total === 0) refusing.addAll(this.#filesBeyondLimit());
    if (!this.#quarantine || this.#isRefused || refusing.total > 0) refusing.addAll(this.#problems);
    return refusing;
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

  /** The error of a file that is not read further. */
  #hopeless(file: string, line: number | null, expected: string): SnapshotError {
    const problems = new ProblemList();
    problems.add({ file, line, field: null, expected, got: 'more; it was not read any further' });
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
