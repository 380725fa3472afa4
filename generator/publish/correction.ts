import { isDeepStrictEqual } from 'node:util';
import type { Connection } from '../database/connection.ts';
import {
  type CorrectionRow,
  correctionsUpTo,
  insertCorrections,
  latestPublication,
  type Publication,
  publicationOfRevision,
} from '../database/publications.ts';
import { Failure } from '../files/failure.ts';

export type CorrectionRequest = { readonly revisions: readonly string[]; readonly reason: string };

/** A correction of earlier publications. `corrected`: oldest first. `reason`: for readers. */
export type Correction = { readonly corrected: readonly Publication[]; readonly reason: string };

const longestReason = 1000;

/** Checks a reason. Throws a Failure if it cannot be shown to readers. */
export function parseReason(text: string): string {
  const reason = text.trim();
  const length = [...reason].length;
  if (length < 1 || length > longestReason) {
    throw new Failure('correction', `reason of a correction: expected 1 to ${longestReason} characters, got ${length}`);
  }
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(reason)) {
    throw new Failure(
      'correction',
      'reason of a correction: expected one line of printable text, got a control character',
    );
  }
  return reason;
}

/** The newest of several corrections holds. Throws a Failure if the database lacks a publication. */
export function findCorrected(connection: Connection, request: CorrectionRequest): Correction {
  const reason = parseReason(request.reason);
  const corrected = new Map<number, Publication>();
  for (const revision of request.revisions) {
    const found = publicationOfRevision(connection, revision);
    if (!found) {
      const latest = latestPublication(connection);
      const newest = latest ? `; the newest one is ${latest.revision} (publication ${latest.sequence})` : '';
      throw new Failure(
        'correction',
        `nothing to correct: expected the revision of a publication, got ${revision}${newest}`,
      );
    }
    corrected.set(found.sequence, found);
  }
  if (corrected.size === 0)
    throw new Failure('correction', 'nothing to correct: expected at least one revision, got none');
  return { corrected: [...corrected.values()].sort((a, b) => a.sequence - b.sequence), reason };
}

/** A revision is made from a name. A correction adds this to it. */
export function correctionName({ corrected, reason }: Correction): string {
  return JSON.stringify({ corrects: corrected.map(({ revision }) => revision), reason });
}

/** Parts of corrected publications that stay in force with their mistakes, because the snapshot lacks them. */
export function unchangedParts(
  connection: Connection,
  { sequence, catalog_publication, directory_publication }: Publication,
  request: CorrectionRequest,
): string[] {
  const corrected = findCorrected(connection, request).corrected.map((one) => one.sequence);
  const lastRetrievals = connection.prepare<[], number>('SELECT max(publication) FROM retrieval GROUP BY product');
  const retrieved = new Set(lastRetrievals.pluck().all());
  const isUnchanged = {
    products: corrected.includes(catalog_publication),
    stores: corrected.includes(directory_publication),
    'inventory rows': !retrieved.has(sequence) && corrected.some((one) => retrieved.has(one)),
  };
  return Object.entries(isUnchanged).flatMap(([part, unchanged]) => (unchanged ? [part] : []));
}

export function isCorrection(connection: Connection, { sequence }: Publication, request: CorrectionRequest): boolean {
  const stated = correctionsUpTo(connection, sequence).filter(({ corrected_by }) => corrected_by === sequence);
  return isDeepStrictEqual(stated, correctionRows(sequence, findCorrected(connection, request)));
}

export function recordCorrection(connection: Connection, sequence: number, correction: Correction): void {
  insertCorrections(connection, correctionRows(sequence, correction));
}

function correctionRows(corrected_by: number, { corrected, reason }: Correction): CorrectionRow[] {
  return corrected.map(({ sequence: publication }) => ({ publication, corrected_by, reason }));
}
