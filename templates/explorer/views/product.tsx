import type { ProductDocument } from '../../../client/documents.ts';
import { placeOf, type ViewProps } from '../app/router.ts';
import { useLoaded, useSession } from '../app/session.ts';
import { EventTable } from '../components/event-table.tsx';
import { MemberTable } from '../components/member-table.tsx';
import { Page } from '../components/page.tsx';
import { fullName } from '../components/product-name.ts';
import { WhenLoaded } from '../components/states.tsx';
import { WarningList } from '../components/warning-list.tsx';
import { ProductFacts, ProductFigures } from '../product/product-facts.tsx';
import { ProductHistory } from '../product/product-history.tsx';
import { ProductSteps } from '../product/product-steps.tsx';
import { ProductStores } from '../product/product-stores.tsx';

const latestEvents = 20;

/** A product: what it is, how it changed, and where it is reported. `argument`: its SKU or its id. */
export function Product({ argument }: ViewProps) {
  const { site } = useSession();
  const loaded = useLoaded(argument, (site, signal) =>
    /^\d{6}$/.test(argument) ? site.product.bySku(argument, { signal }) : site.product.byId(argument, { signal }),
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
    <Page title={product ? fullName(product) : `Product ${argument}`.trim()} sources={sources ?? []}>
      <WhenLoaded loaded={loaded} what="the product">
        {(document) => <Loaded document={document} />}
      </WhenLoaded>
    </Page>
  );
}

function Loaded({ document }: { readonly document: ProductDocument }) {
  const { data: product, meta } = document;
  const { id, family_id: familyId } = product;
  const name = product.source_ids.agency_sku;
  const availability = useLoaded(id, (site, signal) => site.product.availability(id, { signal }));
  const series = useLoaded(id, (site, signal) => site.product.series(id, { signal }));
  const categories = useLoaded(id, (site, signal) => site.categories({ signal }));
  const family = useLoaded(familyId, (site, signal) => site.family.byId(familyId ?? '', { signal }));
  const changes = useLoaded(id, (site, signal) =>
    site.productChanges(id, { limit: latestEvents }, { signal }).take(latestEvents),
  );
  const quantities = availability.value?.data.stores.flatMap(({ reported_quantity }) => reported_quantity ?? []) ?? [];
  return (
    <>
      <ProductFigures
        product={product}
        reported={quantities.length > 0 ? quantities.reduce((sum, quantity) => sum + quantity, 0) : null}
      />
      <WarningList of={meta.warnings} />
      <ProductFacts
        product={product}
        categories={categories.value?.data ?? []}
        family={family.value?.data.name ?? null}
      />
      <h2>Over time</h2>
      <p class="muted">Stores that closed or retired count here too, but not in the figures above.</p>
      <WhenLoaded loaded={series} what="the history">
        {(found) => (
          <>
            <ProductHistory series={found} name={name} />
            <ProductSteps series={found} name={name} />
          </>
        )}
      </WhenLoaded>
      <h2>Where it is reported</h2>
      <p class="muted">
        Quantities are what each store reported when it was asked. They do not promise that the product is there now.
      </p>
      <WhenLoaded loaded={availability} what="the stores">
        {({ data }) => <ProductStores stores={data.stores} name={name} />}
      </WhenLoaded>
      {familyId !== null && (
        <>
          <h2>Sizes and prices in its family</h2>
          <WhenLoaded loaded={family} what="the family">
            {({ data }) => <MemberTable members={data.members} file={`${name}-family`} />}
          </WhenLoaded>
        </>
      )}
      <h2>Latest changes</h2>
      <WhenLoaded loaded={changes} what="the changes">
        {(events) => <EventTable events={events} file={`${name}-changes`} />}
      </WhenLoaded>
      <p>
        <a href={placeOf('changes', '', { sku: name })}>All changes of this product</a>
      </p>
    </>
  );
}
