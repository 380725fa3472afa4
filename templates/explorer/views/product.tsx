import type { ProductDocument } from '../../../client/documents.ts';
import { placeOf, type ViewProps } from '../app/router.ts';
import { useLoaded, useSession } from '../app/session.ts';
import { ChangeTable } from '../changes/change-table.tsx';
import { Page } from '../components/page.tsx';
import { fullName } from '../components/product-index.ts';
import { agencyLanguage, hasStores, isAgencyCode } from '../components/site-profile.ts';
import { WhenLoaded } from '../components/states.tsx';
import { WarningList } from '../components/warning-list.tsx';
import { ProductFacts, ProductFigures } from '../product/product-facts.tsx';
import { ProductHistory } from '../product/product-history.tsx';
import { ProductFamily, ProductSizes } from '../product/product-sizes.tsx';
import { ProductSteps } from '../product/product-steps.tsx';
import { ProductStores } from '../product/product-stores.tsx';
import { WatchButton } from '../watch/watch-button.tsx';

/** As many events as one answer can have. Most are of single stores. */
const latestEvents = 100;

/** A product: what it is, where it is reported, and how it changed. `argument`: its SKU or its id. */
export function Product({ argument, query }: ViewProps) {
  const { site } = useSession();
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
    <Page
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
      <WhenLoaded loaded={loaded} what="the product">
        {(document) => <Loaded document={document} query={query} />}
      </WhenLoaded>
    </Page>
  );
}

function Loaded({ document, query }: { readonly document: ProductDocument; readonly query: URLSearchParams }) {
  const { data: product, meta } = document;
  const { id, inventory_retrieved_at: retrieved } = product;
  const name = product.source_ids.agency_sku;
  const isAsked = retrieved !== null;
  const availability = useLoaded(isAsked && hasStores() ? id : null, (site, signal) =>
    site.product.availability(id, { signal }),
  );
  const series = useLoaded(id, (site, signal) => site.product.series(id, { signal }));
  const changes = useLoaded(id, (site, signal) =>
    site.productChanges(id, { limit: latestEvents }, { signal }).take(latestEvents),
  );
  const quantities = availability.value?.data.stores.flatMap(({ reported_quantity }) => reported_quantity ?? []) ?? [];
  return (
    <>
      <WatchButton kind="skus" code={name} />
      <ProductFigures
        product={product}
        reported={
          product.availability_summary.reported_quantity ??
          (quantities.length > 0 ? quantities.reduce((sum, quantity) => sum + quantity, 0) : null)
        }
      />
      <ProductSizes product={product} isWanted={series.state !== 'loading' && changes.state !== 'loading'} />
      <WarningList of={meta.warnings} />
      {isAsked && hasStores() && (
        <>
          <h2>Where it is reported</h2>
          <WhenLoaded loaded={availability} what="the stores">
            {({ data }) => <ProductStores availability={data} name={name} query={query} />}
          </WhenLoaded>
        </>
      )}
      <h2>Over time</h2>
      <WhenLoaded loaded={series} what="the history">
        {(found) => (
          <>
            <ProductHistory series={found} name={name} />
            <p>
              <a href={placeOf('prices', '', { skus: name })}>Compare its price with others</a>
            </p>
            <ProductSteps series={found} name={name} />
          </>
        )}
      </WhenLoaded>
      <ProductFamily product={product} />
      <h2>Latest changes</h2>
      <WhenLoaded loaded={changes} what="the changes">
        {(events) => <ChangeTable events={events} file={`${name}-changes`} hasProducts={false} />}
      </WhenLoaded>
      <p>
        <a href={placeOf('changes', '', { sku: name, types: 'all' })}>All changes of this product</a>
      </p>
      <h2>About this product</h2>
      <ProductFacts product={product} />
    </>
  );
}
