import type { Connection } from '../database/connection.ts';
import { type CorrectionRow, insertCorrections } from '../database/corrections.ts';
import { latestPublication, type Publication, publicationOfRevision } from '../database/publications.ts';
import { Failure } from '../failure.ts';

/** What `publish` is told: the revisions of the publications that are wrong, and what was wrong with them, for readers. */
export type CorrectionRequest = { readonly revisions: readonly string[]; readonly reason: string };

/** The publications that the publication in progress corrects, oldest first. */
export type Correction = { readonly corrected: readonly Publication[]; readonly reason: string };

const longestReason = 1000;

/** Returns a reason without blanks around it. Throws a Failure when readers could not be shown it. */
export function parseReason(text: string): string {
  const reason = text.trim();
  const length = [...reason].length;
  if (length < 1 || length > longestReason) {
    throw new Failure(`reason of a correction: expected 1 to ${longestReason} characters, got ${length}`);
  }
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(reason)) {
    throw new Failure('reason of a correction: expected one line of printable text, got a control character in it');
  }
  return reason;
}

/**
 * The publications that a request names. A publication that was corrected before may be corrected again: the newest
 * correction holds. Throws a Failure when the database has no such publication.
 */
export function correctionOf(connection: Connection, request: CorrectionRequest): Correction {
  const reason = parseReason(request.reason);
  const corrected = new Map<number, Publication>();
  for (const revision of request.revisions) {
    const found = publicationOfRevision(connection, revision);
    if (!found) {
      const latest = latestPublication(connection);
      const newest = latest ? `; the newest one is ${latest.revision} (publication ${latest.sequence})` : '';
      throw new Failure(`nothing to correct: expected the revision of a publication, got ${revision}${newest}`);
    }
    corrected.set(found.sequence, found);
  }
  if (corrected.size === 0) throw new Failure('nothing to correct: expected at least one revision, got none');
  return { corrected: [...corrected.values()].sort((a, b) => a.sequence - b.sequence), reason };
}

/** What a correction adds to the name from which its revision is made. */
export function correctionName({ corrected, reason }: Correction): string {
  return JSON.stringify({ corrects: corrected.map(({ revision }) => revision), reason });
}

/**
 * The parts of corrected publications that a publication leaves in force, because its snapshot does not have them:
 * `products`, `stores`. What was wrong in them stays.
 */
export function partsLeft(
  connection: Connection,
  { catalog_publication, directory_publication }: Publication,
  { revisions }: CorrectionRequest,
): string[] {
  const corrected = revisions.map((revision) => publicationOfRevision(connection, revision)?.sequence);
  const inForce = { products: catalog_publication, stores: directory_publication };
  return Object.entries(inForce).flatMap(([part, sequence]) => (corrected.includes(sequence) ? [part] : []));
}

export function recordCorrection(connection: Connection, sequence: number, { corrected, reason }: Correction): void {
  const rows = corrected.map((one): CorrectionRow => ({ publication: one.sequence, corrected_by: sequence, reason }));
  insertCorrections(connection, rows);
}
