import { countText } from '../files/failure.ts';
import { bytesText, limits } from './limits.ts';
import { copyOf, formatFaults, type OnBad, ProblemList, SnapshotError, type ValueFault } from './problem.ts';

/** At most this share of a file's rows may be set aside. */
const quarantineLimit = 0.01;

type SetAside = { file: string; line: number | null; reason: string; text: string };

export type RowFaults = ReturnType<typeof rowFaults>;

/**
 * The faults of a snapshot. Without quarantine any faulty row refuses the snapshot. With quarantine they are set aside,
 * unless they are more than 1 % of their file. A part that cannot be read, or that exceeds `limits`, refuses the
 * snapshot; the rest of that part is not read, but the other parts are.
 */
export function rowFaults(snapshot: string, quarantine: boolean) {
  const found = new ProblemList();
  /** What keeps the folder or a whole part from being read. */
  const unreadable = new ProblemList();
  const setAside: SetAside[] = [];
  let setAsideCharacters = 0;
  let isRefused = false;

  /** The error of a file that is not read further. */
  function hopeless(file: string, line: number | null, expected: string): SnapshotError {
    const problems = new ProblemList();
    problems.add({ file, line, field: null, expected, got: 'more; it was not read any further' });
    return new SnapshotError(snapshot, problems);
  }

  function keep(row: SetAside): void {
    const text = copyOf(
      row.text.length > limits.setAsideText ? `${row.text.slice(0, limits.setAsideText)}…` : row.text,
    );
    setAside.push({ ...row, text });
    setAsideCharacters += text.length;
    if (setAsideCharacters > limits.setAsideTotal)
      throw hopeless(row.file, row.line, `at most ${bytesText(limits.setAsideTotal)} of rows to set aside`);
  }

  /** Counts a faulty row with all its faults. Throws a SnapshotError when its file exceeds a limit. */
  function reject(file: string, line: number | null, text: string, faults: readonly ValueFault[]): void {
    found.countRows(file, 0, 1, faults.length);
    for (const fault of faults) found.add({ file, line, ...fault });
    if (quarantine) keep({ file, line, reason: formatFaults(faults), text });
    const { bad, problems } = found.rowsOf(file);
    if (bad > limits.faultyRows) throw hopeless(file, line, `at most ${countText(limits.faultyRows)} faulty rows`);
    if (problems > limits.problems) throw hopeless(file, line, `at most ${countText(limits.problems)} problems`);
  }

  function filesBeyondLimit(): ProblemList {
    const problems = new ProblemList();
    for (const file of new Set(setAside.map((row) => row.file))) {
      const { read, bad } = found.rowsOf(file);
      if (bad <= read * quarantineLimit) continue;
      const expected = 'at most 1 % faulty rows to set aside';
      problems.add({ file, line: null, field: null, expected, got: `${bad} of ${read}` });
    }
    return problems;
  }

  /** Everything for which the snapshot must be refused. */
  function refusal(): ProblemList {
    const refusing = new ProblemList();
    refusing.addAll(unreadable);
    if (quarantine && refusing.total === 0) refusing.addAll(filesBeyondLimit());
    if (!quarantine || isRefused || refusing.total > 0) refusing.addAll(found);
    return refusing;
  }

  return {
    /**
     * Whether what refers to a faulty row is faulty too. So it is with quarantine, because the row is not used. Without
     * quarantine the row must be corrected anyway, and complaints about what refers to it would only hide the cause.
     */
    faultsSpread: quarantine,
    /** Counts rows that are good. */
    accept: (file: string, rows = 1) => found.countRows(file, rows, 0),
    /** The number of good rows of a file so far. */
    goodRows(file: string): number {
      const { read, bad } = found.rowsOf(file);
      return read - bad;
    },
    /** Adds what keeps the folder or a part of it from being read. */
    addUnreadable: (problems: ProblemList) => unreadable.addAll(problems),
    /** Checks a part. A part that cannot be read to its end is a fault, and gives null. */
    async ofPart<Result>(check: () => Promise<Result>): Promise<Result | null> {
      try {
        return await check();
      } catch (error) {
        if (!(error instanceof SnapshotError)) throw error;
        unreadable.addAll(error.problems);
        return null;
      }
    },
    reject,
    /** Adds a fault that is not of one row, so that setting rows aside cannot help. */
    refuse(file: string, fault: ValueFault): void {
      found.add({ file, line: null, ...fault });
      isRefused = true;
    },
    /** A callback that rejects the faulty entries of a file that is one document. */
    rejecting:
      (file: string): OnBad =>
      ({ line, text }, faults) =>
        reject(file, line, text, faults),
    refusal,
    /** The rows to set aside. Throws a SnapshotError when the snapshot must be refused. */
    settle(): readonly SetAside[] {
      const problems = refusal();
      if (problems.total > 0) throw new SnapshotError(snapshot, problems);
      return setAside;
    },
  };
}
