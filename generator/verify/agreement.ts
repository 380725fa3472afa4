import type { Metadata, RetainedPublication } from '../contract/documents/metadata.ts';
import type { BrowseIndex, SearchIndex } from '../contract/documents/search.ts';
import { exportResource } from '../contract/formats/export.ts';
import type { ExportManifestDocument } from '../contract/formats/export-manifest.ts';
import type { Pointer } from '../contract/formats/site.ts';
import { type PathKind, parsePath, pathOf, pointerFile } from '../contract/paths.ts';
import { type FaultList, shown } from '../site/fault.ts';
import { documentAt, type SiteUnderCheck } from './documents.ts';
import type { ExportResult } from './exports.ts';
import type { ListResult } from './lists.ts';

type Counts = Metadata['counts'];

/** Lists whose rows `/metadata` counts. */
const listCounts = [
  ['products', 'listed_products'],
  ['families', 'product_families'],
  ['brands', 'brands'],
  ['stores', 'stores'],
  ['changes', 'change_events'],
] as const satisfies readonly (readonly [PathKind, keyof Counts])[];

/** Kinds of documents that exist once for each thing that `/metadata` counts. */
const documentCounts = [
  ['product', 'products'],
  ['family', 'product_families'],
  ['store', 'stores'],
] as const satisfies readonly (readonly [PathKind, keyof Counts])[];

/** Export files of the current publication that hold one record for each thing that `/metadata` counts. */
const exportCounts = [
  ['products', 'products'],
  ['stores', 'stores'],
  ['inventory', 'inventory_pairs'],
] as const satisfies readonly (readonly [string, keyof Counts])[];

/**
 * Compares the counts of `/metadata` with the rows of walks, documents, export records, categories and search entries.
 */
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

/** Checks that the search index has every listed product, family, brand and store once. */
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

type Identity = Pick<Pointer, 'revision' | 'sequence' | 'published_at'>;
type ServiceIndexDocument = { data: { publication_revision: string; published_at: string } };

/**
 * Checks that pointer, service index, manifest, search and browse index name the publication that `/metadata` names. Hashes
 * cover every document, but only this check covers the pointer.
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
  const browse = documentAt<BrowseIndex>(site, pathOf('browse'));
  if (browse) expectEqual(pathOf('browse'), { publication_revision: own.revision }, browse);
}

/** Compares the pointer's fields with `own`, the identity in the publication's metadata. */
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

/** The result of reading each export file, by its path. */
export type ExportResults = ReadonlyMap<string, ExportResult>;

/** Checks the retained publications: the document that lists them, the pointer, the manifest, and their export files. */
export function checkRetention(site: SiteUnderCheck, pointer: Pointer, exports: ExportResults): void {
  const path = pathOf('publications');
  const document = documentAt<{ data: RetainedPublication[] }>(site, path);
  if (!document) return;
  const retained = document.data;
  const add = (expected: string, got: string) => site.faults.add('publication_mismatch', path, expected, got);
  for (const [i, { revision, sequence, current }] of retained.entries()) {
    const newer = retained[i - 1];
    if (newer && newer.sequence <= sequence) add('newest first', `sequence ${sequence} after ${newer.sequence}`);
    const isCurrent = revision === pointer.revision;
    if (current !== isCurrent) add(`current ${isCurrent} at revision ${revision}`, String(current));
  }
  if (!retained.some(({ current }) => current))
    add('the current publication among the retained', 'none that is current');
  checkRetainedInPointer(site, pointer, retained);
  for (const publication of retained) checkFiles(site, publication, exports);
  checkManifest(site, retained);
  checkSurplus(site, retained);
}

/** Checks that the pointer lists every retained publication with the same fields, and besides them only kept ones. */
function checkRetainedInPointer(
  { faults }: SiteUnderCheck,
  pointer: Pointer,
  retained: readonly RetainedPublication[],
): void {
  const add = (expected: string, got: string) => faults.add('publication_mismatch', pointerFile, expected, got);
  for (const { revision, sequence, published_at } of retained) {
    const listed = pointer.publications.find((other) => other.revision === revision);
    const expected = `revision ${revision}, sequence ${sequence}, ${published_at}, as ${pathOf('publications')} has it`;
    if (!listed) add(expected, 'nothing of that revision');
    else if (listed.sequence !== sequence || listed.published_at !== published_at) {
      add(expected, `sequence ${listed.sequence}, ${listed.published_at}`);
    }
  }
  for (const { revision, routes } of pointer.publications) {
    if (routes !== null || retained.some((other) => other.revision === revision)) continue;
    add('publications that are retained or kept whole', `revision ${revision}, which is neither`);
  }
}

function checkFiles(site: SiteUnderCheck, publication: RetainedPublication, exports: ExportResults): void {
  const { revision, published_at } = publication;
  for (const resource of exportResource.options) {
    const { url, record_count } = publication.exports[resource];
    const path = pathOf('export', { revision, resource });
    const add = (expected: string, got: string) => {
      site.faults.add('publication_mismatch', pathOf('publications'), `${expected} of revision ${revision}`, got);
    };
    if (site.addresses.pathOf(url) !== path) add(`url ${path} for the ${resource}`, url);
    const found = exports.get(path);
    if (!found) continue;
    if (found.records !== record_count) {
      const expected = `record_count ${found.records}, the records of the ${resource} export of revision ${revision}`;
      site.faults.add('export_count', pathOf('publications'), expected, String(record_count));
    }
    if (found.publishedAt !== null && found.publishedAt !== published_at) {
      site.faults.add('export_header', path, `published_at ${published_at} in its header`, found.publishedAt);
    }
  }
}

/** Checks that the manifest lists the files of the current publication. */
function checkManifest(site: SiteUnderCheck, retained: readonly RetainedPublication[]): void {
  const path = pathOf('exports');
  const manifest = documentAt<ExportManifestDocument>(site, path);
  const current = retained.find((publication) => publication.current);
  if (!manifest || !current) return;
  for (const resource of exportResource.options) {
    const [listed, stated] = [current.exports[resource], manifest.data.files[resource]];
    for (const name of ['record_count', 'url'] as const) {
      if (listed[name] === stated[name]) continue;
      const expected = `${name} ${shown(listed[name])} of the ${resource}, as ${pathOf('publications')} has it`;
      site.faults.add('export_count', path, expected, shown(stated[name]));
    }
  }
}

/** Checks that every export in the route table belongs to a retained publication. */
function checkSurplus({ table, faults }: SiteUnderCheck, retained: readonly RetainedPublication[]): void {
  const revisions = new Set(retained.map(({ revision }) => revision));
  for (const path of table.routes.keys()) {
    const parsed = parsePath(path);
    const { revision } = parsed?.parameters ?? {};
    if (revision === undefined || revisions.has(revision)) continue;
    faults.add('publication_mismatch', path, 'an export of a retained publication', 'one of another revision');
  }
}
