import type { Connection } from '../database/connection.ts';
import { type CorrectionRow, correctionsUpTo, insertCorrections } from '../database/corrections.ts';
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
 * `products`, `stores`, `inventory rows`. What was wrong in them stays.
 */
export function partsLeft(
  connection: Connection,
  { sequence, catalog_publication, directory_publication }: Publication,
  request: CorrectionRequest,
): string[] {
  const corrected = correctionOf(connection, request).corrected.map((one) => one.sequence);
  const left = {
    products: corrected.includes(catalog_publication),
    stores: corrected.includes(directory_publication),
    'inventory rows': leavesInventory(connection, sequence, corrected),
  };
  return Object.entries(left).flatMap(([part, isLeft]) => (isLeft ? [part] : []));
}

/** Whether a publication brought no inventory, and the last retrieval of some product is of a corrected one. */
function leavesInventory(connection: Connection, sequence: number, corrected: readonly number[]): boolean {
  const lastRetrievals = connection.prepare<[], number>('SELECT max(publication) FROM retrieval GROUP BY product');
  const last = new Set(lastRetrievals.pluck().all());
  return !last.has(sequence) && corrected.some((one) => last.has(one));
}

/** Whether a publication is the correction that a request describes. */
export function isCorrection(connection: Connection, { sequence }: Publication, request: CorrectionRequest): boolean {
  const { corrected, reason } = correctionOf(connection, request);
  const stated = correctionsUpTo(connection, sequence).filter(({ corrected_by }) => corrected_by === sequence);
  const wanted = corrected.map((one): CorrectionRow => ({ publication: one.sequence, corrected_by: sequence, reason }));
  return JSON.stringify(stated) === JSON.stringify(wanted);
}

export function recordCorrection(connection: Connection, sequence: number, { corrected, reason }: Correction): void {
  const rows = corrected.map((one): CorrectionRow => ({ publication: one.sequence, corrected_by: sequence, reason }));
  insertCorrections(connection, rows);
}
