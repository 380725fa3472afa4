import type * as z from 'zod';
import type { AddressKind } from '../../contract/addresses.ts';
import { formatPath, parsePath } from '../../contract/paths.ts';
import { expectedCode, isCode, type Profile } from '../../contract/profile.ts';
import { shown } from '../../contract/schemas/checked-value.ts';
import { schemaFor } from '../../contract/schemas/documents.ts';
import type { ProductAvailability } from '../../contract/schemas/product.ts';
import type { Pointer, Route } from '../../contract/schemas/site-files.ts';
import type { ComparisonStores } from '../../contract/schemas/store.ts';
import { scopeFault } from '../../contract/store-pairs.ts';
import type { ObjectLedger, SiteFiles } from '../site/checked-files.ts';
import type { CheckedTable } from '../site/checked-table.ts';
import type { FaultList } from '../site/fault.ts';
import { parseJsonBytes, schemaFaults } from '../tables/checked-json.ts';
import type { Choices } from '../units/document-writer.ts';
import type { Known } from './known.ts';
import type { Addresses } from './references.ts';

/** Reports the stage of a verification, and how many of its `total` units are done. */
export type VerifyProgress = (stage: string, done: number, total: number) => void;

/** The tools of every check. */
export type CheckContext = {
  readonly files: SiteFiles;
  readonly ledger: ObjectLedger;
  readonly faults: FaultList;
  readonly progress: VerifyProgress;
};

/** The current publication, as the checks of its lists, documents and files see it. */
export type SiteUnderCheck = CheckContext & {
  readonly known: Known;
  readonly pointer: Pointer;
  readonly table: CheckedTable;
  readonly documents: Documents;
  readonly addresses: Addresses;
  readonly profile: Profile;
};

/** What other parts of a site add to its checks. */
export type SiteChecks = {
  readonly check: (site: SiteUnderCheck) => void;
  /** The choices of the build that made the site, as it states them. */
  readonly choicesOf: (site: SiteUnderCheck) => Choices;
};

/**
 * The document at a path; null when it is missing or cannot be read. That is reported elsewhere: by the check of
 * addresses, or by the reading itself.
 */
export function documentAt<Document>({ table, documents }: SiteUnderCheck, path: string): Document | null {
  const route = table.find(path);
  return typeof route === 'string' ? null : (documents.read(route) as Document | null);
}

/** A reason for {@link requireRoute}. */
export const ofEverySite = 'an address that every site has';

/** Reports an address that the site lacks. */
export function requireRoute({ table, faults }: Pick<SiteUnderCheck, 'table' | 'faults'>, path: string, why: string) {
  if (table.find(path) === 'absent') faults.add('route_missing', path, why, 'no route');
}

/** Checks a document that is sound in itself. `routes` are all routes that answer with it. */
type Inspect = (document: unknown, routes: readonly Route[]) => void;

/**
 * The JSON documents of a publication. Each is checked when it is first read: hash, syntax, schema, and the checks of
 * `inspect`. None is kept in memory; a document that is needed again is read again.
 */
export type Documents = ReturnType<typeof openDocuments>;

export function openDocuments(
  { ledger, faults, known }: Pick<SiteUnderCheck, 'ledger' | 'faults' | 'known'>,
  all: Iterable<Route>,
  inspect: Inspect,
) {
  const routesByHash = Map.groupBy(all, ({ sha256 }) => sha256);
  const soundness = new Map<string, boolean>();

  /** Whether an earlier verification proved a document, and no address that it names has left since. */
  const isProved = (route: Route, bytes: Buffer) => known.isSame(route) && !known.namesLeft(bytes);

  /** The document of a route; null when it is missing, damaged or malformed. Reports that once. */
  const read = (route: Route): unknown => {
    const { path, sha256 } = route;
    const wasSound = soundness.get(sha256);
    if (wasSound === false) return null;
    const bytes = ledger.read(sha256, path);
    const parsed = bytes && parseJsonBytes(bytes);
    if (wasSound === true) return parsed && 'value' in parsed ? parsed.value : null;
    const routes = routesByHash.get(sha256) ?? [];
    if (parsed && 'value' in parsed && isProved(route, bytes)) {
      soundness.set(sha256, true);
      return parsed.value;
    }
    if (parsed && 'fault' in parsed) faults.add('document_syntax', path, 'JSON in UTF-8', parsed.fault);
    const isSound = parsed !== null && 'value' in parsed && fitsSchemas(parsed.value, routes, faults);
    soundness.set(sha256, isSound);
    if (!isSound) return null;
    inspect(parsed.value, routes);
    return parsed.value;
  };
  /**
   * Checks a document that no other check has needed. A document that is proved is read only if it may name an address
   * that left.
   */
  const check = (route: Route): void => {
    if (soundness.has(route.sha256)) return;
    if (known.isSame(route) && !known.hasLeft) soundness.set(route.sha256, true);
    else read(route);
  };

  return { read, check };
}

/**
 * Checks a document against its schemas. The addresses of one object may be of several kinds, and it must match the
 * schema of each.
 */
function fitsSchemas(value: unknown, routes: readonly Route[], faults: FaultList): boolean {
  const checked = new Set<z.ZodType>();
  let fits = true;
  for (const { path } of routes) {
    const kind = parsePath(path)?.kind;
    const schema = kind && schemaFor(kind);
    if (!schema || checked.has(schema)) continue;
    checked.add(schema);
    for (const { expected, got } of schemaFaults(schema, value)) {
      fits = false;
      faults.add('document_schema', path, expected, got);
    }
  }
  return fits;
}

/** Checks that the amounts of a document are in the currency of the site, and that its codes have the site's form. */
export function checkProfile(document: unknown, path: string, profile: Profile, faults: FaultList): void {
  if (Array.isArray(document)) {
    for (const item of document) checkProfile(item, path, profile, faults);
    return;
  }
  if (typeof document !== 'object' || document === null) return;
  for (const key in document) {
    const value = (document as Readonly<Record<string, unknown>>)[key];
    const expected = typeof value === 'string' ? expectedValue(key, value, profile) : null;
    if (expected !== null) faults.add('document_schema', path, `${key} ${expected}`, shown(value));
    if (typeof value === 'object') checkProfile(value, path, profile, faults);
  }
}

/** What a profile requires of a value. Null if the value conforms, or if the profile has no rule for the key. */
export function expectedValue(key: string, value: string, profile: Profile): string | null {
  if (key === 'currency' || key === 'price_currency')
    return value === profile.currency ? null : shown(profile.currency);
  const kind = key === 'agency_sku' ? 'sku' : key === 'inventory_store_code' ? 'store_code' : null;
  return kind === null || isCode(kind, profile, value) ? null : expectedCode(kind, profile);
}

type Thing = {
  readonly id: string;
  readonly slug: string;
  readonly code: string;
  readonly source_ids: { readonly agency_sku: string; readonly inventory_store_code: string | null };
  readonly former_skus: readonly string[];
  readonly product: { readonly id: string };
  readonly store: { readonly id: string };
};
type Document = {
  readonly data: Thing;
  readonly number: number;
  readonly product: { readonly id: string };
  readonly meta: { family?: { id: string } };
};

/** The values that the last parameter of an address may have, as its document states them. */
const statedNames: Partial<Record<AddressKind, (document: Document) => readonly (string | null | undefined)[]>> = {
  product: ({ data }) => [data.id],
  product_by_sku: ({ data }) => [data.source_ids.agency_sku, ...data.former_skus],
  product_availability: ({ data }) => [data.product.id],
  product_series: ({ product }) => [product.id],
  product_changes_segment: ({ number }) => [String(number)],
  family: ({ data }) => [data.id],
  family_changes: ({ meta }) => [meta.family?.id],
  family_changes_segment: ({ number }) => [String(number)],
  changes_segment: ({ number }) => [String(number)],
  brand: ({ data }) => [data.id],
  brand_by_slug: ({ data }) => [data.slug],
  store: ({ data }) => [data.id],
  store_by_code: ({ data }) => [data.source_ids.inventory_store_code],
  store_availability: ({ data }) => [data.store.id],
  problem: ({ data }) => [data.code],
};

/** Checks that a document is at an address that its content names. */
export function checkPlacement(document: unknown, { path }: Route, faults: FaultList): void {
  const parsed = parsePath(path);
  const names = parsed && statedNames[parsed.kind]?.(document as Document);
  const name = parsed && Object.values(parsed.parameters).at(-1);
  if (!names || names.includes(name)) return;
  faults.add('document_misplaced', path, `the document of ${name}`, `that of ${names[0] ?? 'nothing'}`);
}

type AliasContext = {
  readonly table: CheckedTable;
  readonly faults: FaultList;
  /**
   * Former SKUs that name several products and therefore have no answer; null when the site's list of them is
   * unreadable.
   */
  readonly ambiguousSkus: ReadonlySet<string> | null;
};

/** Checks that a thing answers at its other addresses with the same bytes, contract.md 2. */
export function checkAliases(document: unknown, { path, sha256 }: Route, context: AliasContext): void {
  const { table, faults } = context;
  const { data } = document as Document;
  const kind = parsePath(path)?.kind;
  const alias = aliasPath(data, kind);
  if (alias !== null) {
    const route = table.find(alias);
    if (route === 'absent') faults.add('route_missing', alias, `the bytes of ${path}`, 'no route');
    else if (route !== 'unknown' && route.sha256 !== sha256) {
      faults.add('document_misplaced', alias, `the bytes of ${path}`, 'other bytes');
    }
  }
  if (kind === 'product') checkFormerSkus(data, path, context);
}

/**
 * A former SKU is an address too: of this product, or of the one that has it today. Only an ambiguous one has no
 * answer.
 */
function checkFormerSkus({ former_skus }: Thing, holder: string, { table, faults, ambiguousSkus }: AliasContext): void {
  for (const sku of ambiguousSkus ? former_skus : []) {
    const path = formatPath('product_by_sku', { sku });
    const isAmbiguous = ambiguousSkus?.has(sku);
    if (table.find(path) === 'absent' && !isAmbiguous) {
      faults.add('route_missing', path, `an answer, as ${holder} had that SKU`, 'no route');
    }
    if (table.routes.has(path) && isAmbiguous)
      faults.add('route_unknown', path, 'none, because the SKU is ambiguous', 'a route');
  }
}

function aliasPath(data: Thing, kind: AddressKind | undefined): string | null {
  if (kind === 'product') return formatPath('product_by_sku', { sku: data.source_ids.agency_sku });
  if (kind === 'brand') return formatPath('brand_by_slug', { slug: data.slug });
  const code = kind === 'store' ? data.source_ids.inventory_store_code : null;
  return code === null ? null : formatPath('store_by_code', { code });
}

type Pair = ProductAvailability['stores'][number];

type Scope = ComparisonStores['stores'];

/**
 * Checks that each row of an availability has the fields of its state (contract.md 2), that the document states the
 * other stores in the one way that there is, and that the summary counts them. Reports the first of each that is
 * wrong. `scope`: the stores in scope; null if they are unknown.
 */
export function checkPairStates(document: unknown, { path }: Route, scope: Scope | null, faults: FaultList): void {
  const { data } = document as { data: ProductAvailability };
  const { stores, summary, other_stores_state, exception_store_ids } = data;
  const unfit = stores.find((row) => !fits(row));
  if (unfit) {
    const { store_id, state, reported_quantity, purchase_eligibility } = unfit;
    const [expected, got] = [pairFields[state], shown({ state, reported_quantity, purchase_eligibility })];
    faults.add('pair_state', path, `for store ${store_id} ${expected}`, got);
  }
  const fault = scope && scopeFault(data, scope);
  if (fault) faults.add('pair_state', path, 'stores in scope, each once', fault);
  const countRows = (isCounted: (row: Pair) => boolean) => stores.filter(isCounted).length;
  const exceptions = exception_store_ids.length;
  const usual = summary.scope_store_count - stores.length - exceptions;
  const isAbsent = other_stores_state === 'row_absent';
  const counts = {
    reported_positive_store_count: countRows(({ state }) => state === 'reported_positive'),
    eligible_positive_store_count: countRows(({ purchase_eligibility }) => purchase_eligibility === 'eligible'),
    reported_zero_store_count: countRows(({ state }) => state === 'reported_zero'),
    row_absent_store_count: isAbsent ? usual : exceptions,
    unchecked_store_count: isAbsent ? exceptions : usual,
  };
  const wrong = Object.entries(counts).find(([name, count]) => summary[name as keyof typeof counts] !== count);
  if (wrong) {
    const [name, count] = wrong;
    const stated = String(summary[name as keyof typeof counts]);
    faults.add('pair_state', path, `${name} ${count} in its summary, the count of its stores`, stated);
  }
  const odd = otherStoresFault(data, isAbsent, usual);
  if (odd) faults.add('pair_state', path, ...odd);
}

const pairFields: Readonly<Record<Pair['state'], string>> = {
  reported_positive: 'a quantity above 0 and its classification',
  reported_zero: 'the quantity 0 and no classification',
};

function fits({ state, reported_quantity, purchase_eligibility }: Pair): boolean {
  if (state === 'reported_zero') return reported_quantity === 0 && purchase_eligibility === null;
  return reported_quantity > 0 && purchase_eligibility !== null;
}

/** What was expected of the stores without a row, and what came. `usual`: how many have the state of most of them. */
function otherStoresFault(data: ProductAvailability, isAbsent: boolean, usual: number): [string, string] | null {
  const { stores, other_stores_state, exception_store_ids: exceptions, earlier_row_absent, retrieved_at } = data;
  const isLargest = usual > exceptions.length || (!isAbsent && usual === exceptions.length);
  if (
    (other_stores_state === null) !== (usual + exceptions.length === 0) ||
    !(isLargest || other_stores_state === null)
  )
    return ['other_stores_state as most of these stores', `${other_stores_state} with ${exceptions.length} exceptions`];
  const earlier = earlier_row_absent.map(({ store_ids }) => store_ids);
  for (const ids of [stores.map(({ store_id }) => store_id), exceptions, ...earlier]) {
    const at = ids.findIndex((id, index) => index > 0 && id <= (ids[index - 1] ?? ''));
    if (at > 0) return ['stores in order of id', `${ids[at]} after ${ids[at - 1]}`];
  }
  const reported = new Set(stores.map(({ store_id }) => store_id));
  const excepted = new Set(exceptions);
  const unfit = earlier.flat().find((id) => reported.has(id) || excepted.has(id) === isAbsent);
  if (unfit !== undefined) return ['stores without a row in earlier_row_absent', unfit];
  const hasRetrieval = stores.length > 0 || (isAbsent ? usual : exceptions.length) > 0;
  return retrieved_at === null && hasRetrieval ? ['the time of the last retrieval', 'null'] : null;
}
