import type { Metadata } from '../../contract/metadata.ts';
import { type PathKind, parsePath, pathOf } from '../../contract/paths.ts';
import type { SearchIndex } from '../../contract/search.ts';
import type { ListResult } from './list-check.ts';
import type { ExportResults } from './retention-agreement.ts';
import { documentAt, type SiteUnderCheck } from './site-check.ts';

type Counts = Metadata['counts'];

/** Lists whose rows `/metadata` counts. */
const listCounts = [
  ['products', 'listed_products'],
  ['families', 'product_families'],
  ['brands', 'brands'],
  ['stores', 'stores'],
  ['changes', 'change_events'],
] as const satisfies readonly (readonly [PathKind, keyof Counts])[];

/** Kinds of documents of which there is one for each thing that `/metadata` counts. */
const documentCounts = [
  ['product', 'products'],
  ['family', 'product_families'],
  ['store', 'stores'],
] as const satisfies readonly (readonly [PathKind, keyof Counts])[];

/** Export files of the current publication with a record for each thing that `/metadata` counts. */
const exportCounts = [
  ['products', 'products'],
  ['stores', 'stores'],
  ['inventory', 'inventory_pairs'],
] as const satisfies readonly (readonly [string, keyof Counts])[];

/** Holds the counts of `/metadata` against what was counted: rows of walks, documents, records, categories, hits. */
export function checkCounts(
  site: SiteUnderCheck,
  lists: ReadonlyMap<string, ListResult>,
  exports: ExportResults,
): void {
  const path = pathOf('metadata');
  const document = documentAt<{ data: Metadata }>(site, path);
  if (!document) return;
  const { counts, publication } = document.data;
  const expectCount = (name: keyof Counts, found: number | undefined, what: string) => {
    if (found === undefined || found === counts[name]) return;
    site.faults.add('list_count', path, `${name} ${found}, ${what}`, String(counts[name]));
  };
  for (const [kind, name] of listCounts) {
    const list = lists.get(pathOf(kind));
    if (list?.isWhole) expectCount(name, list.rows, `the rows of ${pathOf(kind)}`);
  }
  const documents = site.table.isComplete ? countKinds(site) : null;
  for (const [kind, name] of documentCounts) {
    expectCount(name, documents ? (documents.get(kind) ?? 0) : undefined, 'as many as have a document');
  }
  for (const [resource, name] of exportCounts) {
    const exported = exports.get(pathOf('export', { revision: publication.revision, resource }));
    expectCount(name, exported?.records, `the records of the ${resource} export`);
  }
  const categories = documentAt<{ data: unknown[] }>(site, pathOf('categories'));
  expectCount('categories', categories?.data.length, `the entries of ${pathOf('categories')}`);
  checkHits(site, counts);
}

/** Search can find every listed product, family, brand and store, each once. */
function checkHits(site: SiteUnderCheck, counts: Counts): void {
  const index = documentAt<SearchIndex>(site, pathOf('search_index'));
  if (!index) return;
  const expected = counts.listed_products + counts.product_families + counts.brands + counts.stores;
  const hits = new Set(index.entries.map(({ hit }) => hit.path));
  if (hits.size === expected && index.entries.length === expected) return;
  const got = `${index.entries.length} entries with ${hits.size} addresses`;
  site.faults.add(
    'list_count',
    pathOf('search_index'),
    `${expected} entries, as ${pathOf('metadata')} counts them`,
    got,
  );
}

function countKinds({ table }: SiteUnderCheck): Map<PathKind, number> {
  const counts = new Map<PathKind, number>();
  for (const { path, last_sequence } of table.routes.values()) {
    const kind = last_sequence === undefined ? parsePath(path)?.kind : undefined;
    if (kind) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}
