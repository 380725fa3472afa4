import type { AddressKind } from '../../contract/addresses.ts';
import { exportResource } from '../../contract/columns/export.ts';
import { contextTable, publicationTable } from '../../contract/columns/parquet.ts';
import { sortedRuns } from '../../contract/columns/sorted-runs.ts';
import { csvFileName, type ExportObjects } from '../../contract/export-names.ts';
import { lastSealedPage, pageSize } from '../../contract/pages.ts';
import { exportFiles, exportObjects, formatPath, latestFiles, parsePath, pointerFile } from '../../contract/paths.ts';
import { withUnpacked } from '../../contract/routes.ts';
import type { BrowseIndex } from '../../contract/schemas/browse.ts';
import { type ChangePieces, eventsInPiece, eventsPerPiece } from '../../contract/schemas/change-pieces.ts';
import { shown } from '../../contract/schemas/checked-value.ts';
import { formatChecksums, makeDataPackage } from '../../contract/schemas/data-package.ts';
import type { ExportManifestDocument, Metadata, RetainedPublication } from '../../contract/schemas/metadata.ts';
import type { SearchIndex } from '../../contract/schemas/search.ts';
import type { ObjectReference, Pointer } from '../../contract/schemas/site-files.ts';
import type { FaultList } from '../site/fault.ts';
import { documentAt, type SiteUnderCheck } from './documents.ts';
import type { ExportFacts } from './exports.ts';
import type { ListResult } from './lists.ts';
import { indexOfAllChanges } from './page-index.ts';

type Counts = Metadata['counts'];
type Identity = Pick<Pointer, 'revision' | 'sequence' | 'published_at'>;

/**
 * Checks what documents say about the publication, about the retained ones and about their files: which ones they are,
 * and their counts.
 */
export function checkPublications(
  site: SiteUnderCheck,
  lists: ReadonlyMap<string, ListResult>,
  exports: ExportFacts,
): void {
  const retained = documentAt<{ data: RetainedPublication[] }>(site, formatPath('publications'))?.data ?? null;
  checkIdentity(site);
  checkFeed(site);
  checkCounts(site, lists, exports);
  checkPieces(site, exports);
  if (retained === null) return;
  checkRetained(site, retained);
  checkRetainedInPointer(site, retained);
  for (const publication of retained) {
    checkRecordCounts(site, publication, exports);
    checkCompanions(site, publication, exports);
  }
  checkManifest(site, retained, exports);
}

/**
 * Checks that pointer, service index, manifest, search and browse index name the publication that `/metadata` names.
 * Hashes cover every document, but only this check covers the pointer.
 */
function checkIdentity(site: SiteUnderCheck): void {
  const metadata = documentAt<{ data: Metadata }>(site, formatPath('metadata'));
  const stated = metadata?.data.publication ?? site.pointer;
  const source = metadata ? formatPath('metadata') : pointerFile;
  checkPointed(site.faults, stated, site.pointer);
  const expectAt = (path: string, expected: object, read: (document: never) => unknown) => {
    const document = documentAt(site, path);
    if (document) compareFields(site.faults, path, expected, read(document as never) as object, `as in ${source}`);
  };
  const { revision: publication_revision, published_at } = stated;
  expectAt(formatPath('service_index'), { publication_revision, published_at }, ({ data }: { data: object }) => data);
  expectAt(formatPath('exports'), { publication_revision, published_at }, ({ data }: ExportManifestDocument) => data);
  expectAt(formatPath('search_index'), { publication_revision }, (document: SearchIndex) => document);
  expectAt(formatPath('browse'), { publication_revision }, (document: BrowseIndex) => document);
}

/** Compares the pointer's fields with `stated`, the identity in the publication's metadata. */
export function checkPointed(faults: FaultList, stated: Identity, pointed: Identity): void {
  const { revision, sequence, published_at } = stated;
  const expected = { revision, sequence, published_at };
  compareFields(faults, pointerFile, expected, pointed, "as in the publication's metadata");
}

export function compareFields(faults: FaultList, path: string, expected: object, got: object, reason: string): void {
  for (const [key, value] of Object.entries(expected)) {
    const found = (got as Record<string, unknown>)[key];
    if (found !== value) faults.add('publication_mismatch', path, `${key} ${shown(value)}, ${reason}`, shown(found));
  }
}

/**
 * Checks that corrections are numbered in the order of the feed, and that the feed ends where `/metadata` says. The
 * newest event of the list ends the feed, and the page index gives the number of that event. When all events are past
 * retention, the list is empty, and the newest event is one of the 100 after the last sealed page.
 */
function checkFeed(site: SiteUnderCheck): void {
  const path = formatPath('metadata');
  const feed = documentAt<{ data: Metadata }>(site, path)?.data.feed;
  if (!feed) return;
  const add = (expected: string, got: string) => site.faults.add('publication_mismatch', path, expected, got);
  for (const [i, { number, after_event, corrected }] of feed.corrections.entries()) {
    const before = feed.corrections[i - 1]?.after_event ?? 0;
    if (number !== i + 1) add(`correction ${i + 1}`, `correction ${number}`);
    if (after_event < before) add(`after_event ${before} or more in correction ${number}`, String(after_event));
    for (const { last_event } of corrected) {
      if ((last_event ?? 0) > after_event)
        add(`events up to ${after_event} in correction ${number}`, String(last_event));
    }
  }
  const index = indexOfAllChanges(site);
  const list = documentAt<{ data: unknown[] }>(site, formatPath('changes'))?.data;
  if (!index || !list) return;
  const sealed = lastSealedPage(index) * pageSize;
  const [found, stated] = [sealed + list.length, feed.last_event];
  if (found === stated || (list.length === 0 && stated > sealed && stated <= sealed + pageSize)) return;
  site.faults.add('list_count', path, `feed.last_event ${found}, the end of ${formatPath('changes')}`, String(stated));
}

/** What `/metadata` counts: the rows of lists, documents that exist once for each thing of a kind, and exports. */
const counted = {
  rows: {
    products: 'listed_products',
    families: 'product_families',
    brands: 'brands',
    stores: 'stores',
    changes: 'change_events',
  },
  documents: { product: 'products', family: 'product_families', store: 'stores' },
  records: { products: 'products', stores: 'stores', inventory: 'inventory_pairs' },
} as const satisfies Readonly<Record<string, Partial<Record<string, keyof Counts>>>>;

/**
 * Compares the counts of `/metadata` with the rows of walks, documents, export records, categories and search entries.
 */
function checkCounts(site: SiteUnderCheck, lists: ReadonlyMap<string, ListResult>, exports: ExportFacts): void {
  const path = formatPath('metadata');
  const metadata = documentAt<{ data: Metadata }>(site, path)?.data;
  if (!metadata) return;
  const { counts, publication } = metadata;
  const expectCount = (name: keyof Counts, found: number | undefined, what: string) => {
    if (found === undefined || found === counts[name]) return;
    site.faults.add('list_count', path, `${name} ${found}, ${what}`, String(counts[name]));
  };
  for (const [kind, name] of Object.entries(counted.rows)) {
    const list = lists.get(formatPath(kind as keyof typeof counted.rows));
    if (list?.isWhole) expectCount(name, list.rows, `the rows of ${formatPath(kind as keyof typeof counted.rows)}`);
  }
  for (const [kind, name] of Object.entries(counted.documents)) {
    const found = site.table.isComplete ? countDocuments(site, kind as AddressKind) : undefined;
    expectCount(name, found, 'as many as have a document');
  }
  for (const [resource, name] of Object.entries(counted.records)) {
    const { records } = exports.get(formatPath('export', { revision: publication.revision, resource })) ?? {};
    expectCount(name, records, `the records of the ${resource} export`);
  }
  const categories = documentAt<{ data: unknown[] }>(site, formatPath('categories'));
  expectCount('categories', categories?.data.length, `the entries of ${formatPath('categories')}`);
  checkHits(site, counts);
}

function countDocuments({ table }: SiteUnderCheck, kind: AddressKind): number {
  const routes = [...table.routes.values()];
  return routes.filter(({ path, last_sequence }) => last_sequence === undefined && parsePath(path)?.kind === kind)
    .length;
}

/** Checks that the search index has every listed product, family, brand and store once. */
function checkHits(site: SiteUnderCheck, counts: Counts): void {
  const path = formatPath('search_index');
  const index = documentAt<SearchIndex>(site, path);
  if (!index) return;
  const expected = counts.listed_products + counts.product_families + counts.brands + counts.stores;
  const hits = new Set(index.entries.map(({ hit }) => hit.path));
  if (hits.size === expected && index.entries.length === expected) return;
  const got = `${index.entries.length} entries with ${hits.size} addresses`;
  site.faults.add('list_count', path, `${expected} entries, as ${formatPath('metadata')} counts them`, got);
}

/**
 * Checks the order of the retained publications, which one is current, and that every export belongs to one of them.
 */
function checkRetained({ faults, pointer, table }: SiteUnderCheck, retained: readonly RetainedPublication[]): void {
  const add = (expected: string, got: string) =>
    faults.add('publication_mismatch', formatPath('publications'), expected, got);
  for (const [i, { revision, sequence, current }] of retained.entries()) {
    const newer = retained[i - 1];
    if (newer && newer.sequence <= sequence) add('newest first', `sequence ${sequence} after ${newer.sequence}`);
    const isCurrent = revision === pointer.revision;
    if (current !== isCurrent) add(`current ${isCurrent} at revision ${revision}`, String(current));
  }
  if (!retained.some(({ current }) => current)) {
    add('the current publication among the retained', 'none that is current');
  }
  const revisions = new Set(retained.map(({ revision }) => revision));
  for (const { path, last_sequence } of table.routes.values()) {
    const { revision } = parsePath(path)?.parameters ?? {};
    if (revision === undefined || revisions.has(revision) || last_sequence !== undefined) continue;
    faults.add('publication_mismatch', path, 'an export of a retained publication', 'one of another revision');
  }
}

/** Checks that the pointer lists the retained publications with the same fields, and besides them only kept ones. */
function checkRetainedInPointer({ faults, pointer }: SiteUnderCheck, retained: readonly RetainedPublication[]): void {
  const identity = ({ revision, sequence, published_at }: Identity) => ({ revision, sequence, published_at });
  const revisions = new Set(retained.map(({ revision }) => revision));
  const listed = pointer.publications.filter(({ revision, routes }) => routes === null || revisions.has(revision));
  const claim = (text: string) => `publications ${text}, as in ${formatPath('publications')}`;
  const [expected, got] = [retained.map(identity), listed.map(identity)];
  faults.expectEqual('publication_mismatch', pointerFile, expected, got, claim);
}

/** What a document states about a file. */
type Statement = {
  readonly url: string;
  readonly record_count?: number;
  readonly size?: number;
  readonly sha256?: string;
  readonly etag?: string;
};

/** Compares what a document states about a file with the file: its address, its bytes and how many records it has. */
function checkStatement(
  { addresses, faults, table }: SiteUnderCheck,
  exports: ExportFacts,
  [holder, name]: readonly [holder: string, name: string],
  address: string,
  statement: Statement,
): void {
  const route = table.find(address);
  const there = {
    url: address,
    record_count: exports.get(address)?.records,
    ...(typeof route === 'string' ? {} : { size: route.size, sha256: route.sha256, etag: route.etag }),
  };
  const stated: Statement = { ...statement, url: addresses.pathIn(statement.url) };
  for (const [key, value] of Object.entries(there)) {
    const got = stated[key as keyof Statement];
    if (got === undefined || value === undefined || got === value) continue;
    faults.add('export_mismatch', holder, `${name} with ${key} ${shown(value)}`, shown(got));
  }
}

/** Checks what the list of publications states about the files of one, and that the files name the same time. */
function checkRecordCounts(site: SiteUnderCheck, publication: RetainedPublication, exports: ExportFacts): void {
  const { revision, published_at } = publication;
  for (const resource of exportResource.options) {
    const path = formatPath('export', { revision, resource });
    const name = `${resource} of revision ${revision}`;
    checkStatement(site, exports, [formatPath('publications'), name], path, publication.exports[resource]);
  }
  for (const path of exportFiles(revision).values()) {
    const found = exports.get(path)?.publishedAt ?? published_at;
    if (found === published_at) continue;
    site.faults.add('publication_mismatch', path, `published_at ${published_at} in its header`, found);
  }
}

/** Checks what the manifest states about the files of the current publication, and about the tables over time. */
function checkManifest(site: SiteUnderCheck, retained: readonly RetainedPublication[], exports: ExportFacts): void {
  const path = formatPath('exports');
  const manifest = documentAt<ExportManifestDocument>(site, path)?.data;
  const current = retained.find((publication) => publication.current);
  if (!manifest || !current) return;
  const { revision } = current;
  const check = (name: string, address: string, statement: Statement) =>
    checkStatement(site, exports, [path, name], address, statement);
  for (const resource of exportResource.options) {
    check(`files.${resource}`, formatPath('export', { revision, resource }), manifest.files[resource]);
  }
  checkLatest(site, current);
  const { files, history } = manifest.parquet;
  for (const table of publicationTable.options) {
    check(`parquet.files.${table}`, formatPath('export_parquet', { revision, table }), files[table]);
  }
  check('parquet.history.changes', formatPath('changes_parquet'), history.changes);
  check('parquet.history.newest_changes', formatPath('newest_changes_parquet'), history.newest_changes);
  check('parquet.history.daily', formatPath('daily_parquet'), history.daily);
  for (const context of contextTable.options) {
    check(`parquet.history.${context}`, formatPath('context_parquet', { context }), history[context]);
  }
  check('csv.products', formatPath('products_csv', { revision }), manifest.csv.products);
  check('csv.prices', formatPath('prices_csv'), manifest.csv.prices);
  check('csv.daily', formatPath('daily_csv'), manifest.csv.daily);
  const { daily, daily_months } = manifest.csv;
  for (const { month, ...file } of daily_months) {
    check(`csv.daily_months of ${month}`, formatPath('daily_month_csv', { month }), file);
  }
  compareFields(site.faults, path, { record_count: daily_months[0]?.record_count }, daily, 'as its newest month has');
  const months = [...site.table.routes.keys()].flatMap((route) => parsePath(route)?.parameters.month ?? []);
  const listed = daily_months.map(({ month }) => month);
  const claim = (text: string) => `csv.daily_months ${text}, as there are files`;
  site.faults.expectEqual('export_mismatch', path, months.sort().reverse(), listed, claim);
}

/** Checks that the addresses of the newest files lead to those of the current publication. */
function checkLatest({ table, faults }: SiteUnderCheck, current: RetainedPublication): void {
  for (const [path, file] of latestFiles(current)) {
    const [expected, got] = [table.find(file), table.find(path)];
    // The check of addresses reports a file that is missing.
    if (typeof expected === 'string' || got === 'unknown') continue;
    const found = got === 'absent' ? 'no route' : got.sha256;
    if (found === expected.sha256) continue;
    faults.add('export_mismatch', path, `the file at ${file}, SHA-256 ${expected.sha256}`, found);
  }
}

/**
 * Checks that there is a piece of the change history for each segment of the page index, and what is stated about each.
 */
function checkPieces(site: SiteUnderCheck, exports: ExportFacts): void {
  const path = formatPath('change_pieces');
  const document = documentAt<ChangePieces>(site, path);
  const index = indexOfAllChanges(site);
  if (!document || !index) return;
  const { pieces, after, parquet } = document;
  const add = (expected: string, got: string) => site.faults.add('export_mismatch', path, expected, got);
  const check = (name: string, address: string, statement: Statement) =>
    checkStatement(site, exports, [path, name], address, statement);
  const numbers = (list: readonly { readonly number: number }[]) => list.map(({ number }) => number);
  const claim = (text: string) => `pieces ${text}`;
  site.faults.expectEqual('export_mismatch', path, numbers(index.segments), numbers(pieces), claim);
  for (const piece of pieces) {
    const number = String(piece.number);
    const { first, last } = eventsInPiece(piece.number);
    if (piece.first_event !== first || piece.last_event !== last) {
      add(`events ${first} to ${last} in piece ${number}`, `${piece.first_event} to ${piece.last_event}`);
    }
    const address = formatPath('change_piece', { number });
    check(`piece ${number}`, address, piece);
    const { size, sha256 } = exports.get(address)?.unpacked ?? piece.unpacked;
    const expected = { name: `changes-${number}.ndjson`, size, sha256 };
    compareFields(site.faults, path, expected, piece.unpacked, `piece ${number} unpacked`);
    check(`piece ${number}`, formatPath('change_piece_parquet', { number }), piece.parquet);
  }
  // The oldest run of the table may have pieces that have expired.
  const runs = sortedRuns(pieces.at(0)?.number ?? 1, pieces.at(-1)?.number ?? 0);
  const record_count = runs.reduce((sum, { first, last }) => sum + (last - first + 1) * eventsPerPiece, 0);
  check('all pieces', formatPath('changes_parquet'), { url: parquet.url, record_count });
  check('the events after them', formatPath('newest_changes_parquet'), { url: parquet.newest_url });
  const last = pieces.at(-1);
  const first_page = last ? last.last_event / pageSize + 1 : index.first_page;
  const expected = { first_event: (first_page - 1) * pageSize + 1, first_page };
  compareFields(site.faults, path, expected, after, 'where the events after the pieces begin');
  const listed = new Set(pieces.map(({ number }) => String(number)));
  for (const address of site.table.routes.keys()) {
    const { kind, parameters } = parsePath(address) ?? {};
    if ((kind !== 'change_piece' && kind !== 'change_piece_parquet') || listed.has(parameters?.number ?? '')) continue;
    site.faults.add('export_mismatch', address, `a piece that ${path} lists`, 'one it does not');
  }
}

/** Members of a data package that follow from the files. The others say what the operator stated in the publication. */
const fileMembers = ['profile', 'name', 'id', 'version', 'created', 'resources'] as const;

/** Checks the checksums and the data package of a publication against its files, as the route table has them. */
function checkCompanions(site: SiteUnderCheck, publication: RetainedPublication, exports: ExportFacts): void {
  const { revision } = publication;
  const { ledger, faults, table } = site;
  const stored = new Map(
    exportObjects(revision, (path) => {
      const route = table.find(path);
      return typeof route === 'string' ? null : route;
    }),
  );
  // The check of addresses reports a missing file.
  if (stored.size < exportFiles(revision).size) return;
  const path = formatPath('export_package', { revision });
  const dataPackage = documentAt<Record<string, unknown>>(site, path);
  // A data package that was made before a site had CSV files does not name them, and never changes.
  const resources = (dataPackage?.resources ?? []) as readonly {
    readonly format?: unknown;
    readonly unpacked?: unknown;
  }[];
  if (dataPackage && !resources.some(({ format }) => format === 'csv')) stored.delete(csvFileName);
  // An older data package does not name unpacked files either. The check of the files reports a file that cannot be
  // unpacked.
  const isOlder = dataPackage !== null && resources.every(({ unpacked }) => unpacked === undefined);
  const unpackedAt = (path: string) => exports.get(path)?.unpacked ?? null;
  const paths = [...exportFiles(revision)].flatMap(([name, file]) => (name.endsWith('.gz') ? [file] : []));
  if (!isOlder && paths.some((file) => unpackedAt(file) === null)) return;
  const files = isOlder ? stored : withUnpacked(publication, stored, (file) => unpackedAt(file) as ObjectReference);
  const expected: Readonly<Record<string, unknown>> = makeDataPackage(publication, files, null, null, site.profile);
  for (const member of dataPackage ? fileMembers : []) {
    const claim = (text: string) => `${member} ${text}`;
    faults.expectEqual('export_mismatch', path, expected[member], dataPackage?.[member], claim);
  }
  const route = table.find(formatPath('export_checksums', { revision }));
  const text = typeof route === 'string' ? null : ledger.read(route.sha256, route.path)?.toString();
  if (typeof route === 'string' || text === null || text === undefined) return;
  const found = text.split('\n');
  // A list of checksums that was made before it had the names that browsers give to files does not have them, and never
  // changes.
  const namesSaved = found.some((line) => /-\d{4}-\d{2}-\d{2}\.parquet$/.test(line));
  const named: ExportObjects = namesSaved
    ? files
    : new Map([...files].map(([name, file]) => [name, { ...file, names: [] }]));
  const lines = formatChecksums(named).split('\n');
  const at = [...lines.keys(), lines.length].find((i) => lines[i] !== found[i]) ?? -1;
  if (at < 0) return;
  faults.expectEqual('export_mismatch', route.path, lines[at], found[at], (text) => `line ${at + 1} ${text}`);
}
