import type { ExportManifestDocument } from '../../contract/export.ts';
import type { Metadata } from '../../contract/metadata.ts';
import { pathOf, pointerFile } from '../../contract/paths.ts';
import type { SearchIndex } from '../../contract/search.ts';
import type { Pointer } from '../../contract/site.ts';
import { type FaultList, shown } from './fault.ts';
import { documentAt, type SiteUnderCheck } from './site-check.ts';

type Identity = Pick<Pointer, 'revision' | 'sequence' | 'published_at'>;
type ServiceIndexDocument = { data: { publication_revision: string; published_at: string } };

/**
 * Checks that pointer, service index, manifest and search index speak of the publication that `/metadata` speaks of:
 * a hash vouches for every document, and for the pointer only this.
 */
export function checkIdentity(site: SiteUnderCheck, pointed: Identity): void {
  const about = documentAt<{ data: Metadata }>(site, pathOf('metadata'));
  const own = about?.data.publication ?? pointed;
  const source = about ? pathOf('metadata') : pointerFile;
  checkPointed(site.faults, own, pointed);
  const expectEqual = (path: string, expected: object, got: object) =>
    compareFields(site.faults, path, expected, got, `as ${source} has it`);
  const identity = { publication_revision: own.revision, published_at: own.published_at };
  const index = documentAt<ServiceIndexDocument>(site, pathOf('service_index'));
  if (index) expectEqual(pathOf('service_index'), identity, index.data);
  const manifest = documentAt<ExportManifestDocument>(site, pathOf('exports'));
  if (manifest) expectEqual(pathOf('exports'), identity, manifest.data);
  const search = documentAt<SearchIndex>(site, pathOf('search_index'));
  if (search) expectEqual(pathOf('search_index'), { publication_revision: own.revision }, search);
}

/** `own`: what the publication says of itself in its metadata. */
export function checkPointed(faults: FaultList, own: Identity, pointed: Identity): void {
  const { revision, sequence, published_at } = own;
  compareFields(
    faults,
    pointerFile,
    { revision, sequence, published_at },
    pointed,
    "as the publication's metadata has it",
  );
}

function compareFields(faults: FaultList, path: string, expected: object, got: object, reason: string): void {
  for (const [key, value] of Object.entries(expected)) {
    const found = (got as Record<string, unknown>)[key];
    if (found !== value) faults.add('publication_mismatch', path, `${key} ${shown(value)}, ${reason}`, shown(found));
  }
}
