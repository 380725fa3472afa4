import { useMemo } from 'preact/hooks';
import type { BrandDocument } from '../../../client/documents.ts';
import type { BrowseIndex } from '../../../generator/contract/documents/search.ts';
import { placeOf, type ViewProps } from '../app/router.ts';
import { useLoaded, useSession } from '../app/session.ts';
import { categoryPath } from '../components/category-path.ts';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Page } from '../components/page.tsx';
import { WhenLoaded } from '../components/states.tsx';
import { countText, instantText, priceText } from '../components/text.ts';
import { WarningList } from '../components/warning-list.tsx';

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
      <WhenLoaded loaded={loaded} what="the brand">
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
  const { data: brand, meta } = document;
  const categories = useLoaded('categories', (site, signal) => site.categories({ signal }));
  const index = useLoaded('browse', (site, signal) => site.browse({ signal }));
  return (
    <>
      <ul class="cards">
        <li class="card">
          <b>{countText(brand.product_count)}</b> {brand.product_count === 1 ? 'product listed' : 'products listed'}
        </li>
        <li class="card">
          <b>{countText(brand.family_count)}</b> {brand.family_count === 1 ? 'family' : 'families'}
        </li>
      </ul>
      <WarningList of={meta.warnings} />
      <dl class="facts">
        <dt>Categories</dt>
        <dd>{brand.category_ids.map((id) => categoryPath(categories.value?.data ?? [], id)).join('; ') || 'None'}</dd>
        <dt>Inventory</dt>
        <dd>
          {brand.inventory_retrieved_at === null
            ? 'Never retrieved'
            : `Last retrieved ${instantText(brand.inventory_retrieved_at)}`}
        </dd>
      </dl>
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
      <h2>Products</h2>
      <WhenLoaded loaded={index} what="the products">
        {(found) => <Products index={found} slug={brand.slug} />}
      </WhenLoaded>
      <p>
        <a href={placeOf('browse', '', { brand: brand.slug })}>Filter and compare these products</a>
      </p>
    </>
  );
}

/** The listed products of the brand, from the index of all. A row is a position in the index. */
function Products({ index, slug }: { readonly index: BrowseIndex; readonly slug: string }) {
  const { columns: of, brands, statuses } = index;
  const rows = useMemo(() => {
    const brand = brands.findIndex((entry) => entry.slug === slug);
    return of.sku.flatMap((_, product) => (of.brand[product] === brand ? [product] : []));
  }, [index, slug]);
  const columns: readonly Column<number>[] = [
    {
      label: 'Product',
      value: (product) => of.name[product] ?? null,
      show: (product) => <a href={placeOf('product', of.sku[product])}>{of.name[product]}</a>,
    },
    { label: 'SKU', value: (product) => of.sku[product] ?? null },
    {
      label: 'mL',
      value: (product) => of.milliliters[product] ?? null,
      show: (product) => {
        const containers = of.container_count[product] ?? 1;
        const size = of.milliliters[product] ?? null;
        return size === null ? '–' : `${countText(size)}${containers > 1 ? `, ${containers} containers` : ''}`;
      },
      isNumber: true,
    },
    {
      label: 'Price, $',
      value: (product) => ((of.price_minor[product] ?? null) === null ? null : (of.price_minor[product] ?? 0) / 100),
      show: (product) => priceText(of.price_minor[product] ?? null),
      isNumber: true,
    },
    { label: 'Status', value: (product) => statuses[of.status[product] ?? -1]?.label ?? null },
    {
      label: 'Stores that report it',
      value: (product) => of.reported_positive_store_count[product] ?? null,
      isNumber: true,
    },
    {
      label: 'Reported quantity',
      value: (product) => of.reported_quantity[product] ?? null,
      isNumber: true,
    },
  ];
  return (
    <DataTable
      caption="Listed products of the brand"
      file={`${slug}-products`}
      columns={columns}
      rows={rows}
      keyOf={(row) => row}
    />
  );
}
