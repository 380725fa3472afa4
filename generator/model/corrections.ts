import type { CorrectionRow, Publication } from '../database/publications.ts';

/** A publication that corrects earlier ones. `corrected`: those, oldest first. */
export type Correction = {
  readonly by: Publication;
  readonly reason: string;
  readonly corrected: readonly Publication[];
};

/** The corrections that rows state, oldest first. `publicationAt`: the publication of a sequence. */
export function correctionsOf(
  rows: readonly CorrectionRow[],
  publicationAt: (sequence: number) => Publication,
): Correction[] {
  const bySequence = new Map<number, { by: Publication; reason: string; corrected: Publication[] }>();
  for (const { publication, corrected_by, reason } of rows) {
    const found = bySequence.get(corrected_by) ?? { by: publicationAt(corrected_by), reason, corrected: [] };
    found.corrected.push(publicationAt(publication));
    bySequence.set(corrected_by, found);
  }
  return [...bySequence.values()];
}

/** The newest correction of a publication, which holds; null when it was never corrected. */
export function correctionOf({ sequence }: Publication, corrections: readonly Correction[]): Correction | null {
  return corrections.findLast(({ corrected }) => corrected.some((one) => one.sequence === sequence)) ?? null;
}
