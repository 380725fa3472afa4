import { useMemo } from 'preact/hooks';
import type { SearchHit } from '../../contract/schemas/search.ts';
import { DataTable } from '../parts/data-table.tsx';
import { Share } from '../parts/share.tsx';
import { Failed } from '../parts/states.tsx';
import type { Column } from '../parts/table-columns.ts';
import { Tabs } from '../parts/tabs.tsx';
import { countNoun, dateText, priceText } from '../parts/text.ts';
import { UnusedParts, unusedCodes } from '../parts/unused-parts.tsx';
import { ViewFrame } from '../parts/view-frame.tsx';
import { suggestQuery } from '../products/did-you-mean.ts';
import { type GoneProduct, useGoneProducts } from '../products/gone-products.ts';
import { type NamedThing, useNamedThings } from '../products/named-things.ts';
import { productColumns } from '../products/product-columns.tsx';
import { fullName, type ProductIndex, useProductIndex } from '../products/product-index.ts';
import { ProductLink } from '../products/product-link.tsx';
import { useAddressQuery } from '../site/address-query.ts';
import { hrefFor, type ViewProps } from '../site/router.ts';
import { useLoaded, useSession } from '../site/session.ts';
import { hasStores, majorAmount } from '../site/site-profile.ts';

/** The kinds of results by name in the address, as plural and singular. */
const kinds = {
  product: ['Products', 'Product'],
  category: ['Categories', 'Category'],
  product_family: ['Families', 'Family'],
  brand: ['Brands', 'Brand'],
  store: ['Stores', 'Store'],
} as const;
type Kind = keyof typeof kinds;
const kindNames = Object.keys(kinds) as Kind[];

/** The most families in one answer. */
const mostFamilies = 100;

/** Products, categories, families, brands and stores by words of their names, one kind at a time. */
export function Search({ query }: ViewProps) {
  const { site } = useSession();
  const [fields, change] = useAddressQuery('search', ['q', 'kinds'], query);
  const text = fields.q.trim();
  // The address is updated after a pause, so that the API is only asked for what the reader meant to type.
  const q = (query.get('q') ?? '').trim();
  const asked = query.get('kinds') ?? '';
  const index = useProductIndex();
  const things = useNamedThings(index.value);
  const families = useLoaded(index.value && q !== '' ? `families ${q}` : null, (site, signal) =>
    site.search({ q, kinds: ['product_family'], limit: mostFamilies }, { signal }),
  );
  const host = useLoaded('computes', (site, signal) => site.computes({ signal }));
  const products = useMemo(() => (text === '' ? [] : (index.value?.find(text) ?? [])), [index.value, things, text]);
  const gone = useGoneProducts(index.value !== null && text !== '');
  const left = useMemo(() => gone.value?.find(text) ?? [], [gone.value, text]);
  const named = (kind: 'category' | 'brand' | 'store') => things?.find(kind, text) ?? null;
  const found = {
    category: useMemo(() => named('category'), [things, text]),
    brand: useMemo(() => named('brand'), [things, text]),
    store: useMemo(() => named('store'), [things, text]),
    product_family: useMemo(() => families.value?.data.map(familyThing) ?? null, [families.value]),
  };
  const counts: Readonly<Record<Kind, number | null>> = {
    product: index.value && gone.state !== 'loading' ? products.length + left.length : null,
    category: found.category?.length ?? null,
    product_family: families.value?.meta.total ?? null,
    brand: found.brand?.length ?? null,
    store: found.store?.length ?? null,
  };
  const kind = kindNames.find((kind) => asked.split(',').includes(kind)) ?? firstFound(counts);
  const isNothing = Object.values(counts).every((count) => count === 0);
  return (
    <ViewFrame
      title="Search"
      share={<Share />}
      sources={[
        { label: 'Every listed product', url: site.addressOf('browse') },
        ...(q !== '' && host.value
          ? [{ label: 'Search in the API', url: site.addressOf('search', {}, { q, limit: 100 }) }]
          : []),
      ]}
    >
      <search class="controls">
        <label class="search-words">
          Name or SKU
          <input
            type="search"
            value={fields.q}
            maxLength={200}
            onInput={(event) => change({ q: event.currentTarget.value })}
          />
        </label>
      </search>
      <UnusedParts parts={unusedCodes('kinds', asked, kindNames, `some of ${kindNames.join(', ')}`)} />
      {text !== '' && (
        <Tabs
          label="Kinds of results"
          tabs={kindNames
            .filter((kind) => hasStores() || kind !== 'store')
            .map((one) => ({
              label: kinds[one][0],
              href: hrefFor('search', '', { q: text, kinds: one }),
              isCurrent: one === kind,
              count: counts[one],
            }))}
        />
      )}
      <p class={text !== '' && counts[kind] === null ? 'muted loading' : 'muted'} role="status">
        {text === ''
          ? 'Type words in any order, or the beginnings of words.'
          : counts[kind] === null
            ? 'Searching…'
            : foundText(counts[kind], kind)}
      </p>
      {index.state === 'failed' && <Failed error={index.error} />}
      {kind === 'product_family' && families.state === 'failed' && <Failed error={families.error} />}
      {isNothing && index.value && <DidYouMean q={text} index={index.value} />}
      {kind === 'product' && index.value && products.length > 0 && (
        <FoundProducts index={index.value} products={products} />
      )}
      {kind === 'product' && left.length > 0 && <FoundGone products={left} isAlone={products.length === 0} />}
      {kind === 'product' && gone.state === 'failed' && <Failed error={gone.error} />}
      {kind !== 'product' && (found[kind]?.length ?? 0) > 0 && <FoundThings kind={kind} things={found[kind] ?? []} />}
    </ViewFrame>
  );
}

/** The first kind with results; products, until it is known that there are none. */
function firstFound(counts: Readonly<Record<Kind, number | null>>): Kind {
  return counts.product === 0 ? (kindNames.find((kind) => (counts[kind] ?? 0) > 0) ?? 'product') : 'product';
}

/** Screen readers hear how many results there are; others see it on the tab. */
function foundText(count: number, kind: Kind) {
  if (count === 0) return 'No results.';
  if (kind === 'product_family' && count > mostFamilies) return `Showing the best ${mostFamilies} families.`;
  return <span class="visually-hidden">{countNoun(count, 'result')}</span>;
}

function familyThing(hit: SearchHit): NamedThing {
  return { id: hit.id, name: fullName(hit), note: '', href: hrefFor('family', hit.id) };
}

function DidYouMean({ q, index }: { readonly q: string; readonly index: ProductIndex }) {
  const suggestion = suggestQuery(q, index);
  if (suggestion === null) return null;
  return (
    <p>
      Did you mean <a href={hrefFor('search', '', { q: suggestion })}>{suggestion}</a>?
    </p>
  );
}

/** The products found, in the usual columns. */
function FoundProducts({ index, products }: { readonly index: ProductIndex; readonly products: readonly number[] }) {
  const columns = useMemo(() => productColumns(index), [index]);
  return (
    <DataTable
      caption="Results"
      columns={columns}
      rows={products}
      file="search-results"
      isCounted={false}
      change="typed"
      rowKey={(product) => index.sku(product)}
    />
  );
}

/** The products found among those that left the catalog. */
function FoundGone({ products, isAlone }: { readonly products: readonly GoneProduct[]; readonly isAlone: boolean }) {
  return (
    <>
      <h2>Left the catalog</h2>
      {isAlone && <p>No product in the catalog matches, but {products.length === 1 ? 'one' : 'some'} that left it.</p>}
      <DataTable
        caption="Products that left the catalog"
        columns={goneColumns}
        rows={products}
        file="products-that-left"
        change="typed"
        rowKey={({ sku }) => sku}
      />
    </>
  );
}

const goneColumns: readonly Column<GoneProduct>[] = [
  {
    label: 'Product',
    value: ({ name }) => name,
    show: ({ sku, name }) => (
      <>
        <ProductLink product={{ sku, brand: null, name }} /> <span class="tag">left the catalog</span>
      </>
    ),
  },
  { label: 'Size', value: ({ size }) => size },
  {
    label: 'Last price',
    value: ({ price }) => (price === null ? null : majorAmount(price)),
    show: ({ price }) => priceText(price),
    isNumber: true,
    isAmount: true,
  },
  {
    label: 'Last listed',
    unit: 'UTC',
    value: ({ lastListed }) => lastListed,
    show: ({ lastListed }) => dateText(lastListed),
  },
  { label: 'SKU', value: ({ sku }) => sku, isMinor: true },
];

function FoundThings({ kind, things }: { readonly kind: Kind; readonly things: readonly NamedThing[] }) {
  return (
    <DataTable
      caption="Results"
      columns={[
        { label: kinds[kind][1], value: ({ name }) => name, show: ({ href, name }) => <a href={href}>{name}</a> },
        { label: kind === 'store' ? 'City' : 'Products', value: ({ note }) => note || null, isOptional: true },
      ]}
      rows={things}
      file="search-results"
      isCounted={false}
      rowKey={({ id }) => id}
    />
  );
}
