import type { RetainedPublication } from '../contract/documents/metadata.ts';
import { pathOf } from '../contract/paths.ts';
import type { ObjectLedger } from '../site/checked-files.ts';
import { checkValidators } from '../site/checked-table.ts';
import { shown } from '../site/fault.ts';
import { documentAt, type SiteUnderCheck } from './documents.ts';

/** Checks that the Atom feed has an entry for each retained publication, in the order of the document that lists them. */
export function checkPublicationsFeed(site: SiteUnderCheck, ledger: ObjectLedger): void {
  const route = site.table.find(pathOf('publications_feed'));
  if (typeof route === 'string') return;
  const object = ledger.check(route.sha256, route.path);
  if (object) checkValidators(route, object, site.faults);
  const publications = documentAt<{ data: RetainedPublication[] }>(site, pathOf('publications'));
  // The next reading may use the same memory, so the feed is read last.
  const bytes = ledger.read(route.sha256, route.path);
  if (bytes === null || publications === null) return;
  const got = [...bytes.toString().matchAll(/<entry>\s*<id>urn:uuid:([^<]*)<\/id>/g)].map(([, revision]) => revision);
  const expected = publications.data.map(({ revision }) => revision);
  const differs = Array.from({ length: Math.max(got.length, expected.length) }).findIndex(
    (_, i) => got[i] !== expected[i],
  );
  if (differs < 0) return;
  const wanted =
    expected[differs] === undefined ? 'no more entries' : `entry ${differs + 1} of revision ${expected[differs]}`;
  site.faults.add(
    'publication_mismatch',
    route.path,
    `${wanted}, as ${pathOf('publications')} has it`,
    shown(got[differs] ?? 'no entry'),
  );
}
