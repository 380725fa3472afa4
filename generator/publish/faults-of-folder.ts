import { checkSnapshot } from './checked-snapshot.ts';
import { locateSnapshot } from './snapshot/folder.ts';
import { ProblemList, SnapshotError } from './snapshot/problem.ts';
import { RowFaults } from './snapshot/row-faults.ts';
import type { StateInForce } from './state-in-force.ts';

/**
 * Every fault of a snapshot folder: of its header, of parts that cannot be read, and of all rows. Without a state, what
 * may refer to an earlier snapshot is not checked: products and categories if the snapshot has none of its own, and
 * stores always, because a store that left the directory stays known.
 */
export async function faultsOfFolder(
  folder: string,
  state: StateInForce | null,
  quarantine: boolean,
): Promise<ProblemList> {
  const { name, parts, problems } = await locateSnapshot(folder);
  const faults = new RowFaults(name, quarantine);
  faults.addUnreadable(problems);
  await checkSnapshot(state, parts, faults);
  try {
    faults.settle();
    return new ProblemList();
  } catch (error) {
    if (error instanceof SnapshotError) return error.problems;
    throw error;
  }
}
