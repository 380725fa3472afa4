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

  /** Takes the faulty entries of a file that is one document. */
  rejecting(file: string): OnBad {
    return ({ line, text }, problems) => this.reject(file, line, text, problems);
  }

  /** The rows to set aside. Throws a SnapshotError when the snapshot must be refused for its rows. */
  settle(): readonly SetAside[] {
    if (this.#problems.total === 0) return [];
    if (!this.#quarantine) throw new SnapshotError(this.#snapshot, this.#problems);
    const files = new Set(this.#setAside.map(({ file }) => file));
    for (const file of files) {
      const { read, bad } = this.#problems.rowsOf(file);
      if (bad > read * quarantineLimit) {
        this.#problems.add({
          file,
          line: null,
          field: null,
          expected: 'at most 1 % faulty rows to set aside',
          got: `${bad} of ${read}`,
        });
        throw new SnapshotError(this.#snapshot, this.#problems);
      }
    }
    return this.#setAside;
  }
}
