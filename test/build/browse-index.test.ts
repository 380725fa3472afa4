import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BrowseIndex } from '../../generator/contract/documents/browse.ts';
import type { ProductAvailability, ProductDetail, ProductRow } from '../../generator/contract/documents/product.ts';
import { copyBuiltFixtures } from './built-fixtures.ts';
import { temporaryFolder } from './fixture-series.ts';
import { documentAt, readSite } from './site-tree.ts';

const folder = temporaryFolder();
const dist = join(folder.path, 'dist');
let index: BrowseIndex;
let listed: ProductRow[];

beforeAll(async () => {
  await copyBuiltFixtures(dist, 12);
  index = documentAt<BrowseIndex>(dist, '/v1/products/browse.json');
  listed = documentAt<{ data: ProductRow[] }>(dist, '/v1/products').data;
});
afterAll(folder.remove);

const detailOf = (sku: string) => documentAt<{ data: ProductDetail }>(dist, `/v1/products/by-sku/${sku}`).data;

/** What the index says of a product, with tables and positions resolved. */
function productAt(position: number) {
  const { brands, categories, statuses, columns } = index;
  const { brand, category, status, ...rest } = columns;
  const at = <Entry>(table: readonly Entry[], entry: number | null | undefined) =>
    entry === null || entry === undefined ? null : table[entry];
  return {
    ...Object.fromEntries(Object.entries(rest).map(([name, column]) => [name, column[position]])),
    brand: at(brands, brand[position]),
    category: at(categories, category[position]),
    status: at(statuses, status[position]),
  };
}

test('the index has the products of /products in their order, and the revision of its publication', () => {
  expect(index.columns.sku).toEqual(listed.map(({ source_ids }) => source_ids.agency_sku));
  expect(index.count).toBe(listed.length);
  expect(index.publication_revision).toBe(readSite(dist).pointer.revision);
  expect(new Set(Object.values(index.columns).map(({ length }) => length))).toEqual(new Set([index.count]));
});

test('each product is as its own documents have it', () => {
  for (const [position, { source_ids }] of listed.entries()) {
    const detail = detailOf(source_ids.agency_sku);
    const { inventory_retrieved_at: retrievedAt, availability_summary: summary, package_size: size } = detail;
    const { stores } = documentAt<{ data: ProductAvailability }>(dist, `/v1/products/${detail.id}/availability`).data;
    const { code, label, lifecycle } = detail.status;
    const brand = detail.brand_id && documentAt<{ data: object }>(dist, `/v1/brands/${detail.brand_id}`).data;
    expect(productAt(position)).toEqual({
      sku: source_ids.agency_sku,
      name: detail.name,
      brand: brand && { slug: (brand as { slug: string }).slug, name: detail.brand },
      category: detail.category_ids[0] ?? null,
      in_family: detail.family_id !== null,
      price_minor: detail.price?.amount_minor ?? null,
      milliliters: size.milliliters,
      container_count: size.container_count,
      status: { code, label, lifecycle },
      reported_positive_store_count: retrievedAt && summary.reported_positive_store_count,
      reported_quantity: retrievedAt && stores.reduce((sum, row) => sum + (row.reported_quantity ?? 0), 0),
      inventory_retrieved_on: retrievedAt?.slice(0, 10) ?? null,
      meets_retrieval_policy: summary.meets_retrieval_policy,
    });
  }
});

test('a product that was never retrieved has null counts, one that is reported nowhere has zeros', () => {
  const { reported_positive_store_count: stores, reported_quantity: quantity, inventory_retrieved_on } = index.columns;
  const never = inventory_retrieved_on.flatMap((date, position) => (date === null ? [position] : []));
  const nowhere = stores.flatMap((count, position) => (count === 0 ? [position] : []));
  expect(never.length).toBeGreaterThan(0);
  expect(nowhere.length).toBeGreaterThan(0);
  for (const position of never) expect([stores[position], quantity[position]]).toEqual([null, null]);
  for (const position of nowhere) expect(quantity[position]).toBe(0);
});

test('every entry of a table is used, and the index says nothing of absent products', () => {
  const used = (column: readonly (number | null)[]) => new Set(column.filter((position) => position !== null)).size;
  const { brand, category, status } = index.columns;
  expect([used(brand), used(category), used(status)]).toEqual([
    index.brands.length,
    index.categories.length,
    index.statuses.length,
  ]);
  const presence = index.columns.sku.map((sku) => detailOf(sku).catalog_presence);
  expect(new Set(presence)).toEqual(new Set(['listed']));
});
