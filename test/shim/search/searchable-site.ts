import { formatPath } from '../../../contract/paths.ts';
import type { SearchHit, SearchIndex } from '../../../contract/schemas/search.ts';
import { foldedWords } from '../../../contract/text.ts';
import type { SearchKind } from '../../../contract/vocabulary.ts';
import { PublicationView } from '../../../shim/site/publication-view.ts';
import { VerifiedObjects } from '../../../shim/site/verified-objects.ts';
import { MemoryReader } from '../memory-reader.ts';
import { type TinySite, tinySite } from '../tiny-site.ts';

const revision = '11111111-1111-4111-8111-111111111111';

export type Entry = SearchIndex['entries'][number];

/** An entry as the generator writes it. Ids show the order in which entries were made. */
export function makeEntry(kind: SearchKind, name: string, brand: string | null = null, more: readonly string[] = []) {
  entryCount += 1;
  const digits = String(entryCount);
  const hit = {
    kind,
    id: `00000000-0000-4000-8000-${digits.padStart(12, '0')}`,
    name,
    brand: kind === 'brand' ? name : brand,
    path: `/v1/x/${digits}`,
    ...(kind === 'product' ? { agency_sku: digits.padStart(6, '0') } : {}),
  } as SearchHit;
  const sku = hit.kind === 'product' ? [hit.agency_sku] : [];
  return {
    hit,
    terms: foldedWords([...(brand === null ? [] : [brand]), name, ...more, ...sku]).join(' '),
    // Some products share a count, and some have none.
    reported_positive_store_count: kind !== 'product' || entryCount % 3 === 0 ? null : entryCount % 5,
  };
}

let entryCount = 0;

export function siteWith(entries: readonly Entry[], warnings: SearchIndex['warnings'] = []): TinySite {
  const index: SearchIndex = { publication_revision: revision, warnings, entries: [...entries] };
  return tinySite({ revision, documents: { [formatPath('search_index')]: { body: JSON.stringify(index) } } });
}

export async function openView(site: TinySite, reader = new MemoryReader(site)): Promise<PublicationView> {
  return PublicationView.load(new VerifiedObjects(reader), site.pointer);
}
