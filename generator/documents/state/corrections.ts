import type { CorrectionRow, Publication } from '../../database/publications.ts';

/** A publication that corrects earlier ones. `corrected`: those, oldest first. */
export type Correction = ReturnType<typeof correctionsOf>[number];

/** The corrections that rows state, oldest first. `publicationAt`: the publication of a sequence. */
export function correctionsOf(rows: readonly CorrectionRow[], publicationAt: (sequence: number) => Publication) {
  return [...Map.groupBy(rows, ({ corrected_by }) => corrected_by)].map(([by, stated]) => ({
    by: publicationAt(by),
    reason: stated[0]?.reason ?? '',
    corrected: stated.map(({ publication }) => publicationAt(publication)),
  }));
}

/** The newest correction of a publication, which holds; null when it was never corrected. */
export function correctionOf({ sequence }: Publication, corrections: readonly Correction[]): Correction | null {
  return corrections.findLast(({ corrected }) => corrected.some((one) => one.sequence === sequence)) ?? null;
}
