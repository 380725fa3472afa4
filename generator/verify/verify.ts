import { type AddressKind, addressTable } from '../../contract/addresses.ts';
import { contextTable, publicationTable } from '../../contract/columns/parquet.ts';
import { formatPath, isOfExplorer, parsePath, templates } from '../../contract/paths.ts';
import { usualProfile } from '../../contract/profile.ts';
import { metadataProfile } from '../../contract/schemas/metadata.ts';
import { problemCode } from '../../contract/schemas/problem.ts';
import { formerSkuIndex } from '../../contract/schemas/product.ts';
import {
  type DocumentedPublication,
  documentedPublications,
  type Pointer,
  type Route,
} from '../../contract/schemas/site-files.ts';
import { comparisonStores } from '../../contract/schemas/store.ts';
import { witnessFile } from '../../contract/site-layout.ts';
import { Failure } from '../files/failure.ts';
import { objectLedger, SiteFiles } from '../site/checked-files.ts';
import { checkPointer, checkSignature } from '../site/checked-pointer.ts';
import { addressRole, type CheckedTable, checkTable } from '../site/checked-table.ts';
import { FaultList } from '../site/fault.ts';
import { parseJsonBytes } from '../tables/checked-json.ts';
import type { SigningKey } from '../trust/keys.ts';
import { checkCheckout, checkObjectNames, checkSiteLink, checkSpare, countLeftovers } from './checkout.ts';
import {
  type CheckContext,
  checkAliases,
  checkPairStates,
  checkPlacement,
  checkProfile,
  ofEverySite,
  openDocuments,
  requireRoute,
  type SiteChecks,
  type SiteUnderCheck,
  type VerifyProgress,
} from './documents.ts';
import { type ExportFacts, readExports } from './exports.ts';
import { type Known, knownSince, nothingKnown } from './known.ts';
import { checkList, checkListPage, type ListPage, type ListResult } from './lists.ts';
import { contextDigest, makeProof, noProof, type UsableProof } from './proof.ts';
import { checkPublications } from './publications.ts';
import { type Build, checkRebuilt, refuseOtherDatabase } from './rebuild.ts';
import { checkExplorer, checkReferences, findBase, siteAddresses } from './references.ts';
import { makeStatement, type OwnPage } from './statement.ts';
import {
  checkBytes,
  checkCarried,
  checkKept,
  checkPartial,
  checkReadersUnderWay,
  readPartialHolding,
} from './stored-bytes.ts';

/**
 * - `key`: the key whose signature the pointer must have; null: the site need not be signed, but an existing signature
 *   must match its pointer.
 * - `witness`: the key of a witness that must have signed the pointer too.
 * - `database`: the one that the site was built from, to build it again and compare.
 * - `statement`: to compare the explorer too, with that of this program if it makes one, and to make a statement.
 * - `proof`: the record of an earlier verification, to check only what changed, besides the hash of every object, and
 *   to get a record of this one.
 */
export type VerifyOptions = {
  readonly progress?: VerifyProgress;
  readonly key?: SigningKey | null;
  readonly witness?: SigningKey | null;
  readonly database?: string | null;
  readonly statement?: { readonly ownPage: OwnPage | null } | undefined;
  readonly proof?: UsableProof | undefined;
};

/**
 * Checks a built site against itself and the contract: the chain of hashes from the pointer to every object, the
 * content and references of documents, the walk of every list, the exports, and the checkouts; then `checks`. Changes
 * nothing. Reports damage and continues with the rest. `build` makes the site again where a database is given. Throws a
 * Failure when the latest publication of the database is another one.
 */
export async function verifyContents(
  directory: string,
  checks: readonly SiteChecks[],
  build: Build,
  { progress = () => {}, key = null, witness = null, database = null, statement, proof }: VerifyOptions,
) {
  const began = Date.now();
  const files = new SiteFiles(directory);
  const faults = new FaultList();
  const ledger = objectLedger(files, faults);
  const context = { files, ledger, faults, progress };
  const pointer = checkPointer(files, faults);
  const partial = pointer && readPartialHolding(context);
  if (partial && database !== null) {
    throw new Failure(
      'partial_mirror',
      `${directory}: expected a whole site to compare with ${database}, got a partial mirror`,
    );
  }
  if (pointer && database !== null) refuseOtherDatabase(directory, pointer, database);
  checkSignature(files, key, faults, began);
  if (witness !== null) checkSignature(files, witness, faults, began, witnessFile(witness.fingerprint));
  const readTable = tableReader(context);
  const table = pointer && readTable(pointer);
  const site =
    pointer && table && !partial ? siteUnderCheck({ ...context, readTable }, pointer, table, proof ?? noProof) : null;
  let counts = { routes: 0, lists: 0, rows: 0, export_records: 0 };
  let exports: ExportFacts = new Map();
  let known = { known_addresses: 0, known_lists: 0, known_files: 0 };
  if (site) ({ counts, exports, known } = await checkCurrent(site, checks));
  else if (partial && table) counts = { ...counts, routes: checkPartial(context, pointer, table, partial) };
  if (pointer && !partial) checkOthers({ ...context, readTable, known: site?.known }, pointer, table);
  if (table === null) checkObjectNames(files, ledger);
  const revisions = pointer ? (partial ? [pointer] : documentedPublications(pointer)) : [];
  const held = new Set(revisions.map(({ revision }) => revision));
  const leftovers = countLeftovers(files, ledger, held, pointer?.routes ?? null);
  const found = site && database !== null ? await checkRebuilt(site, { database, statement, checks, build }) : null;
  const isSound = faults.total === 0;
  const holds = found !== null && statement !== undefined && isSound;
  return {
    counts: { ...counts, ...ledger.totals(), ...leftovers, ...known, faults: faults.total },
    faults: faults.first(),
    partial,
    rebuilt: found?.compared ?? null,
    whyFull: site?.known.whyFull ?? null,
    proof: site && isSound && proof ? makeProof(site, exports, began) : null,
    statement: holds && site && database !== null ? makeStatement(site, database, found.rebuild) : null,
  };
}

/** Reads and checks the route tables of a site, each once. */
type ReadTable = (publication: DocumentedPublication, newer?: CheckedTable | null) => CheckedTable | null;

type TableContext = CheckContext & { readonly readTable: ReadTable; readonly known?: Known | undefined };

function tableReader(context: CheckContext): ReadTable {
  const tables = new Map<string, CheckedTable | null>();
  return (publication, newer = null) => {
    const known = tables.get(publication.revision);
    if (known !== undefined) return known;
    context.progress(`reading the route table of publication ${publication.sequence}`, 0, 1);
    const table = checkTable(context, publication, newer);
    tables.set(publication.revision, table);
    return table;
  };
}

/** Checks the checkouts, and the earlier publications that are kept. `current`: null when its table cannot be read. */
function checkOthers(context: TableContext, pointer: Pointer, current: CheckedTable | null): void {
  for (const publication of documentedPublications(pointer)) {
    const isCurrent = publication.revision === pointer.revision;
    const table = isCurrent ? current : context.readTable(publication, current);
    if (table === null) continue;
    if (isCurrent) checkSpare(context, pointer.routes, table);
    else {
      checkKept(context, publication, table);
      if (current) checkReadersUnderWay(context.faults, publication, table, current);
    }
    context.progress(`checking the checkout of publication ${publication.sequence}`, 0, 1);
    checkCheckout(context, publication.revision, table);
  }
  checkSiteLink(context.files, pointer.revision, context.faults);
}

/** The documents of a table, with the checks that run when each is first read. */
function siteUnderCheck(
  context: TableContext,
  pointer: Pointer,
  table: CheckedTable,
  proof: UsableProof,
): SiteUnderCheck {
  const { ledger, faults } = context;
  const peekAt = (path: string) => {
    const route = table.routes.get(path);
    const bytes = route && ledger.read(route.sha256, path);
    const parsed = bytes && parseJsonBytes(bytes);
    return parsed && 'value' in parsed ? parsed.value : null;
  };
  const profile = metadataProfile.safeParse(peekAt(formatPath('metadata'))).data?.data.service.profile ?? usualProfile;
  const addresses = siteAddresses(table, findBase(peekAt(formatPath('service_index'))));
  const formerSkus = formerSkuIndex.safeParse(peekAt(formatPath('former_skus')));
  const ambiguousSkus = formerSkus.success ? new Set(formerSkus.data.ambiguous) : null;
  const scope = comparisonStores.safeParse(peekAt(formatPath('comparison_stores'))).data?.stores ?? null;
  const inspect = (document: unknown, routes: readonly Route[]) => {
    for (const [i, route] of routes.entries()) {
      const kind = parsePath(route.path)?.kind;
      if (!kind) continue;
      // The references of a document are the same at all its addresses. Those in vocabularies of others lead anywhere.
      if (i === 0) {
        if (addressTable[kind].definedBy === null) checkReferences(document, kind, route.path, { addresses, faults });
        // The examples of the description are of another site.
        if (kind !== 'openapi') checkProfile(document, route.path, profile, faults);
      }
      checkPlacement(document, route, faults);
      checkAliases(document, route, { table, faults, ambiguousSkus });
      if (kind === 'product_availability') checkPairStates(document, route, scope, faults);
      if (['list', 'page'].includes(addressTable[kind].role)) {
        checkListPage(document as ListPage, kind, route, addresses, faults);
      }
    }
  };
  const known = whatIsKnown(context, { pointer, table, addresses, profile }, proof);
  ledger.trustMd5(known.md5Of);
  const documents = openDocuments({ ledger, faults, known }, table.routes.values(), inspect);
  return { ...context, pointer, table, addresses, documents, profile, known };
}

/** What the proof of an earlier verification says of a publication. Its table must be that of a kept publication. */
function whatIsKnown(
  { readTable }: TableContext,
  { pointer, table, addresses, profile }: Pick<SiteUnderCheck, 'pointer' | 'table' | 'addresses' | 'profile'>,
  { proof, whyFull }: UsableProof,
): Known {
  if (proof === null) return nothingKnown(whyFull);
  if (proof.context !== contextDigest(addresses.base, profile))
    return nothingKnown('the base URL or the profile changed');
  const proved = documentedPublications(pointer).find(({ routes }) => routes.sha256 === proof.table);
  if (!proved) return nothingKnown('the publication of the last verification is not kept any more');
  const isCurrent = proved.revision === pointer.revision;
  const before = isCurrent ? table : readTable(proved, table);
  if (!before?.isComplete || !table.isComplete) return nothingKnown('a route table is damaged');
  return knownSince(table, { ...proved, table: before }, proof);
}

/** Checks all answers of the current publication. Walks the lists first, then reads the rest. */
async function checkCurrent(site: SiteUnderCheck, checks: readonly SiteChecks[]) {
  const { table, faults, pointer } = site;
  checkCarried(faults, pointer, table);
  checkCompleteness(site);
  checkBytes(site, 'checking objects', [...table.routes.values()]);
  const lists = walkLists(site);
  readTheRest(site);
  const exports = await readExports(site);
  checkPublications(site, lists, exports);
  for (const { check } of checks) check(site);
  const routes = [...table.routes.values()];
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
  const ndjson = [...exports].filter(([path]) => path.endsWith('.ndjson.gz'));
  const counts = {
    routes: table.routes.size,
    lists: lists.size,
    rows: sum([...lists.values()].map(({ rows }) => rows)),
    export_records: sum(ndjson.map(([, { records }]) => records)),
  };
  const isHead = ({ path }: Route) => addressRole(path) === 'list';
  const known = {
    known_addresses: routes.filter(site.known.isSame).length,
    known_lists: routes.filter(isHead).length - lists.size,
    known_files: routes.filter((route) => site.known.factsOf(route) !== undefined).length,
  };
  return { counts, exports, known };
}

/** Kinds of addresses that accompany another: each exists with the same parameters. */
const companions: Readonly<Partial<Record<AddressKind, readonly AddressKind[]>>> = {
  product: ['product_availability', 'product_changes', 'product_feed', 'product_series'],
  family: ['family_changes'],
  store: ['store_availability'],
  export: ['products_csv', 'export_checksums', 'export_package', 'export_citation'],
  change_piece: ['change_piece_parquet'],
  change_piece_parquet: ['change_piece'],
};

/** Checks that every address exists that the contract promises for any data (contract.md 2). */
function checkCompleteness({ table, faults }: SiteUnderCheck): void {
  const requirePath = (path: string, reason: string) => requireRoute({ table, faults }, path, reason);
  for (const [kind, template] of Object.entries(templates)) {
    const { isOptional } = addressTable[kind as AddressKind];
    if (!template.includes('{') && !isOptional) requirePath(template, ofEverySite);
  }
  for (const context of contextTable.options) requirePath(formatPath('context_parquet', { context }), ofEverySite);
  for (const problem of problemCode.options) requirePath(formatPath('problem', { problem }), ofEverySite);
  for (const path of table.routes.keys()) {
    const { kind, parameters = {} } = parsePath(path) ?? {};
    for (const companion of (kind && companions[kind]) ?? []) {
      const fill = (_: string, name: keyof typeof parameters) => parameters[name] ?? '';
      requirePath(templates[companion].replace(/\{(\w+)\}/g, fill), `an answer, as ${path} has one`);
    }
    for (const table of kind === 'export' ? publicationTable.options : []) {
      const { revision = '' } = parameters;
      requirePath(formatPath('export_parquet', { revision, table }), `an answer, as ${path} has one`);
    }
  }
}

function walkLists(site: SiteUnderCheck): Map<string, ListResult> {
  const heads = [...site.table.routes.values()].filter(({ path }) => addressRole(path) === 'list');
  const results = new Map<string, ListResult>();
  for (const head of heads) {
    if (results.size % 10 === 0) site.progress('walking lists', results.size, heads.length);
    if (!site.known.isListSame(head)) results.set(head.path, checkList(site, head));
  }
  return results;
}

/**
 * Reads the documents outside the lists, and the list pages that no walk reaches but a reader under way may still need.
 */
function readTheRest(site: SiteUnderCheck): void {
  const { table, documents, progress } = site;
  let done = 0;
  for (const route of table.routes.values()) {
    if (done % 100 === 0) progress('reading documents', done, table.routes.size);
    done += 1;
    if (addressRole(route.path) !== 'file') documents.check(route);
    if (isOfExplorer(route.path)) checkExplorer(site, route);
  }
}
