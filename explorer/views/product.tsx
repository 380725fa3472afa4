import { useMemo } from 'preact/hooks';
import type { ProductDocument } from '../../client/documents.ts';
import { ProblemError } from '../../client/open-site.ts';
import type { ProductDetail } from '../../contract/schemas/product.ts';
import { storePairs } from '../../contract/store-pairs.ts';
import { AsOfNotice, useAsOf } from '../changes/as-of.tsx';
import { ChangeTable } from '../changes/change-table.tsx';
import { EarlierProduct } from '../changes/earlier-product.tsx';
import { WatchButton } from '../changes/watch-button.tsx';
import { readWholePublications } from '../changes/whole-publications.ts';
import { FeedLink } from '../parts/links.tsx';
import { WhenLoaded } from '../parts/states.tsx';
import { dateText } from '../parts/text.ts';
import { ViewFrame } from '../parts/view-frame.tsx';
import { WarningList } from '../parts/warning-list.tsx';
import { goneSince } from '../products/listed-prices.ts';
import { NoProduct } from '../products/no-product.tsx';
import { ProductAnswer } from '../products/product-answer.tsx';
import { ProductFacts } from '../products/product-facts.tsx';
import { ProductHistory, ProductSteps } from '../products/product-history.tsx';
import { fullName, useProductIndex } from '../products/product-index.ts';
import { ProductStores } from '../products/product-stores.tsx';
import { ProductFamily, ProductSizes, SimilarProducts } from '../products/related-products.tsx';
import { storeRows } from '../products/store-rows.ts';
import { TripButton } from '../products/trip-button.tsx';
import { hrefFor, type ViewProps } from '../site/router.ts';
import { useLoaded, useSession } from '../site/session.ts';
import { agencyLanguage, hasStores, isAgencyCode } from '../site/site-profile.ts';
import { storesInScope, useStores } from '../site/stores-and-categories.ts';
import { useNear } from '../stores/use-near.ts';

/** The events of a page. Most belong to single stores. */
const pageOfEvents = 100;
/** The fewest latest changes, unless there are no more. */
const latestEvents = 20;

/** A product: what it is, where it is reported, and how it changed. `argument`: its SKU or id. */
export function Product({ argument, query }: ViewProps) {
  const { site } = useSession();
  const asOf = useAsOf(query);
  const loaded = useLoaded(argument, (site, signal) =>
    isAgencyCode('sku', argument) ? site.product.bySku(argument, { signal }) : site.product.byId(argument, { signal }),
  );
  const product = loaded.value?.data;
  const id = { product_id: product?.id ?? '' };
  const sources = product && [
    { label: 'Product', url: site.addressOf('product', id) },
    { label: 'Availability by store', url: site.addressOf('product_availability', id) },
    { label: 'Over time', url: site.addressOf('product_series', id) },
    { label: 'Changes', url: site.addressOf('product_changes', id) },
  ];
  return (
    <ViewFrame
      title={product ? fullName(product) : `Product ${argument}`.trim()}
      language={product && agencyLanguage()}
      lead={
        product &&
        [product.package_size.display, product.status.label, `SKU\u00a0${product.source_ids.agency_sku}`]
          .filter(Boolean)
          .join(' · ')
      }
      sources={sources ?? []}
    >
      <WhenLoaded
        loaded={loaded}
        what="the product"
        missing={
          <NoProduct
            argument={argument}
            isAmbiguous={loaded.error instanceof ProblemError && loaded.error.code === 'SKU_AMBIGUOUS'}
          />
        }
      >
        {(document) => (
          <>
            <AsOfNotice asOf={asOf} />
            {asOf.publication ? (
              <EarlierProduct id={document.data.id} publication={asOf.publication} query={query} />
            ) : (
              asOf.state === 'newest' && <ProductContent document={document} query={query} />
            )}
          </>
        )}
      </WhenLoaded>
    </ViewFrame>
  );
}

/** Says that what follows is no longer current. `since`: when the first catalog without it was retrieved. */
function LeftCatalog({ product, since }: { readonly product: ProductDetail; readonly since: string | null }) {
  const { price } = product;
  return (
    <p class="note" role="status">
      <b>This product left the catalog.</b> {since !== null && `It was missing from the catalog of ${dateText(since)}`}
      {since !== null && price !== null && `, and last listed in that of ${dateText(price.times.retrieved_at)}`}
      {since !== null && '. '}
      What follows was known until then.
    </p>
  );
}

function ProductContent({ document, query }: { readonly document: ProductDocument; readonly query: URLSearchParams }) {
  const { site } = useSession();
  const { data: product, meta } = document;
  const { id, inventory_retrieved_at: retrieved } = product;
  const name = product.source_ids.agency_sku;
  const isAsked = retrieved !== null;
  const availability = useLoaded(isAsked && hasStores() ? id : null, (site, signal) =>
    site.product.availability(id, { signal }),
  );
  const stores = useStores(isAsked && hasStores());
  const near = useNear(query, stores.value);
  const rows = useMemo(
    () =>
      availability.value &&
      stores.value &&
      storeRows(storePairs(availability.value.data, storesInScope(stores.value)), stores.value, near.place),
    [availability.value, stores.value, near.place],
  );
  const series = useLoaded(id, (site, signal) => site.product.series(id, { signal }));
  const changes = useLoaded(id, (site, signal) =>
    readWholePublications(site.productChanges(id, { limit: pageOfEvents }, { signal }), latestEvents),
  );
  const isLater = series.state !== 'loading' && changes.state !== 'loading';
  const index = useProductIndex(isLater).value;
  return (
    <>
      {product.catalog_presence === 'absent' && (
        <LeftCatalog product={product} since={series.value && goneSince(series.value)} />
      )}
      <ProductAnswer product={product} rows={rows} near={near} />
      <div class="controls">
        {hasStores() && <TripButton sku={name} />}
        <WatchButton kind="skus" code={name} />
        <FeedLink url={site.addressOf('product_feed', { product_id: id })} about={fullName(product)} />
      </div>
      <ProductSizes product={product} index={index} />
      <WarningList warnings={meta.warnings} />
      <h2>Over time</h2>
      <WhenLoaded loaded={series} what="the history">
        {(found) => (
          <>
            <ProductHistory series={found} name={name} />
            <p>
              <a href={hrefFor('prices', '', { skus: name })}>Compare its price with others</a>
            </p>
            <ProductSteps series={found} name={name} />
          </>
        )}
      </WhenLoaded>
      {isAsked && hasStores() && (
        <>
          <h2>Where it is reported</h2>
          <WhenLoaded loaded={availability} what="the stores">
            {({ data }) => (
              <WhenLoaded loaded={stores} what="the stores">
                {() => rows && <ProductStores summary={data.summary} rows={rows} name={name} here={near.place} />}
              </WhenLoaded>
            )}
          </WhenLoaded>
        </>
      )}
      <ProductFamily product={product} index={index} />
      {index && <SimilarProducts product={product} index={index} />}
      <h2>Latest changes</h2>
      <WhenLoaded loaded={changes} what="the changes">
        {({ events }) => <ChangeTable events={events} file={`${name}-changes`} hasProducts={false} />}
      </WhenLoaded>
      <p>
        <a href={hrefFor('changes', '', { sku: name, types: 'all' })}>All changes of this product</a>
      </p>
      <h2>About this product</h2>
      <ProductFacts product={product} />
    </>
  );
}
