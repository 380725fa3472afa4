import { type PathKind, parsePath, pathOf } from '../../contract/paths.ts';
import type { Route } from '../../contract/site.ts';
import type { FaultList } from './fault.ts';
import type { RouteTable } from './route-table.ts';

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

/** What the last parameter of an address must be, by what its document says of itself. */
const ownNames: Partial<Record<PathKind, (document: Document) => readonly (string | null | undefined)[]>> = {
  product: ({ data }) => [data.id],
  product_by_sku: ({ data }) => [data.source_ids.agency_sku, ...data.former_skus],
  product_availability: ({ data }) => [data.product.id],
  comparison_product: ({ product }) => [product.id],
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

/** Checks that a document stands at the address that its own content names. */
export function checkPlacement(document: unknown, { path }: Route, faults: FaultList): void {
  const parsed = parsePath(path);
  const names = parsed && ownNames[parsed.kind]?.(document as Document);
  const name = parsed && Object.values(parsed.parameters).at(-1);
  if (!names || names.includes(name)) return;
  faults.add('document_misplaced', path, `the document of ${name}`, `that of ${names[0] ?? 'nothing'}`);
}

type Surroundings = {
  readonly table: RouteTable;
  readonly faults: FaultList;
  /** Former SKUs that name several products and so resolve to none; null when the site's list of them is unreadable. */
  readonly ambiguousSkus: ReadonlySet<string> | null;
};

/** Checks that a thing answers at its other addresses with the same bytes, contract.md 2. */
export function checkAliases(document: unknown, { path, sha256 }: Route, surroundings: Surroundings): void {
  const { table, faults } = surroundings;
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
  if (kind === 'product') checkFormerSkus(data, path, surroundings);
}

/** A former SKU is an address too: of this product, or of one that has it today. Only an ambiguous one is of none. */
function checkFormerSkus({ former_skus }: Thing, holder: string, { table, faults, ambiguousSkus }: Surroundings): void {
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
