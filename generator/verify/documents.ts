import type * as z from 'zod';
import { addressTable } from '../contract/addresses.ts';
import type { Route } from '../contract/formats/site.ts';
import { type PathKind, parsePath, pathOf } from '../contract/paths.ts';
import type { ObjectLedger, SiteFiles } from '../site/checked-files.ts';
import { parseJson, schemaProblems } from '../site/checked-json.ts';
import { type CheckedTable, checkValidators } from '../site/checked-table.ts';
import type { FaultList } from '../site/fault.ts';
import type { Addresses } from './references.ts';

/** Is told the stage of a verification, and how many of `total` units of it are done. */
export type VerifyProgress = (stage: string, done: number, total: number) => void;

/** The tools of every check. */
export type CheckContext = {
  readonly files: SiteFiles;
  readonly ledger: ObjectLedger;
  readonly faults: FaultList;
  readonly progress: VerifyProgress;
};

/** What was checked of the current publication. */
export type CurrentCounts = {
  readonly routes: number;
  readonly lists: number;
  readonly rows: number;
  readonly export_records: number;
};

/** The current publication, as the checks of its lists and documents see it. */
export type SiteUnderCheck = {
  readonly table: CheckedTable;
  readonly documents: Documents;
  readonly addresses: Addresses;
  readonly faults: FaultList;
};

/**
 * The document at a path; null when it is missing or cannot be read. Other checks report that: those of addresses, or
 * the reading itself.
 */
export function documentAt<Document>({ table, documents }: SiteUnderCheck, path: string): Document | null {
  const route: Route | 'absent' | 'unknown' = table.find(path);
  return typeof route === 'string' ? null : (documents.read(route) as Document | null);
}

/** Checks a document that is sound in itself. `routes` are all routes that answer with it. */
export type Inspect = (document: unknown, routes: readonly Route[]) => void;

/**
 * The JSON documents of a publication. Each is checked when it is first read: bytes, syntax, schema, and the checks of
 * `inspect`. None is kept in memory; a document that is needed again is read again.
 */
export class Documents {
  readonly #ledger: ObjectLedger;
  readonly #faults: FaultList;
  readonly #inspect: Inspect;
  readonly #routesOf: ReadonlyMap<string, readonly Route[]>;
  readonly #isSound = new Map<string, boolean>();

  constructor(ledger: ObjectLedger, faults: FaultList, routes: Iterable<Route>, inspect: Inspect) {
    this.#ledger = ledger;
    this.#faults = faults;
    this.#inspect = inspect;
    this.#routesOf = groupByObject(routes);
  }

  isRead({ sha256 }: Route): boolean {
    return this.#isSound.has(sha256);
  }

  /** The document of a route; null when it is missing, damaged or malformed. Reports that once. */
  read({ path, sha256 }: Route): unknown {
    const known = this.#isSound.get(sha256);
    if (known === false) return null;
    const bytes = this.#ledger.read(sha256, path);
    const parsed = bytes && parseJson(bytes);
    if (known === true) return parsed && 'value' in parsed ? parsed.value : null;
    const routes = this.#routesOf.get(sha256) ?? [];
    if (parsed && 'problem' in parsed) this.#faults.add('document_syntax', path, 'JSON in UTF-8', parsed.problem);
    const isSound = parsed !== null && 'value' in parsed && this.#fits(parsed.value, routes);
    this.#isSound.set(sha256, isSound);
    const object = this.#ledger.check(sha256, path);
    if (object) for (const route of routes) checkValidators(route, object, this.#faults);
    if (!isSound) return null;
    this.#inspect(parsed.value, routes);
    return parsed.value;
  }

  /**
   * Checks a document against its schemas. The addresses of one object may be of several kinds, and it must match the
   * schema of each.
   */
  #fits(value: unknown, routes: readonly Route[]): boolean {
    const checked = new Set<z.ZodType>();
    let fits = true;
    for (const { path } of routes) {
      const kind = parsePath(path)?.kind;
      const schema = kind && addressTable[kind].schema;
      if (!schema || checked.has(schema)) continue;
      checked.add(schema);
      for (const { expected, got } of schemaProblems(schema, value)) {
        fits = false;
        this.#faults.add('document_schema', path, expected, got);
      }
    }
    return fits;
  }
}

function groupByObject(routes: Iterable<Route>): Map<string, Route[]> {
  const groups = new Map<string, Route[]>();
  for (const route of routes) {
    const group = groups.get(route.sha256);
    if (group) group.push(route);
    else groups.set(route.sha256, [route]);
  }
  return groups;
}

type Sources = { readonly agency_sku: string; readonly inventory_store_code: string | null };
type Thing = {
  readonly id: string;
  readonly slug: string;
  readonly code: string;
  readonly source_ids: Sources;
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

/** The values that the last parameter of an address may have, taken from its document. */
const ownNames: Partial<Record<PathKind, (document: Document) => readonly (string | null | undefined)[]>> = {
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

/** Checks that a document is at an address that its own content names. */
export function checkPlacement(document: unknown, { path }: Route, faults: FaultList): void {
  const parsed = parsePath(path);
  const names = parsed && ownNames[parsed.kind]?.(document as Document);
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
  const alias = aliasOf(data, kind);
  if (alias !== null) {
    const route = table.find(alias);
    if (route === 'absent') faults.add('route_missing', alias, `the bytes of ${path}`, 'no route');
    else if (route !== 'unknown' && route.sha256 !== sha256) {
      faults.add('document_misplaced', alias, `the bytes of ${path}`, 'other bytes');
    }
  }
  if (kind === 'product') checkFormerSkus(data, path, context);
}

/** A former SKU is an address too: of this product, or of one that has it today. Only an ambiguous one is of none. */
function checkFormerSkus({ former_skus }: Thing, holder: string, { table, faults, ambiguousSkus }: AliasContext): void {
  for (const sku of ambiguousSkus ? former_skus : []) {
    const path = pathOf('product_by_sku', { sku });
    const exists = table.find(path) !== 'absent';
    const isAmbiguous = ambiguousSkus?.has(sku);
    if (!exists && !isAmbiguous) faults.add('route_missing', path, `an answer, as ${holder} had that SKU`, 'no route');
    if (table.routes.has(path) && isAmbiguous)
      faults.add('route_unknown', path, 'none, the SKU being ambiguous', 'a route');
  }
}

function aliasOf(data: Thing, kind: PathKind | undefined): string | null {
  if (kind === 'product') return pathOf('product_by_sku', { sku: data.source_ids.agency_sku });
  if (kind === 'brand') return pathOf('brand_by_slug', { slug: data.slug });
  const code = kind === 'store' ? data.source_ids.inventory_store_code : null;
  return code === null ? null : pathOf('store_by_code', { code });
}
