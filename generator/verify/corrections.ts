import { isDeepStrictEqual } from 'node:util';
import type { FeedCorrection } from '../contract/documents/correction.ts';
import type { Metadata, RetainedPublication } from '../contract/documents/metadata.ts';
import type { ExportManifestDocument } from '../contract/formats/export.ts';
import type { ChangesIndex } from '../contract/formats/page-index.ts';
import { pathOf } from '../contract/paths.ts';
import { shown } from '../site/fault.ts';
import { documentAt, type SiteUnderCheck } from './documents.ts';

/**
 * Checks that the metadata, the list of publications and the manifest state the corrections that the index of all
 * changes has, and that these are numbered in the order of the feed.
 */
export function checkCorrections(site: SiteUnderCheck): void {
  const source = pathOf('changes_index');
  const index = documentAt<ChangesIndex>(site, source);
  if (!index) return;
  const { corrections } = index;
  checkOrder(site, corrections);
  const expectAt = (path: string, expected: unknown, got: unknown) => {
    if (isDeepStrictEqual(expected, got)) return;
    site.faults.add('publication_mismatch', path, `correction ${shown(expected)}, as ${source} has it`, shown(got));
  };
  const metadata = documentAt<{ data: Metadata }>(site, pathOf('metadata'));
  if (metadata) expectAt(pathOf('metadata'), newestOf(corrections), metadata.data.correction);
  const retained = documentAt<{ data: RetainedPublication[] }>(site, pathOf('publications'));
  if (!retained) return;
  for (const { revision, correction } of retained.data) {
    expectAt(pathOf('publications'), statementAbout(revision, corrections), correction);
  }
  const manifest = documentAt<ExportManifestDocument>(site, pathOf('exports'));
  if (!manifest) return;
  const expected = retained.data.flatMap(({ revision, correction }) =>
    correction ? [{ revision, ...correction }] : [],
  );
  expectAt(pathOf('exports'), expected, manifest.data.corrections);
}

function checkOrder({ faults }: SiteUnderCheck, corrections: readonly FeedCorrection[]): void {
  const path = pathOf('changes_index');
  for (const [i, { number, after_event, corrected }] of corrections.entries()) {
    const before = corrections[i - 1]?.after_event ?? 0;
    if (number !== i + 1) faults.add('index_mismatch', path, `correction ${i + 1}`, `correction ${number}`);
    if (after_event < before) {
      faults.add('index_mismatch', path, `after_event ${before} or more in correction ${number}`, String(after_event));
    }
    for (const { last_event } of corrected) {
      if ((last_event ?? 0) <= after_event) continue;
      faults.add('index_mismatch', path, `events up to ${after_event} in correction ${number}`, String(last_event));
    }
  }
}

function statementOf({ corrected_by_revision, reason, corrected_at }: FeedCorrection) {
  return { corrected_by_revision, reason, corrected_at };
}

function statementAbout(revision: string, corrections: readonly FeedCorrection[]) {
  const found = corrections.findLast(({ corrected }) => corrected.some((one) => one.revision === revision));
  return found ? statementOf(found) : null;
}

function newestOf(corrections: readonly FeedCorrection[]) {
  const newest = corrections.at(-1);
  return newest ? { revisions: newest.corrected.map(({ revision }) => revision), ...statementOf(newest) } : null;
}
