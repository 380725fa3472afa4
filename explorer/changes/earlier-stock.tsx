import { useMemo } from 'preact/hooks';
import type { RetainedPublication } from '../../contract/schemas/metadata.ts';
import type { StoreDetail } from '../../contract/schemas/store.ts';
import { WhenLoaded } from '../parts/states.tsx';
import { AsOfDay } from '../products/product-link.tsx';
import { ReportedProducts, StockCount } from '../products/reported-products.tsx';
import { useLoaded } from '../site/session.ts';
import { NoFiles } from './as-of.tsx';
import { type PublishedProducts, publishedInventory, storeStock, usePublishedProducts } from './published-files.ts';

/** What a store reported in an earlier publication, read from that publication's export files. */
export function EarlierStock({
  store,
  publication,
  day,
}: {
  readonly store: StoreDetail;
  readonly publication: RetainedPublication;
  readonly day: string;
}) {
  const products = usePublishedProducts(publication);
  const pairs = useLoaded(`pairs of ${store.id} in ${publication.revision}`, (site, signal) =>
    publishedInventory(site, publication, ({ store_id }) => store_id === store.id, signal),
  );
  return (
    <AsOfDay value={day}>
      <WhenLoaded loaded={products} what="the products of this publication" missing={<NoFiles />}>
        {(published) => (
          <WhenLoaded loaded={pairs} what="what the store reported" missing={<NoFiles />}>
            {(found) => <EarlierProducts store={store} published={published} pairs={found} />}
          </WhenLoaded>
        )}
      </WhenLoaded>
    </AsOfDay>
  );
}

function EarlierProducts({
  store,
  published,
  pairs,
}: {
  readonly store: StoreDetail;
  readonly published: PublishedProducts;
  readonly pairs: Parameters<typeof storeStock>[0];
}) {
  const stock = useMemo(
    () => ({
      store: { id: store.id, source_ids: store.source_ids, name: store.name },
      ...storeStock(pairs, published),
    }),
    [store, pairs, published],
  );
  return (
    <>
      <StockCount stock={stock} />
      {stock.products.length > 0 && <ReportedProducts stock={stock} store={store} index={published.index} />}
    </>
  );
}
