import { type PathKind, type PathParameters, parsePath, pathOf } from '../../contract/paths.ts';
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
type Document = { readonly data: Thing; readonly number: number; readonly meta: { family?: { id: string } } };

/** What the last parameter of an address must be, by what its document says of itself. */
const ownNames: Partial<Record<PathKind, (document: Document) => readonly (string | null | undefined)[]>> = {
  product: ({ data }) => [data.id],
  product_by_sku: ({ data }) => [data.source_ids.agency_sku, ...data.former_skus],
  product_availability: ({ data }) => [data.product.id],
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

/** Checks that a thing answers at its other addresses with the same bytes, contract.md 2. */
export function checkAliases(document: unknown, { path, sha256 }: Route, table: RouteTable, faults: FaultList): void {
  const alias = aliasOf(document as Document, parsePath(path)?.kind);
  if (alias === null) return;
  const route = table.find(alias);
  if (route === 'unknown') return;
  if (route === 'absent') faults.add('route_missing', alias, `the bytes of ${path}`, 'no route');
  else if (route.sha256 !== sha256) faults.add('document_misplaced', alias, `the bytes of ${path}`, 'other bytes');
}

function aliasOf({ data }: Document, kind: PathKind | undefined): string | null {
  if (kind === 'product') return pathOf('product_by_sku', { sku: data.source_ids.agency_sku });
  if (kind === 'brand') return pathOf('brand_by_slug', { slug: data.slug });
  const code = kind === 'store' ? data.source_ids.inventory_store_code : null;
  return code === null ? null : pathOf('store_by_code', { code } satisfies PathParameters<'store_by_code'>);
}
