import { useMemo } from 'preact/hooks';
import type { StoreSummary } from '../../../generator/contract/documents/store.ts';
import { useAddressQuery } from '../app/address-query.ts';
import { placeOf, type ViewProps } from '../app/router.ts';
import { useLoaded, useSession } from '../app/session.ts';
import { type Catalog, catalogOf } from '../browse/catalog.ts';
import { CategoryFilter } from '../browse/category-filter.tsx';
import { browseColumns } from '../browse/columns.tsx';
import { FilterForm } from '../browse/filter-form.tsx';
import { filtered, filterNames, unusedPrices } from '../browse/filters.ts';
import { Orders } from '../browse/orders.ts';
import { DataTable } from '../components/data-table.tsx';
import { Page } from '../components/page.tsx';
import { WhenLoaded } from '../components/states.tsx';
import { countOf } from '../components/text.ts';
import { UnusedParts } from '../components/unused-parts.tsx';

/** Every listed product in one table, with filters. */
export function Browse({ query }: ViewProps) {
  const { site } = useSession();
  const loaded = useLoaded('browse', async (site, signal) => {
    const [index, categories, stores] = await Promise.all([
      site.browse({ signal }),
      site.categories({ signal }),
      site.stores({}, { signal }).take(Number.POSITIVE_INFINITY),
    ]);
    return { catalog: catalogOf(index, categories.data), stores };
  });
  return (
    <Page
      title="Products"
      lead="Every product that the catalog lists. Filters are part of the address, so a link shows others the same rows."
      sources={[
        { label: 'Products as columns', url: site.addressOf('browse') },
        { label: 'Categories', url: site.addressOf('categories') },
        { label: 'Stores', url: site.addressOf('stores') },
      ]}
    >
      <WhenLoaded loaded={loaded} what="the products">
        {({ catalog, stores }) => <Products catalog={catalog} stores={stores} query={query} />}
      </WhenLoaded>
    </Page>
  );
}

function Products({
  catalog,
  stores,
  query,
}: {
  readonly catalog: Catalog;
  readonly stores: readonly StoreSummary[];
  readonly query: URLSearchParams;
}) {
  const [filters, change] = useAddressQuery('browse', filterNames, query);
  const columns = useMemo(() => browseColumns(catalog), [catalog]);
  const orders = useMemo(() => new Orders(columns, catalog.count), [columns]);
  const { store, sort } = filters;
  const stocked = useLoaded(store === '' ? null : `stocked ${store}`, async (site, signal) => {
    const { data } = await site.store.availability(store, { signal });
    const skus = new Set(data.products.map(({ agency_sku }) => agency_sku));
    return Uint8Array.from(catalog.index.columns.sku, (sku) => (skus.has(sku) ? 1 : 0));
  });
  // Without the filter of the store that is asked for, no row is known to belong here.
  const isKnown = store === '' || stocked.state === 'loaded';
  const found = useMemo(
    () => (isKnown ? filtered(catalog, filters, orders.by(sort), store === '' ? null : stocked.value) : null),
    [catalog, filters, isKnown, stocked.value],
  );
  const isDescending = sort.startsWith('-');
  const column = columns.findIndex(({ name }) => name === (isDescending ? sort.slice(1) : sort));
  const unused = unusedPrices(filters);
  if (sort !== '' && column < 0)
    unused.push({ name: 'sort', value: sort, expected: `one of ${columns.map(({ name }) => name).join(', ')}` });
  return (
    <div class="browse">
      <FilterForm catalog={catalog} stores={stores} filters={filters} onChange={change} />
      <details class="categories" open={innerWidth >= 960}>
        <summary>Categories</summary>
        <CategoryFilter
          tree={catalog.tree}
          totals={found?.categoryTotals ?? null}
          chosen={filters.category}
          placeOfCategory={(category) => placeOf('browse', '', { ...filters, category })}
        />
      </details>
      <div class="results">
        <UnusedParts of={unused} />
        {found === null ? (
          <WhenLoaded loaded={stocked} what="what is reported in this store">
            {() => null}
          </WhenLoaded>
        ) : (
          <>
            <p class="muted">
              Of {countOf(catalog.count, 'listed product')}. Quantities are what the agency reported, of all stores
              together. A dash means that it is not known.
            </p>
            <DataTable
              caption="Products"
              columns={columns}
              rows={found.rows}
              file="products"
              keyOf={(product) => product}
              order={column < 0 ? null : { column, isDescending }}
              isArranged
              onOrder={({ column, isDescending }) =>
                change({ sort: `${isDescending ? '-' : ''}${columns[column]?.name ?? ''}` })
              }
            />
          </>
        )}
      </div>
    </div>
  );
}
