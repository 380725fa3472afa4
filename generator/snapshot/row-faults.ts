import { faultText, type ValueFault } from '../../contract/schemas/checked-value.ts';
import { detached } from '../files/detached-text.ts';
import { countText } from '../files/failure.ts';
import { type Fault, Faults, FaultyInput } from '../files/faults.ts';
import { bytesText, limits } from './limits.ts';

const quarantineLimit = 0.01;

type SetAside = { file: string; line: number | null; reason: string; text: string };

/** `text`: the unusable row or entry as it was read. `faults`: everything that is wrong with it. */
export type OnBad = (row: { line: number | null; text: string }, faults: readonly ValueFault[]) => void;

/** `read` counts all rows, `bad` those with faults, and `faults` their faults. */
type RowCount = { readonly read: number; readonly bad: number; readonly faults: number };

export type RowFaults = ReturnType<typeof rowFaults>;

export function faultySnapshot(snapshot: string, faults: Faults): FaultyInput {
  const what = `snapshot ${snapshot}`;
  return new FaultyInput('snapshot_faults', what, `${what} was not published`, faults, { snapshot });
}

/**
 * Collects the faults of a snapshot. Without quarantine, any faulty row refuses the snapshot. With it, faulty rows are
 * set aside, unless they are more than 1 % of their file. A part that cannot be read, or that exceeds `limits`, refuses
 * the snapshot. The rest of that part is not read, but the other parts are.
 */
export function rowFaults(snapshot: string, quarantine: boolean) {
  const found = new Faults();
  const unreadable = new Faults();
  const setAside: SetAside[] = [];
  const counts = new Map<string, RowCount>();
  let setAsideCharacters = 0;
  let isRefused = false;

  function rowsIn(file: string): RowCount {
    return counts.get(file) ?? { read: 0, bad: 0, faults: 0 };
  }

  function count(file: string, good: number, bad: number, faults: number): RowCount {
    const before = rowsIn(file);
    const now = { read: before.read + good + bad, bad: before.bad + bad, faults: before.faults + faults };
    counts.set(file, now);
    return now;
  }

  function hopeless(file: string, line: number | null, expected: string): FaultyInput {
    const got = 'more; it was not read any further';
    return faultySnapshot(snapshot, new Faults([{ file, line, field: null, expected, got }]));
  }

  function keep(row: SetAside): void {
    const text = detached(
      row.text.length > limits.setAsideText ? `${row.text.slice(0, limits.setAsideText)}…` : row.text,
    );
    setAside.push({ ...row, text });
    setAsideCharacters += text.length;
    if (setAsideCharacters > limits.setAsideTotal)
      throw hopeless(row.file, row.line, `at most ${bytesText(limits.setAsideTotal)} of rows to set aside`);
  }

  /** Counts a faulty row with all its faults. Throws a FaultyInput when its file exceeds a limit. */
  function reject(file: string, line: number | null, text: string, rowFaults: readonly ValueFault[]): void {
    const { bad, faults } = count(file, 0, 1, rowFaults.length);
    for (const fault of rowFaults) found.add({ file, line, ...fault });
    if (quarantine) keep({ file, line, reason: reasonText(rowFaults), text });
    if (bad > limits.faultyRows) throw hopeless(file, line, `at most ${countText(limits.faultyRows)} faulty rows`);
    if (faults > limits.faults) throw hopeless(file, line, `at most ${countText(limits.faults)} faults`);
  }

  function filesBeyondLimit(): Fault[] {
    return [...new Set(setAside.map((row) => row.file))].flatMap((file) => {
      const { read, bad } = rowsIn(file);
      if (bad <= read * quarantineLimit) return [];
      const expected = 'at most 1 % faulty rows to set aside';
      return [{ file, line: null, field: null, expected, got: `${bad} of ${read}` }];
    });
  }

  function refusal(): Faults {
    const refusing = new Faults(quarantine && unreadable.total === 0 ? filesBeyondLimit() : []);
    refusing.addAll(unreadable);
    if (!quarantine || isRefused || refusing.total > 0) refusing.addAll(found);
    return refusing;
  }

  return {
    /**
     * Whether a reference to a faulty row is a fault too. With quarantine it is, because the row is not used. Without
     * it, the row must be corrected anyway, and such faults would only hide the cause.
     */
    faultsSpread: quarantine,
    accept(file: string, rows = 1): void {
      count(file, rows, 0, 0);
    },
    goodRows(file: string): number {
      const { read, bad } = rowsIn(file);
      return read - bad;
    },
    addUnreadable: (faults: Faults) => unreadable.addAll(faults),
    /** Checks a part. Resolves to null, and adds a fault, if the part cannot be read to its end. */
    async inPart<Result>(check: () => Promise<Result>): Promise<Result | null> {
      try {
        return await check();
      } catch (error) {
        if (!(error instanceof FaultyInput)) throw error;
        unreadable.addAll(error.faults);
        return null;
      }
    },
    reject,
    /** Adds a fault that belongs to no single row, so that setting rows aside cannot help. */
    refuse(file: string, fault: ValueFault): void {
      found.add({ file, line: null, ...fault });
      isRefused = true;
    },
    rejecting:
      (file: string): OnBad =>
      ({ line, text }, faults) =>
        reject(file, line, text, faults),
    refusal,
    /** The rows to set aside. Throws a FaultyInput when the snapshot must be refused. */
    settle(): readonly SetAside[] {
      const refusing = refusal();
      if (refusing.total > 0) throw faultySnapshot(snapshot, refusing);
      return setAside;
    },
  };
}

const describedFaults = 10;

/** The first faults of one row or entry as the reason for its rejection, without its place in the file. */
export function reasonText(faults: readonly ValueFault[]): string {
  const more = faults.length > describedFaults ? `; and ${faults.length - describedFaults} more` : '';
  return faults.slice(0, describedFaults).map(faultText).join('; ') + more;
}
