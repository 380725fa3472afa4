import { isDeepStrictEqual } from 'node:util';
import type { ComparisonStores } from '../contract/documents/comparison.ts';
import type { Brand, BrandDetail, BrandIndex } from '../contract/documents/curation.ts';
import type { Warning } from '../contract/documents/envelope.ts';
import type { StoreDetail, StoreSummary } from '../contract/documents/store.ts';
import { fold } from '../contract/folding.ts';
import { parsePath, pathOf } from '../contract/paths.ts';
import { documentAt, type SiteUnderCheck } from './documents.ts';
import { rowsOfList } from './lists.ts';
import type { ProductVisit } from './product-documents.ts';

/** Checks that the brand index has the rows of `/brands` in their order, and the names in each brand's document. */
export function checkBrandIndex(site: SiteUnderCheck): void {
  const path = pathOf('brand_index');
  const index = documentAt<BrandIndex>(site, path);
  const list = documentAt<{ meta: { warnings: Warning[] } }>(site, pathOf('brands'));
  const rows = rowsOfList<Brand>(site, 'brands');
  if (!index || !list || !rows) return;
  const add = (expected: string, got: string) => site.faults.add('index_mismatch', path, expected, got);
  if (index.brands.length !== rows.length) {
    add(`${rows.length} brands, as ${pathOf('brands')} has rows`, String(index.brands.length));
  }
  const expectEqual = (expected: unknown, got: unknown, claim: (expected: string) => string) =>
    site.faults.expectEqual('index_mismatch', path, expected, got, claim);
  const wrong = index.brands.findIndex(({ brand }, i) => rows[i] !== undefined && !isDeepStrictEqual(brand, rows[i]));
  if (wrong >= 0) {
    const source = pathOf('brands');
    expectEqual(rows[wrong], index.brands[wrong]?.brand, (text) => `brand ${wrong} ${text}, as ${source} has it`);
  }
  expectEqual(list.meta.warnings, index.warnings, (text) => `warnings ${text}, as ${pathOf('brands')} has them`);
  for (const { brand, names } of index.brands) {
    const document = documentAt<{ data: BrandDetail }>(site, pathOf('brand', { brand_id: brand.id }));
    if (!document) continue;
    const { name, slug, aliases } = document.data;
    const expected = [...new Set([name, slug, ...aliases].map(fold))];
    expectEqual(expected, names, (text) => `names ${text} of ${brand.id}`);
  }
}

/**
 * Checks that a product's availability has the stores that a comparison chooses from, in their order, and the warnings of the
 * product's own document. `storeIds`: null when they are not known.
 */
export function checkComparisonProduct(
  { faults }: SiteUnderCheck,
  storeIds: readonly string[] | null,
  { id, route, document, availability, availabilityWarnings }: ProductVisit,
): void {
  if (!availability) return;
  const path = pathOf('product_availability', { product_id: id });
  const ids = availability.stores.map(({ store_id }) => store_id);
  const expectEqual = (expected: unknown, got: unknown, claim: (expected: string) => string) =>
    faults.expectEqual('input_mismatch', path, expected, got, claim);
  if (storeIds) expectEqual(storeIds, ids, (text) => `stores ${text}, as ${pathOf('comparison_stores')} has them`);
  if (!document) return;
  expectEqual(document.meta.warnings, availabilityWarnings, (text) => `warnings ${text}, as ${route.path} has them`);
}

/**
 * Checks the stores that a comparison chooses from: each equals its own document, they are in order of id, and all
 * stores in scope are there (contract.md 9). Returns their ids in that order; null when the document cannot be read.
 */
export function checkComparisonStores(site: SiteUnderCheck): readonly string[] | null {
  const path = pathOf('comparison_stores');
  const document = documentAt<ComparisonStores>(site, path);
  if (!document) return null;
  const add = (expected: string, got: string) => site.faults.add('input_mismatch', path, expected, got);
  // Both documents carry the publication's warnings that do not depend on whose inventory is asked for.
  const list = documentAt<{ meta: { warnings: Warning[] } }>(site, pathOf('products'));
  const expectEqual = (expected: unknown, got: unknown, claim: (expected: string) => string) =>
    site.faults.expectEqual('input_mismatch', path, expected, got, claim);
  if (list) {
    const source = pathOf('products');
    expectEqual(list.meta.warnings, document.warnings, (text) => `warnings ${text}, as ${source} has them`);
  }
  const ids = document.stores.map(({ id }) => id);
  const late = ids.findIndex((id, index) => id <= (ids[index - 1] ?? ''));
  if (late > 0) add(`a store after ${ids[late - 1]}, each once and by id`, String(ids[late]));
  const listed = new Map(document.stores.map((store) => [store.id, store]));
  for (const route of site.table.routes.values()) {
    const parsed = parsePath(route.path);
    if (parsed?.kind !== 'store') continue;
    const detail = documentAt<{ data: StoreDetail }>(site, route.path)?.data;
    if (!detail) continue;
    const { regular_hours: _, ...summary } = detail;
    const found = listed.get(detail.id);
    if (!found && isInScope(summary)) add(`store ${detail.id}, which is in scope`, 'none of that id');
    if (found && !isInScope(summary)) add(`no store that is out of scope`, detail.id);
    if (found) expectEqual(summary, found, (text) => `${text}, as ${route.path} has it`);
  }
  return ids;
}

function isInScope({ operational_status, directory_presence }: StoreSummary): boolean {
  return operational_status.state !== 'permanently_closed' && directory_presence?.state !== 'reviewed_retired';
}
