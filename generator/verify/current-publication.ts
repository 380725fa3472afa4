import { addressTable } from '../contract/addresses.ts';
import { formerSkuIndex } from '../contract/documents/product.ts';
import type { ExportResource } from '../contract/formats/export.ts';
import { publicationTable } from '../contract/formats/parquet.ts';
import type { Pointer, Route } from '../contract/formats/site.ts';
import { type PathKind, parsePath, pathOf, templates } from '../contract/paths.ts';
import { problemCode } from '../contract/problem.ts';
import type { ObjectLedger } from '../site/checked-files.ts';
import { parseJson } from '../site/checked-json.ts';
import { type CheckedTable, checkValidators, roleOf } from '../site/checked-table.ts';
import type { FaultList } from '../site/fault.ts';
import { checkActivity, EventCounts } from './activity.ts';
import { checkCounts, checkIdentity, checkRetention } from './agreement.ts';
import { browseCheck } from './browse-index.ts';
import { checkChangePieces } from './change-pieces.ts';
import { checkCorrections } from './corrections.ts';
import {
  type CheckContext,
  type CurrentCounts,
  checkAliases,
  checkPlacement,
  Documents,
  type SiteUnderCheck,
} from './documents.ts';
import { checkExplorer } from './explorer.ts';
import { checkExportCompanions } from './export-companions.ts';
import { documentsOf } from './export-documents.ts';
import { checkExport, type ExportResult } from './exports.ts';
import { checkList, checkListPage, type ListPage, type ListResult } from './lists.ts';
import { checkPairStates } from './pair-states.ts';
import { visitProducts } from './product-documents.ts';
import { checkProductSeries } from './product-series.ts';
import { checkPublicationsFeed } from './publications-feed.ts';
import { Addresses, baseOf, checkReferences } from './references.ts';
import { checkBrandIndex, checkComparisonProduct, checkComparisonStores } from './shim-inputs.ts';
import { StockCheck } from './store-stock.ts';
import { VariantCheck } from './stored-bytes.ts';
import { checkTableManifest } from './table-manifest.ts';
import { Tables } from './tables.ts';

/** Checks all answers of the current publication. Walks the lists first, then reads the rest. */
export async function checkCurrent(
  context: CheckContext,
  pointer: Pointer,
  table: CheckedTable,
): Promise<CurrentCounts> {
  const { ledger, faults } = context;
  checkCompleteness(table, faults);
  const counts = new EventCounts();
  const site = siteUnderCheck(context, table, counts);
  const lists = walkLists(context, site);
  readTheRest(context, site);
  const variants = new VariantCheck(ledger, faults);
  for (const route of table.routes.values()) variants.check(route);
  checkBrandIndex(site);
  checkProducts(context, site);
  const tables = new Tables(context, site);
  const exports = await readExports(context, site, pointer.revision, tables);
  checkIdentity(site, pointer);
  checkRetention(site, pointer, exports);
  checkCorrections(site);
  checkActivity(site, lists.get(pathOf('changes')), counts);
  checkExportCompanions(site, ledger, exports);
  checkPublicationsFeed(site, ledger);
  checkExplorer(site, ledger);
  const changeRecords = await checkChangePieces(context, site, tables);
  await tables.checkHistory();
  checkTableManifest(site, tables);
  checkCounts(site, lists, exports);
  return {
    routes: table.routes.size,
    lists: lists.size,
    rows: sum([...lists.values()].map(({ rows }) => rows)),
    export_records: sum([...exports.values()].map((result) => result?.records ?? 0)) + changeRecords,
  };
}

/**
 * Kinds of addresses that accompany another: each exists with the same parameters. A kind that came later may be missing
 * altogether.
 */
const companions: Readonly<Partial<Record<PathKind, readonly PathKind[]>>> = {
  product: ['product_availability', 'product_changes', 'product_series'],
  family: ['family_changes'],
  store: ['store_availability'],
  export: ['export_checksums', 'export_package', 'export_citation'],
  change_piece: ['change_piece_parquet'],
  change_piece_parquet: ['change_piece'],
};

/** Checks that every address exists that the contract promises for any data (contract.md 2). */
function checkCompleteness(table: CheckedTable, faults: FaultList): void {
  const requirePath = (path: string, reason: string) => {
    if (table.find(path) === 'absent') faults.add('route_missing', path, reason, 'no route');
  };
  for (const [kind, template] of Object.entries(templates)) {
    const isFixed = !template.includes('{') && roleOf(kind as PathKind) !== 'computed' && kind !== 'changes_index';
    if (isFixed && !addressTable[kind as PathKind].isLater) requirePath(template, 'an address that every site has');
  }
  for (const problem of problemCode.options) {
    requirePath(pathOf('problem', { problem }), 'an address that every site has');
  }
  const kinds = new Set([...table.routes.keys()].map((path) => parsePath(path)?.kind));
  for (const path of table.routes.keys()) {
    const { kind, parameters = {} } = parsePath(path) ?? {};
    for (const companion of (kind && companions[kind]) ?? []) {
      if (addressTable[companion].isLater && !kinds.has(companion)) continue;
      const fill = (_: string, name: keyof typeof parameters) => parameters[name] ?? '';
      requirePath(templates[companion].replace(/\{(\w+)\}/g, fill), `an answer, as ${path} has one`);
    }
    if (kind !== 'export' || !kinds.has('export_parquet')) continue;
    for (const table of publicationTable.options) {
      requirePath(
        pathOf('export_parquet', { revision: parameters.revision ?? '', table }),
        `an answer, as ${path} has one`,
      );
    }
  }
  if (!kinds.has('export_parquet')) return;
  for (const kind of ['changes_parquet', 'newest_changes_parquet', 'daily_parquet'] as const) {
    requirePath(pathOf(kind), 'an answer, as exports are Parquet too');
  }
}

/** The documents of a table, with the checks that run when each is first read. */
function siteUnderCheck({ ledger, faults }: CheckContext, table: CheckedTable, counts: EventCounts): SiteUnderCheck {
  const addresses = new Addresses(table, faults, baseOf(peekAt(ledger, table, pathOf('service_index'))));
  const formerSkus = formerSkuIndex.safeParse(peekAt(ledger, table, pathOf('former_skus')));
  const ambiguousSkus = formerSkus.success ? new Set(formerSkus.data.ambiguous) : null;
  const inspect = (document: unknown, routes: readonly Route[]) => {
    for (const [i, route] of routes.entries()) {
      const kind = parsePath(route.path)?.kind;
      if (!kind) continue;
      // The references of a document are the same at all its addresses.
      if (i === 0) checkReferences(document, kind, route.path, addresses);
      checkPlacement(document, route, faults);
      checkAliases(document, route, { table, faults, ambiguousSkus });
      counts.note(document, kind);
      if (roleOf(kind) === 'list' || roleOf(kind) === 'page') {
        checkListPage(document as ListPage, kind, route, addresses, faults);
      }
    }
  };
  return { table, addresses, faults, documents: new Documents(ledger, faults, table.routes.values(), inspect) };
}

/** Compares the documents of each product with each other, with the index of all products, and with those of stores. */
function checkProducts({ progress }: CheckContext, site: SiteUnderCheck): void {
  const storeIds = checkComparisonStores(site);
  const compareWithIndex = browseCheck(site);
  const outOfScope = storeIds && site.table.isComplete ? countStores(site.table) - storeIds.length : null;
  const stock = new StockCheck(site, storeIds);
  visitProducts(site, progress, (visit) => {
    checkComparisonProduct(site, storeIds, visit);
    checkProductSeries(site, outOfScope, visit);
    compareWithIndex(visit);
    checkPairStates(site.faults, visit);
    stock.visit(visit);
  });
  stock.end();
}

function countStores({ routes }: CheckedTable): number {
  return [...routes.keys()].filter((path) => parsePath(path)?.kind === 'store').length;
}

function walkLists({ progress }: CheckContext, site: SiteUnderCheck): Map<string, ListResult> {
  const heads = [...site.table.routes.values()].filter(({ path }) => isOfRole(path, 'list'));
  const results = new Map<string, ListResult>();
  for (const head of heads) {
    if (results.size % 10 === 0) progress('walking lists', results.size, heads.length);
    results.set(head.path, checkList(site, head));
  }
  return results;
}

/**
 * Reads the documents outside the lists, and the list pages that no walk reaches but a reader under way may still need.
 */
function readTheRest({ progress }: CheckContext, { table, documents }: SiteUnderCheck): void {
  let done = 0;
  for (const route of table.routes.values()) {
    if (done % 100 === 0) progress('reading documents', done, table.routes.size);
    done += 1;
    if (!documents.isRead(route) && !isOfRole(route.path, 'file')) documents.read(route);
  }
}

async function readExports(
  { files, ledger, faults, progress }: CheckContext,
  site: SiteUnderCheck,
  current: string,
  tables: Tables,
): Promise<Map<string, ExportResult>> {
  const results = new Map<string, ExportResult>();
  const routes = [...site.table.routes.values()].filter(({ path }) => parsePath(path)?.kind === 'export');
  for (const [done, route] of routes.entries()) {
    progress('reading exports', done, routes.length);
    const object = ledger.check(route.sha256, route.path);
    if (object === null) continue;
    checkValidators(route, object, faults);
    const { revision = '', resource } = parsePath(route.path)?.parameters ?? {};
    const others = [
      tables.checkOf(revision, resource as ExportResource),
      revision === current ? documentsOf(site, route.path, resource as ExportResource) : null,
    ].filter((check) => check !== null);
    results.set(route.path, await checkExport(files, { ...route, size: object.size }, current, faults, others));
  }
  return results;
}

/** A document that the checks themselves need, read before any document is checked; null when it cannot be read. */
function peekAt(ledger: ObjectLedger, table: CheckedTable, path: string): unknown {
  const route = table.routes.get(path);
  const bytes = route && ledger.read(route.sha256, path);
  const parsed = bytes && parseJson(bytes);
  return parsed && 'value' in parsed ? parsed.value : null;
}

function isOfRole(path: string, role: ReturnType<typeof roleOf>): boolean {
  const kind = parsePath(path)?.kind;
  return kind !== undefined && roleOf(kind) === role;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
