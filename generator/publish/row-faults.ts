import { type Fault, formatFaults, type OnBad, ProblemList, SnapshotError, type SnapshotProblem } from './problem.ts';

/** Of a file at most this share of rows may be set aside. */
const quarantineLimit = 0.01;

type SetAside = { file: string; line: number | null; reason: string; text: string };

/**
 * The faulty rows of a snapshot. Without quarantine any of them refuses the snapshot; with it they are set aside,
 * unless they are more than 1 % of their file.
 */
export class RowFaults {
  readonly #snapshot: string;
  readonly #problems = new ProblemList();
  readonly #quarantine: boolean;
  readonly #setAside: SetAside[] = [];
  #isRefused = false;

  constructor(snapshot: string, quarantine: boolean) {
    this.#snapshot = snapshot;
    this.#quarantine = quarantine;
  }

  /** Counts rows that are good. */
  accept(file: string, rows = 1): void {
    for (let row = 0; row < rows; row += 1) this.#problems.countRow(file, false);
  }

  /** Counts a row that is not, with all that is wrong with it. */
  reject(file: string, line: number | null, text: string, faults: readonly Fault[]): void {
    this.#problems.countRow(file, true);
    for (const fault of faults) this.#problems.add({ file, line, ...fault } satisfies SnapshotProblem);
    if (this.#quarantine) this.#setAside.push({ file, line, reason: formatFaults(faults), text });
  }

  /** Takes a fault that is not of one row, so that setting rows aside is no help. */
  refuse(file: string, fault: Fault): void {
    this.#problems.add({ file, line: null, ...fault });
    this.#isRefused = true;
  }

  /** Takes the faulty entries of a file that is one document. */
  rejecting(file: string): OnBad {
    return ({ line, text }, problems) => this.reject(file, line, text, problems);
  }

  /** The rows to set aside. Throws a SnapshotError when the snapshot must be refused for its rows. */
  settle(): readonly SetAside[] {
    if (this.#problems.total === 0) return [];
    if (!this.#quarantine || this.#isRefused) throw new SnapshotError(this.#snapshot, this.#problems);
    const tooMany = this.#filesBeyondLimit();
    if (tooMany.total === 0) return this.#setAside;
    tooMany.addAll(this.#problems);
    throw new SnapshotError(this.#snapshot, tooMany);
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
