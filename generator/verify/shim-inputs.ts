import { isDeepStrictEqual } from 'node:util';
import { type ComparisonProduct, type ComparisonStores, pairLetters } from '../contract/documents/comparison.ts';
import type { Brand, BrandDetail, BrandIndex } from '../contract/documents/curation.ts';
import { isWarningOf, type Warning } from '../contract/documents/envelope.ts';
import type { ProductAvailability } from '../contract/documents/product.ts';
import type { StoreDetail, StoreSummary } from '../contract/documents/store.ts';
import { fold } from '../contract/folding.ts';
import type { Route } from '../contract/formats/site.ts';
import { compareInstants } from '../contract/instant.ts';
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

type StoreRow = ProductAvailability['stores'][number];

/**
 * Compares the comparison input of a product with the product's own documents. `storeIds`: the stores in the order of
 * the letters in the inputs; null when the order is not known.
 */
export function checkComparisonProduct(
  site: SiteUnderCheck,
  storeIds: readonly string[] | null,
  { id, route, document, availability }: ProductVisit,
): void {
  const path = pathOf('comparison_product', { product_id: id });
  const input = documentAt<ComparisonProduct>(site, path);
  if (!input) return;
  if (document) checkProduct(site, path, input, document, route);
  if (availability && storeIds) checkObservations(site, path, input, availability.stores, storeIds);
}

function checkProduct(
  site: SiteUnderCheck,
  path: string,
  { product, warnings }: ComparisonProduct,
  { data, meta }: NonNullable<ProductVisit['document']>,
  route: Route,
): void {
  const expectEqual = (expected: unknown, got: unknown, claim: (expected: string) => string) =>
    site.faults.expectEqual('input_mismatch', path, expected, got, claim);
  for (const [key, value] of Object.entries(product)) {
    const expected = data[key as keyof typeof product];
    expectEqual(expected, value, (text) => `${key} ${text}, as ${route.path} has it`);
  }
  const expected = meta.warnings.filter(({ code }) => isWarningOf(code, 'retrieval'));
  expectEqual(expected, warnings, (text) => `warnings ${text}, of ${route.path}`);
}

/**
 * Checks that letters, times and policy agree with the availability, store by store, and that at most one observation
 * covers each store.
 */
function checkObservations(
  site: SiteUnderCheck,
  path: string,
  { observations }: ComparisonProduct,
  rows: readonly StoreRow[],
  storeIds: readonly string[],
): void {
  const add = (expected: string, got: string) => site.faults.add('input_mismatch', path, expected, got);
  for (const [index, { retrieved_at, stores }] of observations.entries()) {
    const newer = observations[index - 1];
    if (newer && compareInstants(newer.retrieved_at, retrieved_at) <= 0) {
      add(`a retrieval before ${newer.retrieved_at}, newest first`, retrieved_at);
    }
    if (stores.length !== storeIds.length) {
      add(`a letter for each of ${storeIds.length} stores, retrieved at ${retrieved_at}`, String(stores.length));
      return;
    }
    if (!/[^-]/.test(stores)) add(`a store that was observed at ${retrieved_at}`, 'none');
  }
  const rowOf = new Map(rows.map((row) => [row.store_id, row]));
  for (const [position, id] of storeIds.entries()) {
    const speaking = observations.filter(({ stores }) => stores[position] !== pairLetters.unchecked);
    if (speaking.length > 1) add(`store ${id} in one observation at most`, String(speaking.length));
    const row = rowOf.get(id);
    const [observation] = speaking;
    const expected = row ? textOf(letterOf(row), row.retrieved_at, row.meets_retrieval_policy) : 'no row';
    const got = observation
      ? textOf(observation.stores[position], observation.retrieved_at, observation.meets_retrieval_policy)
      : textOf(pairLetters.unchecked, null, false);
    if (expected === got) continue;
    // The other stores of a wrong observation would repeat the same fault.
    add(`store ${id} as its availability has it: ${expected}`, got);
    return;
  }
}

function letterOf({ state, purchase_eligibility }: StoreRow): string {
  if (state !== 'reported_positive') return pairLetters[state];
  return purchase_eligibility === null
    ? 'a positive row without its classification'
    : pairLetters[purchase_eligibility];
}

function textOf(letter: string | undefined, retrievedAt: string | null, meetsPolicy: boolean): string {
  return `${letter}, retrieved ${retrievedAt ?? 'never'}, ${meetsPolicy ? 'within' : 'not within'} the policy`;
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
