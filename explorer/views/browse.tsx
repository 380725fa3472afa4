import { useMemo } from 'preact/hooks';
import type { Site } from '../../client/open-site.ts';
import type { Category } from '../../contract/schemas/category.ts';
import type { RetainedPublication } from '../../contract/schemas/metadata.ts';
import type { StoreSummary } from '../../contract/schemas/store.ts';
import { queryWords } from '../../contract/search-order.ts';
import { AsOfNotice, NoFiles, useAsOf } from '../changes/as-of.tsx';
import { type PublishedProducts, publishedInventory, usePublishedProducts } from '../changes/published-files.ts';
import { WatchButton } from '../changes/watch-button.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { FeedLink } from '../parts/links.tsx';
import { Share } from '../parts/share.tsx';
import { WhenLoaded } from '../parts/states.tsx';
import { countNoun } from '../parts/text.ts';
import { UnusedParts } from '../parts/unused-parts.tsx';
import { ViewFrame } from '../parts/view-frame.tsx';
import { buildCatalog } from '../products/catalog.ts';
import { FilterForm } from '../products/filter-form.tsx';
import { filtered, filterNames, unusedPrices } from '../products/filters.ts';
import { trendColumn } from '../products/price-trend.tsx';
import { type ProductColumn, productColumns } from '../products/product-columns.tsx';
import { type ProductIndex, useProductIndex } from '../products/product-index.ts';
import { AsOfDay } from '../products/product-link.tsx';
import { useAddressQuery } from '../site/address-query.ts';
import type { ViewProps } from '../site/router.ts';
import { type Loaded, useLoaded, useSession } from '../site/session.ts';
import { hasStores, isStatewide } from '../site/site-profile.ts';
import { useCategories, useStores } from '../site/stores-and-categories.ts';

/** Every listed product in one table, with filters. */
export function Browse({ query }: ViewProps) {
  const { site } = useSession();
  const asOf = useAsOf(query);
  const published = usePublishedProducts(asOf.publication);
  const newest = useProductIndex(asOf.state === 'newest');
  const index = asOf.publication ? publishedIndex(published) : newest;
  const categories = useCategories();
  // Only a filter needs the stores, so the products come first.
  const stores = useStores(index.value !== null);
  return (
    <ViewFrame
      title="Products"
      lead={`${listedText(query)}. The link to this view includes the filters.`}
      share={<Share />}
      sources={[
        { label: 'All products, as columns', url: site.addressOf('browse') },
        { label: 'Categories', url: site.addressOf('categories') },
        { label: 'Stores', url: site.addressOf('stores') },
      ]}
    >
      <AsOfNotice asOf={asOf} />
      {(asOf.state === 'newest' || asOf.state === 'earlier') && (
        <WhenLoaded loaded={index} what="the products" missing={<NoFiles />}>
          {(products) => (
            <WhenLoaded loaded={categories} what="the categories">
              {(data) => (
                <AsOfDay value={asOf.publication ? asOf.day : ''}>
                  <FilteredProducts
                    key={asOf.publication?.revision}
                    index={products}
                    categories={data}
                    stores={stores.value ?? []}
                    query={query}
                    publication={asOf.publication}
                  />
                </AsOfDay>
              )}
            </WhenLoaded>
          )}
        </WhenLoaded>
      )}
    </ViewFrame>
  );
}

/** What the table lists, and in which order. */
function listedText(query: URLSearchParams): string {
  const has = (name: string) => (query.get(name) ?? '') !== '';
  const isFiltered = filterNames.some((name) => name !== 'sort' && has(name));
  const what = isFiltered ? 'The products in the catalog that match the filters' : 'Every product in the catalog';
  if (has('sort')) return `${what}, in the chosen order`;
  if (has('q')) return `${what}, best matches first`;
  return hasStores() ? `${what}, those reported by the most stores first` : what;
}

function publishedIndex(loaded: Loaded<PublishedProducts>): Loaded<ProductIndex> {
  return loaded.state === 'loaded' ? { ...loaded, value: loaded.value.index } : loaded;
}

function FilteredProducts({
  index,
  categories,
  stores,
  query,
  publication,
}: {
  readonly index: ProductIndex;
  readonly categories: readonly Category[];
  readonly stores: readonly StoreSummary[];
  readonly query: URLSearchParams;
  /** The earlier publication that is shown; null for the newest. */
  readonly publication: RetainedPublication | null;
}) {
  const catalog = useMemo(() => buildCatalog(index, categories), [index, categories]);
  const { site } = useSession();
  const [filters, change] = useAddressQuery('browse', filterNames, query);
  const category = catalog.tree.categories[catalog.tree.positionOf(filters.category)];
  const columns = useMemo(() => {
    const all = productColumns(index);
    // Only the newest publication has total quantities over all stores, and prices up to now.
    if (publication) return hasStores() ? all.filter(({ name }) => name !== 'quantity') : all;
    return all.toSpliced(3, 0, trendColumn(index));
  }, [catalog]);
  const orders = useMemo(() => new Orders(columns, index.byStores), [columns]);
  const { store, sort } = filters;
  const stocked = useLoaded(store === '' ? null : `stocked ${store}`, async (site, signal) => {
    const { skus, isChecked } = await storeSkus(site, store, publication, signal);
    return { isChecked, inStore: Uint8Array.from(index.document.columns.sku, (sku) => (skus.has(sku) ? 1 : 0)) };
  });
  // Until the filter by store is loaded, it is not known which rows belong here.
  const isKnown = store === '' || stocked.state === 'loaded';
  const found = useMemo(() => {
    if (!isKnown) return null;
    // Search results keep their own order, unless the reader chooses another.
    const isSearch = sort === '' && queryWords(filters.q).length > 0;
    const order = isSearch ? Int32Array.from(index.find(filters.q)) : orders.by(sort);
    return filtered(catalog, filters, order, store === '' ? null : (stocked.value?.inStore ?? null));
  }, [catalog, filters, isKnown, stocked.value]);
  const isDescending = sort === '' || sort.startsWith('-');
  const wanted = sort === '' ? 'stores' : sort.replace(/^-/, '');
  const column = columns.findIndex(({ name }) => name === wanted);
  const unused = unusedPrices(filters);
  if (column < 0)
    unused.push({ name: 'sort', value: sort, expected: `one of ${columns.map(({ name }) => name).join(', ')}` });
  return (
    <>
      <FilterForm
        catalog={catalog}
        counts={found?.counts ?? null}
        stores={stores}
        filters={filters}
        onChange={change}
      />
      {category && (
        <div class="controls">
          <WatchButton kind="categories" code={category.id} />
          {category.total_product_count > 0 && (
            <FeedLink url={site.addressOf('category_feed', { category_id: category.id })} about={category.name} />
          )}
        </div>
      )}
      <UnusedParts parts={unused} />
      {store !== '' && stocked.value?.isChecked === false && (
        <p class="note">This store was never checked, so it is not known which products it has.</p>
      )}
      {found === null ? (
        <WhenLoaded
          loaded={stocked}
          what="what is reported in this store"
          missing={<p>There is no store with this id.</p>}
        >
          {() => null}
        </WhenLoaded>
      ) : (
        <DataTable
          caption="Products"
          columns={columns}
          rows={found.rows}
          file="products"
          rowKey={(product) => product}
          order={column < 0 || (sort === '' && filters.q !== '') ? null : { column, isDescending }}
          isArranged
          change="typed"
          onOrder={({ column, isDescending }) =>
            change({ sort: `${isDescending ? '-' : ''}${columns[column]?.name ?? ''}` })
          }
        />
      )}
      <p class="muted">
        Out of {countNoun(index.document.count, 'listed product')}.
        {hasStores() && ' Stores and quantities are totals over all stores, as last reported by the agency.'}
        {isStatewide() && ' Quantities are as last reported by the agency.'} A dash means that it is not known.
      </p>
    </>
  );
}

/**
 * The SKUs of the products that a store reports, in the newest publication or an earlier one, and whether the store was
 * ever checked.
 */
async function storeSkus(
  site: Site,
  store: string,
  publication: RetainedPublication | null,
  signal: AbortSignal,
): Promise<{ readonly skus: ReadonlySet<string>; readonly isChecked: boolean }> {
  const skuOf = ({ agency_sku }: { readonly agency_sku: string }) => agency_sku;
  if (publication === null) {
    const { data } = await site.store.availability(store, { signal });
    return { skus: new Set(data.products.map(skuOf)), isChecked: data.checked_product_count > 0 };
  }
  const pairs = await publishedInventory(site, publication, ({ store_id }) => store_id === store, signal);
  const positive = pairs.filter(({ state }) => state === 'reported_positive');
  return { skus: new Set(positive.map(skuOf)), isChecked: pairs.length > 0 };
}

/** The order of products by each column, computed on first use. */
class Orders {
  readonly #columns: readonly ProductColumn[];
  readonly #first: Int32Array;
  readonly #kept = new Map<string, Int32Array>();

  /** `first`: the order of products with equal values. */
  constructor(columns: readonly ProductColumn[], first: Int32Array) {
    this.#columns = columns;
    this.#first = first;
  }

  /** The order for `price` or, descending, `-price`; the default order for an unknown name. */
  by(sort: string): Int32Array {
    const kept = this.#kept.get(sort) ?? this.#compute(sort);
    this.#kept.set(sort, kept);
    return kept;
  }

  #compute(sort: string): Int32Array {
    const isDescending = sort.startsWith('-');
    const column = this.#columns.find(({ name }) => name === (isDescending ? sort.slice(1) : sort));
    if (!column) return this.#first;
    const sortKey = column.rank ?? column.value;
    const sign = isDescending ? -1 : 1;
    const keyed = Array.from(this.#first, (product) => ({ product, key: sortKey(product) }));
    keyed.sort(({ key: x }, { key: y }) => {
      if (x === y) return 0;
      if (x === null) return 1;
      if (y === null) return -1;
      return x < y ? -sign : sign;
    });
    return Int32Array.from(keyed, ({ product }) => product);
  }
}
