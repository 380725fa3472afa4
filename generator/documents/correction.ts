import type {
  Correction as CorrectionStatement,
  FeedState,
  NewestCorrection,
  RevisionCorrection,
} from '../../contract/documents/change.ts';
import type { Publication } from '../database/publications.ts';
import { type Correction, correctionOf } from './state/corrections.ts';
import type { State } from './state/state.ts';

function statementOf({ by, reason }: Correction): CorrectionStatement {
  return { corrected_by_revision: by.revision, reason, corrected_at: by.published_at };
}

/** The statement that holds about a publication; null when it was never corrected. */
export function correctionStatement(publication: Publication, { corrections }: State): CorrectionStatement | null {
  const found = correctionOf(publication, corrections);
  return found && statementOf(found);
}

/** The statements that hold about any of these publications, in their order. */
export function revisionCorrections(publications: readonly Publication[], state: State): RevisionCorrection[] {
  return publications.flatMap((publication) => {
    const statement = correctionStatement(publication, state);
    return statement ? [{ revision: publication.revision, ...statement }] : [];
  });
}

/** The newest correction of the series; null when nothing was ever corrected. */
export function newestCorrection({ corrections }: State): NewestCorrection | null {
  const newest = corrections.at(-1);
  return newest ? { revisions: newest.corrected.map(({ revision }) => revision), ...statementOf(newest) } : null;
}

/** The number of the newest event, and every correction with its place in the feed of all changes, oldest first. */
export function feedState({ publication, corrections, publicationAt }: State): FeedState {
  const lastBefore = ({ sequence }: Publication) => (sequence === 1 ? 0 : publicationAt(sequence - 1).last_event);
  const placed = corrections.map((correction, index) => ({
    number: index + 1,
    after_event: lastBefore(correction.by),
    ...statementOf(correction),
    corrected: correction.corrected.map((publication) => {
      const [before, last] = [lastBefore(publication), publication.last_event];
      const events = last > before ? { first_event: before + 1, last_event: last } : null;
      return { revision: publication.revision, ...(events ?? { first_event: null, last_event: null }) };
    }),
  }));
  return { last_event: publication.last_event, corrections: placed };
}
