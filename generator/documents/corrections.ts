import type { Correction, FeedState, NewestCorrection, RevisionCorrection } from '../../contract/schemas/change.ts';
import type { CorrectionRow, Publication } from '../database/publications.ts';
import type { State } from './state.ts';

/** `corrected` is oldest first. */
export type CorrectingPublication = {
  readonly corrected_by: Publication;
  readonly reason: string;
  readonly corrected: readonly Publication[];
};

/** The publications that correct others, oldest first. */
export function correctingPublications(
  rows: readonly CorrectionRow[],
  publicationAt: (sequence: number) => Publication,
): CorrectingPublication[] {
  return [...Map.groupBy(rows, ({ corrected_by }) => corrected_by)].map(([by, corrections]) => ({
    corrected_by: publicationAt(by),
    reason: corrections[0]?.reason ?? '',
    corrected: corrections.map(({ publication }) => publicationAt(publication)),
  }));
}

/** The newest correction of a publication; null if it was never corrected. */
export function correctionStatement({ sequence }: Publication, { corrections }: State): Correction | null {
  const newest = corrections.findLast(({ corrected }) => corrected.some((one) => one.sequence === sequence));
  return newest ? statement(newest) : null;
}

/** The corrections of these publications, in their order. */
export function revisionCorrections(publications: readonly Publication[], state: State): RevisionCorrection[] {
  return publications.flatMap((publication) => {
    const correction = correctionStatement(publication, state);
    return correction ? [{ revision: publication.revision, ...correction }] : [];
  });
}

/** The newest correction of all; null if nothing was ever corrected. */
export function newestCorrection({ corrections }: State): NewestCorrection | null {
  const newest = corrections.at(-1);
  return newest ? { revisions: newest.corrected.map(({ revision }) => revision), ...statement(newest) } : null;
}

/** The newest event's number, and every correction with its place in the feed of all changes, oldest first. */
export function feedState({ publication, corrections, publicationAt }: State): FeedState {
  const lastBefore = ({ sequence }: Publication) => (sequence === 1 ? 0 : publicationAt(sequence - 1).last_event);
  const placed = corrections.map((correction, index) => ({
    number: index + 1,
    after_event: lastBefore(correction.corrected_by),
    ...statement(correction),
    corrected: correction.corrected.map((publication) => {
      const [before, last] = [lastBefore(publication), publication.last_event];
      const events = last > before ? { first_event: before + 1, last_event: last } : null;
      return { revision: publication.revision, ...(events ?? { first_event: null, last_event: null }) };
    }),
  }));
  return { last_event: publication.last_event, corrections: placed };
}

function statement({ corrected_by, reason }: CorrectingPublication): Correction {
  return { corrected_by_revision: corrected_by.revision, reason, corrected_at: corrected_by.published_at };
}
