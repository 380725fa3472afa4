import type { Connection } from '../database/connection.ts';
import type { Publication } from '../database/publications.ts';
import { Failure } from '../failure.ts';
import { faultsOfFolder } from './faults-of-folder.ts';
import type { TrippedGuard } from './guards.ts';
import { type PublishOptions, publishSnapshot } from './publish.ts';
import { ProblemList, SnapshotError } from './snapshot/problem.ts';
import { stateInForce } from './state-in-force.ts';

/** What publishing a snapshot would find and do. */
export type Rehearsal = {
  readonly problems: ProblemList;
  /** Why it would be refused whatever is in its files, such as being older than the last publication. */
  readonly refusal: string | null;
  readonly guards: readonly TrippedGuard[];
  /** The publication in the copy. Null if the snapshot would be refused for another reason than guards. */
  readonly publication: Publication | null;
};

/** Publishes a snapshot into a copy of the database, past any guards, and collects all that it finds. */
export async function rehearse(
  copy: Connection,
  folder: string,
  options: Omit<PublishOptions, 'onGuards'>,
): Promise<Rehearsal> {
  let guards: readonly TrippedGuard[] = [];
  const onGuards = (tripped: readonly TrippedGuard[]) => {
    guards = tripped;
  };
  try {
    const publication = await publishSnapshot(copy, folder, { ...options, onGuards });
    return { problems: new ProblemList(), refusal: null, guards, publication };
  } catch (error) {
    if (error instanceof SnapshotError) {
      return { problems: error.problems, refusal: null, guards: [], publication: null };
    }
    if (!(error instanceof Failure)) throw error;
    // A snapshot in the wrong place is refused before its rows are read.
    const problems = await faultsOfFolder(folder, stateInForce(copy), options.quarantine);
    return { problems, refusal: error.message, guards: [], publication: null };
  }
}
