import { useMemo } from 'preact/hooks';
import type { ProductRecord } from '../../contract/columns/export.ts';
import type { RetainedPublication } from '../../contract/schemas/metadata.ts';
import type { ProductDetail } from '../../contract/schemas/product.ts';
import { Loading, WhenLoaded } from '../parts/states.tsx';
import { ProductAnswer } from '../products/product-answer.tsx';
import { ProductFacts } from '../products/product-facts.tsx';
import { ProductStores } from '../products/product-stores.tsx';
import { storeRows } from '../products/store-rows.ts';
import { useLoaded } from '../site/session.ts';
import { hasStores } from '../site/site-profile.ts';
import { useStores } from '../site/stores-and-categories.ts';
import { useNear } from '../stores/use-near.ts';
import { NoFiles } from './as-of.tsx';
import { availabilityRows, publishedInventory, usePublishedProducts } from './published-files.ts';

/** A product in an earlier publication, read from that publication's export files. */
export function EarlierProduct({
  id,
  publication,
  query,
}: {
  readonly id: string;
  readonly publication: RetainedPublication;
  readonly query: URLSearchParams;
}) {
  const products = usePublishedProducts(publication);
  return (
    <WhenLoaded loaded={products} what="the products of this publication" missing={<NoFiles />}>
      {({ byId }) => {
        const record = byId.get(id);
        if (record === undefined) return <p class="note">The product was not in this publication yet.</p>;
        return <Published record={record} publication={publication} query={query} />;
      }}
    </WhenLoaded>
  );
}

function Published({
  record,
  publication,
  query,
}: {
  readonly record: ProductRecord;
  readonly publication: RetainedPublication;
  readonly query: URLSearchParams;
}) {
  const product = useMemo(() => asProductDetail(record), [record]);
  const isAsked = hasStores() && record.inventory_retrieved_at !== null;
  const pairs = useLoaded(isAsked ? `pairs of ${record.id} in ${publication.revision}` : null, (site, signal) =>
    publishedInventory(site, publication, ({ product_id }) => product_id === record.id, signal),
  );
  const stores = useStores(isAsked);
  const near = useNear(query, stores.value);
  const rows = useMemo(() => {
    if (pairs.value === null || stores.value === null) return null;
    const names = new Map(stores.value.map(({ id, name }) => [id, name]));
    return storeRows(
      availabilityRows(pairs.value, (storeId) => names.get(storeId)),
      stores.value,
      near.place,
    );
  }, [pairs.value, stores.value, near.place]);
  return (
    <>
      <ProductAnswer product={product} rows={rows} near={near} isOfNewest={false} />
      {isAsked && (
        <>
          <h2>Where it was reported</h2>
          <WhenLoaded loaded={pairs} what="the stores" missing={<NoFiles />}>
            {() =>
              rows ? (
                <ProductStores
                  summary={product.availability_summary}
                  rows={rows}
                  name={record.agency_sku}
                  here={near.place}
                />
              ) : (
                <Loading what="the stores" />
              )
            }
          </WhenLoaded>
        </>
      )}
      <h2>About this product</h2>
      <ProductFacts product={product} />
    </>
  );
}

/** The record in the shape of a product's own document. */
function asProductDetail(record: ProductRecord): ProductDetail {
  const { id, name, brand, brand_id, family_id, category_ids, former_skus, catalog_presence } = record;
  const { last_refresh_attempted_at: attempted_at, last_refresh_status: status } = record;
  return {
    ...{ id, name, brand, brand_id, family_id, category_ids, former_skus, catalog_presence },
    source_ids: { agency_sku: record.agency_sku },
    package_size: {
      milliliters: record.package_milliliters,
      container_count: record.package_container_count,
      unit_milliliters: record.package_unit_milliliters,
      total_milliliters: record.package_total_milliliters,
      display: record.package_display,
      interpretation: record.package_interpretation,
      basis: record.package_basis,
      normalization_state: record.package_normalization_state,
    },
    price: recordedPrice(record),
    status: {
      code: record.status_code,
      label: record.status_label,
      lifecycle: record.lifecycle,
      source_raw: record.status_source_raw,
    },
    inventory_retrieved_at: record.inventory_retrieved_at,
    availability_summary: {
      scope_store_count: record.scope_store_count,
      reported_positive_store_count: record.reported_positive_store_count,
      eligible_positive_store_count: record.eligible_positive_store_count,
      reported_zero_store_count: record.reported_zero_store_count,
      row_absent_store_count: record.row_absent_store_count,
      unchecked_store_count: record.unchecked_store_count,
      retrieved_at_min: record.inventory_retrieved_at_min,
      retrieved_at_max: record.inventory_retrieved_at_max,
      retrieval_policy_id: record.retrieval_policy_id,
      meets_retrieval_policy: record.meets_retrieval_policy,
      upstream_age_known: record.upstream_age_known,
      last_refresh_attempt: attempted_at === null || status === null ? null : { attempted_at, status },
      ...(record.reported_quantity !== undefined && { reported_quantity: record.reported_quantity }),
    },
  };
}

function recordedPrice(record: ProductRecord): ProductDetail['price'] {
  const { price_amount_minor, price_currency, price_display, price_source } = record;
  const { price_source_updated_at, price_retrieved_at, price_published_at } = record;
  if (price_amount_minor === null || price_currency === null || price_display === null || price_source === null)
    return null;
  if (price_retrieved_at === null || price_published_at === null) return null;
  return {
    ...{ amount_minor: price_amount_minor, currency: price_currency, display: price_display, source: price_source },
    times: {
      source_updated_at: price_source_updated_at,
      retrieved_at: price_retrieved_at,
      published_at: price_published_at,
    },
  };
}
