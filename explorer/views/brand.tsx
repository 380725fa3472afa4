import { useMemo } from 'preact/hooks';
import type { BrandDocument } from '../../client/documents.ts';
import { WatchButton } from '../changes/watch-button.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { FeedLink } from '../parts/links.tsx';
import { Share } from '../parts/share.tsx';
import { WhenLoaded } from '../parts/states.tsx';
import type { Column } from '../parts/table-columns.ts';
import { Tabs } from '../parts/tabs.tsx';
import { capital, instantText, words } from '../parts/text.ts';
import { ViewFrame } from '../parts/view-frame.tsx';
import { WarningList } from '../parts/warning-list.tsx';
import { CategoryFacts } from '../products/categories.tsx';
import { PricesLink } from '../products/prices-link.tsx';
import { productColumns } from '../products/product-columns.tsx';
import { type ProductIndex, useProductIndex } from '../products/product-index.ts';
import { codeParameter, codesIn } from '../site/address-query.ts';
import { hrefFor, type ViewProps } from '../site/router.ts';
import { useLoaded, useSession } from '../site/session.ts';
import { agencyLanguage } from '../site/site-profile.ts';

type FamilyEntry = BrandDocument['data']['families'][number];

/** A reviewed brand with its families and products. `argument`: its slug or id. */
export function Brand({ argument, query }: ViewProps) {
  const { site } = useSession();
  const loaded = useLoaded(argument, (site, signal) =>
    /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(argument)
      ? site.brand.byId(argument, { signal })
      : site.brand.bySlug(argument, { signal }),
  );
  const brand = loaded.value?.data;
  return (
    <ViewFrame
      title={brand?.name ?? 'Brand'}
      language={brand && agencyLanguage()}
      lead={brand && brand.aliases.length > 0 && `Also called ${brand.aliases.join(', ')}.`}
      share={brand && <Share />}
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
            There is no brand with this name or id. <a href={hrefFor('browse')}>All products</a>
          </p>
        }
      >
        {(document) => <BrandContent document={document} status={query.get('status') ?? ''} />}
      </WhenLoaded>
    </ViewFrame>
  );
}

const familyColumns: readonly Column<FamilyEntry>[] = [
  { label: 'Family', value: ({ name }) => name, show: ({ id, name }) => <a href={hrefFor('family', id)}>{name}</a> },
  { label: 'Members', value: ({ member_count }) => member_count, isNumber: true },
];

function BrandContent({ document, status }: { readonly document: BrandDocument; readonly status: string }) {
  const { site } = useSession();
  const { data: brand, meta } = document;
  const index = useProductIndex();
  return (
    <>
      <div class="controls">
        <WatchButton kind="brands" code={brand.slug} />
        {brand.product_count > 0 && (
          <FeedLink url={site.addressOf('brand_feed', { brand_id: brand.id })} about={brand.name} />
        )}
      </div>
      <WarningList warnings={meta.warnings} />
      <h2>Products</h2>
      <WhenLoaded loaded={index} what="the products">
        {(found) => <BrandProducts index={found} slug={brand.slug} status={status} />}
      </WhenLoaded>
      <p>
        <a href={hrefFor('browse', '', { brand: brand.slug, status })}>Filter and compare these products</a>
      </p>
      {brand.families.length > 0 && (
        <>
          <h2>Families</h2>
          <DataTable
            caption="Families of the brand"
            file={`${brand.slug}-families`}
            columns={familyColumns}
            rows={brand.families}
            rowKey={({ id }) => id}
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

/** The listed products of the brand, those reported by the most stores first: all, or those with some statuses. */
function BrandProducts({
  index,
  slug,
  status,
}: {
  readonly index: ProductIndex;
  readonly slug: string;
  readonly status: string;
}) {
  const all = useMemo(
    () => [...index.byStores].filter((product) => index.brand(product)?.slug === slug),
    [index, slug],
  );
  const tabs = useMemo(() => productLifecycles(index, all), [index, all]);
  const wanted = codesIn(status);
  const rows = useMemo(
    () => (status === '' ? all : all.filter((product) => wanted.includes(index.status(product)?.code ?? ''))),
    [index, all, status],
  );
  const columns = useMemo(() => productColumns(index), [index]);
  return (
    <>
      {(tabs.length > 1 || status !== '') && (
        <Tabs
          label="Products by status"
          tabs={[
            { label: 'All', href: hrefFor('brand', slug), isCurrent: status === '', count: all.length },
            ...tabs.map(({ lifecycle, codes, count }) => ({
              label: capital(words(lifecycle)),
              href: hrefFor('brand', slug, { status: codeParameter(codes) }),
              isCurrent: isSameSet(codes, wanted),
              count,
            })),
          ]}
        />
      )}
      <DataTable
        caption="Listed products of the brand"
        file={`${slug}-products`}
        columns={columns}
        rows={rows}
        rowKey={(row) => row}
      />
      <PricesLink skus={rows.map((product) => index.sku(product))} />
    </>
  );
}

/**
 * The lifecycles of products, most frequent first. An agency may have several statuses for a lifecycle, such as two
 * kinds of discontinued.
 */
function productLifecycles(index: ProductIndex, products: readonly number[]) {
  const found = new Map<string, { readonly codes: Set<string>; count: number }>();
  for (const product of products) {
    const status = index.status(product);
    if (status === null) continue;
    const one = found.get(status.lifecycle) ?? { codes: new Set(), count: 0 };
    one.codes.add(status.code);
    one.count += 1;
    found.set(status.lifecycle, one);
  }
  return [...found]
    .map(([lifecycle, { codes, count }]) => ({ lifecycle, codes: [...codes].sort(), count }))
    .sort((a, b) => b.count - a.count || (a.lifecycle < b.lifecycle ? -1 : 1));
}

function isSameSet(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one) => others.includes(one));
}
