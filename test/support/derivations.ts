import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { objectPath } from '../../contract/paths.ts';
import { establishedMilliliters } from '../../contract/per-litre.ts';
import type { Brand, BrandIndex } from '../../contract/schemas/brand.ts';
import type { AbsentIndex, BrowseIndex } from '../../contract/schemas/browse.ts';
import type { ChangeEvent } from '../../contract/schemas/change.ts';
import type { Activity } from '../../contract/schemas/metadata.ts';
import type {
  ProductAvailability,
  ProductDetail,
  ProductRow,
  ProductSeries,
  StorePair,
} from '../../contract/schemas/product.ts';
import type { SearchIndex } from '../../contract/schemas/search.ts';
import type { ComparisonStores, StoreDetail, StoreStock } from '../../contract/schemas/store.ts';
import { isInScope, scopeFault, storePairs } from '../../contract/store-pairs.ts';
import { readSite } from '../units/site-tree.ts';

/*
 * What a site says in two places, derived from one and expected in the other. The builder makes both from the database,
 * but differently.
 */

type Warned<Data> = { readonly data: Data; readonly meta: { readonly warnings: readonly unknown[] } };

/** A built site, with the documents of every product and every store. */
class BuiltSite {
  readonly #folder: string;
  readonly #routes: ReturnType<typeof readSite>['routes'];
  readonly revision: string;

  constructor(folder: string) {
    this.#folder = folder;
    const { routes, pointer } = readSite(folder);
    this.#routes = routes;
    this.revision = pointer.revision;
  }

  bytes(path: string): Buffer {
    return readFileSync(join(this.#folder, objectPath(this.#routes.get(path)?.sha256 ?? '')));
  }

  at<Document>(path: string): Document {
    return JSON.parse(this.bytes(path).toString());
  }

  /** The documents at the publication's addresses of one pattern. */
  all<Document>(pattern: RegExp): Document[] {
    const routes = [...this.#routes.values()].filter(({ last_sequence }) => last_sequence === undefined);
    return routes.filter(({ path }) => pattern.test(path)).map(({ path }) => this.at<Document>(path));
  }

  /** The rows of a list, page by page. */
  rows<Row>(path: string): Row[] {
    const found: Row[] = [];
    for (let next: string | null = path; next !== null; ) {
      const page: { data: Row[]; links: { next: string | null } } = this.at(next);
      found.push(...page.data);
      next = page.data.length === 0 ? null : page.links.next;
    }
    return found;
  }

  /** The records of an export of the current publication. */
  records(resource: string): Record<string, unknown>[] {
    const text = gunzipSync(this.bytes(`/v1/exports/${this.revision}/${resource}.ndjson.gz`)).toString();
    const [, ...lines] = text.trimEnd().split('\n');
    return lines.map((line) => JSON.parse(line));
  }
}

const quantityIn = ({ stores }: ProductAvailability) =>
  stores.reduce((sum, { reported_quantity }) => sum + (reported_quantity ?? 0), 0);

const byId = <Row extends { id: string }>(rows: readonly Row[]) => rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));

/** Expects what a site says twice to be the same in both places. */
export function expectAgreement(folder: string): void {
  const site = new BuiltSite(folder);
  const products = site.all<Warned<ProductDetail>>(/^\/v1\/products\/[0-9a-f-]{36}$/);
  const stockOf = new Map(
    site
      .all<Warned<ProductAvailability>>(/^\/v1\/products\/[^/]+\/availability$/)
      .map((document) => [document.data.product.id, document]),
  );
  const details = site.all<{ data: StoreDetail }>(/^\/v1\/stores\/[0-9a-f-]{36}$/).map(({ data }) => data);
  const inScope = byId(details).filter(isInScope);
  for (const { data: product, meta } of products) {
    const stock = stockOf.get(product.id);
    expect(stock?.data.summary).toEqual(product.availability_summary);
    expect(stock?.meta.warnings).toEqual(meta.warnings);
    expect(stock && scopeFault(stock.data, inScope)).toBeNull();
    const series = site.at<ProductSeries>(`/v1/products/${product.id}/series.json`);
    expectSeriesEnd(product, series, details.length - inScope.length, stock?.data);
    expect(series.warnings).toEqual(meta.warnings);
  }
  const pairsOf = new Map([...stockOf].map(([id, { data }]) => [id, storePairs(data, inScope)]));
  expectStock(site, products, pairsOf, new Set(inScope.map(({ id }) => id)));
  expectIndexes(site, products, stockOf);
  const { stores } = site.at<ComparisonStores>('/v1/availability/stores.json');
  expect(stores).toEqual(inScope.map(({ regular_hours: _, ...summary }) => summary));
  expectActivity(site);
  expectExports(site, products, pairsOf);
}

/** A series counts all stores, and an availability those in scope. */
function expectSeriesEnd(
  product: ProductDetail,
  { retrievals, prices, statuses, presence }: ProductSeries,
  outOfScope: number,
  stock: ProductAvailability | undefined,
): void {
  const { price, status, catalog_presence, inventory_retrieved_at, availability_summary } = product;
  expect(prices.price_minor.at(-1)).toBe(price?.amount_minor ?? null);
  const [code, label, lifecycle] = [statuses.code, statuses.label, statuses.lifecycle].map((column) => column.at(-1));
  expect(status).toMatchObject({ code, label, lifecycle });
  expect(presence.catalog_presence.at(-1)).toBe(catalog_presence);
  const attempted_at = retrievals.attempted_at.at(-1);
  const attempt = { attempted_at, status: retrievals.succeeded.at(-1) ? 'succeeded' : 'failed' };
  expect(availability_summary.last_refresh_attempt).toEqual(attempted_at === undefined ? null : attempt);
  const last = retrievals.succeeded.lastIndexOf(true);
  expect(last < 0).toBe(inventory_retrieved_at === null);
  if (last < 0 || !stock) return;
  const { reported_positive_store_count: least } = availability_summary;
  const count = retrievals.reported_positive_store_count[last] ?? 0;
  expect(count).toBeGreaterThanOrEqual(least);
  expect(count).toBeLessThanOrEqual(least + outOfScope);
  if (count === least) expect(retrievals.reported_quantity[last]).toBe(quantityIn(stock));
  const checked = retrievals.checked_store_count[last] ?? 0;
  expect(checked).toBeGreaterThanOrEqual(checkedStores(product));
  expect(checked).toBeLessThanOrEqual(checkedStores(product) + outOfScope);
}

type Stocks = ReadonlyMap<string, Warned<ProductAvailability>>;
type Pairs = ReadonlyMap<string, readonly StorePair[]>;

/** The stock of each store in scope is that of the listed products there. */
function expectStock(
  site: BuiltSite,
  products: readonly Warned<ProductDetail>[],
  pairsOf: Pairs,
  inScope: ReadonlySet<string>,
): void {
  const expected = new Map<string, object[]>();
  for (const { data } of products.filter((product) => product.data.catalog_presence === 'listed')) {
    const { id: product_id, source_ids, name, brand } = data;
    for (const pair of pairsOf.get(product_id) ?? []) {
      const { store_id, state, reported_quantity, purchase_eligibility, retrieved_at, meets_retrieval_policy } = pair;
      if (state !== 'reported_positive') continue;
      const seen = { reported_quantity, purchase_eligibility, retrieved_at, meets_retrieval_policy };
      const row = { product_id, agency_sku: source_ids.agency_sku, name, brand, ...seen };
      expected.set(store_id, [...(expected.get(store_id) ?? []), row]);
    }
  }
  const checked = new Map<string, number>();
  for (const { data } of products.filter((product) => product.data.catalog_presence === 'listed'))
    for (const { store_id, state } of pairsOf.get(data.id) ?? [])
      if (state !== 'unchecked') checked.set(store_id, (checked.get(store_id) ?? 0) + 1);
  const stocks = site.all<{ data: StoreStock }>(/^\/v1\/stores\/[^/]+\/availability$/);
  for (const { data } of stocks.filter((stock) => inScope.has(stock.data.store.id))) {
    const texts = (rows: readonly object[] = []) => rows.map((row) => JSON.stringify(row)).sort();
    expect(texts(data.products)).toEqual(texts(expected.get(data.store.id)));
    expect(data.checked_product_count).toBe(checked.get(data.store.id) ?? 0);
  }
}

/** The browse index has the rows of `/products` with facts of the products, the brand index those of `/brands`. */
function expectIndexes(site: BuiltSite, products: readonly Warned<ProductDetail>[], stockOf: Stocks): void {
  const { brands, categories, statuses, columns } = site.at<BrowseIndex>('/v1/products/browse.json');
  const detailOf = new Map(products.map(({ data }) => [data.id, data]));
  const at = <Entry>(table: readonly Entry[], position: number | null | undefined) =>
    position === null || position === undefined ? null : table[position];
  const rows = site.rows<ProductRow>('/v1/products');
  expect(columns.sku).toEqual(rows.map(({ source_ids }) => source_ids.agency_sku));
  for (const [i, { id, name, brand }] of rows.entries()) {
    const product = detailOf.get(id) as ProductDetail;
    const { code, label, lifecycle } = product.status;
    const retrieved = product.inventory_retrieved_at;
    const stock = stockOf.get(id)?.data;
    expect({
      ...Object.fromEntries(Object.entries(columns).map(([column, values]) => [column, values?.[i]])),
      brand: at(brands, columns.brand[i])?.name ?? null,
      category: at(categories, columns.category[i]),
      status: at(statuses, columns.status[i]),
    }).toEqual({
      sku: product.source_ids.agency_sku,
      name,
      brand,
      category: product.category_ids[0] ?? null,
      in_family: product.family_id !== null,
      price_minor: product.price?.amount_minor ?? null,
      milliliters: product.package_size.milliliters,
      container_count: product.package_size.container_count,
      total_milliliters: establishedMilliliters(product.package_size),
      status: { code, label, lifecycle },
      reported_positive_store_count:
        retrieved === null ? null : product.availability_summary.reported_positive_store_count,
      checked_store_count: retrieved === null ? null : checkedStores(product),
      reported_quantity: retrieved === null || !stock ? null : quantityIn(stock),
      inventory_retrieved_on: retrieved?.slice(0, 10) ?? null,
      meets_retrieval_policy: product.availability_summary.meets_retrieval_policy,
    });
  }
  const hits = site.at<SearchIndex>('/v1/search/index.json').entries.slice(0, rows.length);
  expect(hits.map((entry) => entry.reported_positive_store_count)).toEqual(columns.reported_positive_store_count);
  const absent = site.at<AbsentIndex>('/v1/products/absent.json');
  const left = products.flatMap(({ data }) => (data.catalog_presence === 'absent' ? [data] : []));
  const prices = new Map(absent.columns.sku.map((sku, i) => [sku, absent.columns.price_minor[i]]));
  expect(prices).toEqual(new Map(left.map((of) => [of.source_ids.agency_sku, of.price?.amount_minor ?? null])));
  const index = site.at<BrandIndex>('/v1/brands/index.json');
  expect(index.brands.map(({ brand }) => brand)).toEqual(site.rows<Brand>('/v1/brands'));
}

function checkedStores({ availability_summary: summary }: ProductDetail): number {
  return summary.scope_store_count - summary.unchecked_store_count;
}

/** The counts of events match the list of all changes, as far as it is retained. */
function expectActivity(site: BuiltSite): void {
  const { publications, prices } = site.at<Activity>('/v1/metadata/activity.json');
  const events = site.rows<ChangeEvent>('/v1/changes');
  for (const [i, at] of publications.published_at.entries()) {
    const brought = events.filter(({ times }) => times.published_at === at);
    for (const [type, counts] of Object.entries(publications.events)) {
      expect(counts[i], `${type} of ${at}`).toBe(brought.filter((event) => event.type === type).length);
    }
  }
  const differences = events.flatMap((event) =>
    event.type === 'price_changed' && event.times.published_at === prices?.published_at
      ? [event.change.difference_minor ?? 0]
      : [],
  );
  expect(prices?.rise_count ?? 0).toBe(differences.filter((difference) => difference > 0).length);
  expect(prices?.fall_count ?? 0).toBe(differences.filter((difference) => difference < 0).length);
}

/** The exports have the products and the checked pairs of the documents. */
function expectExports(site: BuiltSite, products: readonly Warned<ProductDetail>[], pairsOf: Pairs): void {
  const expected = byId(products.map(({ data }) => data)).map(
    ({ id, name, price, status, availability_summary, former_skus }) => ({
      ...{ id, name, former_skus, status_code: status.code, price_amount_minor: price?.amount_minor ?? null },
      reported_positive_store_count: availability_summary.reported_positive_store_count,
    }),
  );
  expect(site.records('products')).toMatchObject(expected);
  const pairs = new Map(site.records('inventory').map((record) => [`${record.product_id} ${record.store_id}`, record]));
  for (const [id, known] of pairsOf) {
    for (const { name: _, ...pair } of known) {
      const record = pairs.get(`${id} ${pair.store_id}`);
      if (pair.state === 'unchecked') expect(record).toBeUndefined();
      else expect(record).toMatchObject(pair);
    }
  }
}
