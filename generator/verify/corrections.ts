import type { FeedCorrection } from '../contract/documents/correction.ts';
import type { Metadata, RetainedPublication } from '../contract/documents/metadata.ts';
import type { ExportManifestDocument } from '../contract/formats/export-manifest.ts';
import { lastSealedPage, pageSize } from '../contract/formats/page-index.ts';
import { pathOf } from '../contract/paths.ts';
import { documentAt, type SiteUnderCheck } from './documents.ts';
import { indexOfAllChanges } from './page-index.ts';

/**
 * Checks that the list of publications, the manifest and the newest correction state the corrections that the metadata
 * give for the feed, that these are numbered in the order of the feed, and that the feed ends where the metadata say.
 */
export function checkCorrections(site: SiteUnderCheck): void {
  const source = pathOf('metadata');
  const metadata = documentAt<{ data: Metadata }>(site, source);
  if (!metadata) return;
  const { feed, correction: newest } = metadata.data;
  const { corrections } = feed;
  checkOrder(site, corrections);
  checkLastEvent(site, feed.last_event);
  const expectAt = (path: string, expected: unknown, got: unknown) => {
    const claim = (text: string) => `correction ${text}, as feed.corrections of ${source} has it`;
    site.faults.expectEqual('publication_mismatch', path, expected, got, claim);
  };
  expectAt(source, newestOf(corrections), newest);
  const retained = documentAt<{ data: RetainedPublication[] }>(site, pathOf('publications'));
  if (!retained) return;
  for (const { revision, correction } of retained.data) {
    expectAt(pathOf('publications'), statementAbout(revision, corrections), correction);
  }
  const manifest = documentAt<ExportManifestDocument>(site, pathOf('exports'));
  if (!manifest) return;
  const expected = retained.data.flatMap(({ revision }) => {
    const statement = statementAbout(revision, corrections);
    return statement ? [{ revision, ...statement }] : [];
  });
  expectAt(pathOf('exports'), expected, manifest.data.corrections);
}

/**
 * The newest event is the last one of the list, whose number follows from the page index. When all events are past
 * retention, the list is empty, and the newest event is one of the 100 after the last sealed page.
 */
function checkLastEvent(site: SiteUnderCheck, said: number): void {
  const index = indexOfAllChanges(site);
  const list = documentAt<{ data: unknown[] }>(site, pathOf('changes'));
  if (!index || !list) return;
  const sealed = lastSealedPage(index) * pageSize;
  const found = sealed + list.data.length;
  if (found === said || (list.data.length === 0 && said > sealed && said <= sealed + pageSize)) return;
  const expected = `feed.last_event ${found}, as ${pathOf('changes')} ends`;
  site.faults.add('list_count', pathOf('metadata'), expected, String(said));
}

function checkOrder({ faults }: SiteUnderCheck, corrections: readonly FeedCorrection[]): void {
  const path = pathOf('metadata');
  for (const [i, { number, after_event, corrected }] of corrections.entries()) {
    const before = corrections[i - 1]?.after_event ?? 0;
    if (number !== i + 1) faults.add('publication_mismatch', path, `correction ${i + 1}`, `correction ${number}`);
    if (after_event < before) {
      faults.add(
        'publication_mismatch',
        path,
        `after_event ${before} or more in correction ${number}`,
        String(after_event),
      );
    }
    for (const { last_event } of corrected) {
      if ((last_event ?? 0) <= after_event) continue;
      faults.add(
        'publication_mismatch',
        path,
        `events up to ${after_event} in correction ${number}`,
        String(last_event),
      );
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
