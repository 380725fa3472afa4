import { useMemo } from 'preact/hooks';
import type { BrandDocument } from '../../../client/documents.ts';
import { placeOf, type ViewProps } from '../app/router.ts';
import { useLoaded, useSession } from '../app/session.ts';
import { CategoryFacts } from '../components/category-path.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { FeedLink } from '../components/feed-link.tsx';
import { Page } from '../components/page.tsx';
import { PricesLink } from '../components/prices-link.tsx';
import { productColumns } from '../components/product-columns.tsx';
import { type ProductIndex, useProductIndex } from '../components/product-index.ts';
import { agencyLanguage } from '../components/site-profile.ts';
import { WhenLoaded } from '../components/states.tsx';
import { countText, instantText } from '../components/text.ts';
import { WarningList } from '../components/warning-list.tsx';
import { WatchButton } from '../watch/watch-button.tsx';

type FamilyEntry = BrandDocument['data']['families'][number];

/** A reviewed brand with its families and products. `argument`: its slug or its id. */
export function Brand({ argument }: ViewProps) {
  const { site } = useSession();
  const loaded = useLoaded(argument, (site, signal) =>
    /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(argument)
      ? site.brand.byId(argument, { signal })
      : site.brand.bySlug(argument, { signal }),
  );
  const brand = loaded.value?.data;
  return (
    <Page
      title={brand?.name ?? 'Brand'}
      language={brand && agencyLanguage()}
      lead={brand && brand.aliases.length > 0 && `Also called ${brand.aliases.join(', ')}.`}
      sources={
        brand
          ? [
              { label: 'Brand', url: site.addressOf('brand', { brand_id: brand.id }) },
              { label: 'Every listed product', url: site.addressOf('browse') },
            ]
          : []
      }
    >
      <WhenLoaded
        loaded={loaded}
        what="the brand"
        missing={
          <p>
            There is no brand with this name or id. <a href={placeOf('browse')}>All products</a>
          </p>
        }
      >
        {(document) => <Loaded document={document} />}
      </WhenLoaded>
    </Page>
  );
}

const familyColumns: readonly Column<FamilyEntry>[] = [
  { label: 'Family', value: ({ name }) => name, show: ({ id, name }) => <a href={placeOf('family', id)}>{name}</a> },
  { label: 'Members', value: ({ member_count }) => member_count, isNumber: true },
];

function Loaded({ document }: { readonly document: BrandDocument }) {
  const { site } = useSession();
  const { data: brand, meta } = document;
  const index = useProductIndex();
  return (
    <>
      <div class="controls">
        <WatchButton kind="brands" code={brand.slug} />
        {brand.product_count > 0 && (
          <FeedLink url={site.addressOf('brand_feed', { brand_id: brand.id })} of={brand.name} />
        )}
      </div>
      <ul class="cards">
        <li class="card">
          <b>{countText(brand.product_count)}</b> {brand.product_count === 1 ? 'product listed' : 'products listed'}
        </li>
        <li class="card">
          <b>{countText(brand.family_count)}</b> {brand.family_count === 1 ? 'family' : 'families'}
        </li>
      </ul>
      <WarningList of={meta.warnings} />
      <h2>Products</h2>
      <WhenLoaded loaded={index} what="the products">
        {(found) => <Products index={found} slug={brand.slug} />}
      </WhenLoaded>
      <p>
        <a href={placeOf('browse', '', { brand: brand.slug })}>Filter and compare these products</a>
      </p>
      {brand.families.length > 0 && (
        <>
          <h2>Families</h2>
          <DataTable
            caption="Families of the brand"
            file={`${brand.slug}-families`}
            columns={familyColumns}
            rows={brand.families}
            keyOf={({ id }) => id}
          />
        </>
      )}
      <h2>About this brand</h2>
      <dl class="facts">
        <CategoryFacts ids={brand.category_ids} />
        <dt>Inventory</dt>
        <dd>
          {brand.inventory_retrieved_at === null
            ? 'Never retrieved'
            : `Last retrieved ${instantText(brand.inventory_retrieved_at)}`}
        </dd>
      </dl>
    </>
  );
}

/** The listed products of the brand, those that most stores report first. */
function Products({ index, slug }: { readonly index: ProductIndex; readonly slug: string }) {
  const rows = useMemo(
    () => [...index.byStores].filter((product) => index.brand(product)?.slug === slug),
    [index, slug],
  );
  const columns = useMemo(() => productColumns(index), [index]);
  return (
    <>
      <DataTable
        caption="Listed products of the brand"
        file={`${slug}-products`}
        columns={columns}
        rows={rows}
        keyOf={(row) => row}
      />
      <PricesLink skus={rows.map((product) => index.sku(product))} />
    </>
  );
}
