import { useMemo } from 'preact/hooks';
import { ProblemError, type Site } from '../../client/open-site.ts';
import { Chart } from '../parts/chart.tsx';
import { Switch } from '../parts/choice.tsx';
import { Moved, priceMove } from '../parts/moved.tsx';
import { Share } from '../parts/share.tsx';
import { WhenLoaded } from '../parts/states.tsx';
import { countNoun, dateText, priceText } from '../parts/text.ts';
import { UnusedParts } from '../parts/unused-parts.tsx';
import { ViewFrame } from '../parts/view-frame.tsx';
import { type AskedPrices, formatAsked, parseAsked, unusedPriceParts } from '../products/asked-prices.ts';
import { ChosenProducts } from '../products/chosen-products.tsx';
import { type PriceChart, type PricedProduct, type PriceLine, priceChart } from '../products/price-lines.ts';
import { mostPrices } from '../products/prices-link.tsx';
import { useProductIndex } from '../products/product-index.ts';
import { named, ProductLink } from '../products/product-link.tsx';
import { hrefFor, parseHash, replaceQuery, type ViewProps } from '../site/router.ts';
import { type Loaded, useKept, useLoaded, useSession } from '../site/session.ts';

/** The prices of some products over time, side by side. Everything shown is in the address. */
export function Prices({ query }: ViewProps) {
  const { site, metadata } = useSession();
  const asked = parseAsked(query);
  const products = usePrices(asked.skus);
  const { published_at } = metadata.data.publication;
  // If two SKUs name the same product, the first one counts.
  const found = useMemo(() => distinctProducts(products.value ?? [], asked.skus), [products.value, asked.skus.join()]);
  const chart = useMemo(
    () => priceChart(found, asked, published_at),
    [found, asked.scale, asked.unit, asked.range, published_at],
  );
  // The address is ahead of what is drawn: two changes may come before the view is drawn again.
  const change = (changed: Partial<AskedPrices>) =>
    replaceQuery(formatAsked({ ...parseAsked(parseHash(location.hash).query), ...changed }));
  return (
    <ViewFrame
      title="Prices side by side"
      lead="The price of each product as the agency reported it, from one retrieval of its catalog to the next. A price holds until another one is reported."
      share={<Share />}
      sources={found.map(({ detail }) => ({
        label: `${detail.name} over time`,
        url: site.addressOf('product_series', { product_id: detail.id }),
      }))}
    >
      <UnusedParts parts={unusedPriceParts(query)} />
      {asked.skus.length === 0 && <ExampleChart />}
      {asked.skus.length > 0 && (
        <>
          <div class="switches">
            <Switch
              label="Range"
              options={{ '3m': '3 months', '1y': '1 year', all: 'All' }}
              value={asked.range}
              onChange={(range) => change({ range })}
            />
            <Switch
              label="Price"
              options={{ package: 'Per package', litre: 'Per litre' }}
              value={asked.unit}
              onChange={(unit) => change({ unit })}
            />
            <Switch
              label="Show"
              options={{ absolute: 'Amounts', relative: 'Change in percent' }}
              value={asked.scale}
              onChange={(scale) => change({ scale })}
            />
          </div>
          <WhenLoaded loaded={products} what="the prices">
            {() => <Drawn chart={chart} asked={asked} />}
          </WhenLoaded>
        </>
      )}
      <ChosenProducts
        title="Products"
        what="A chart"
        skus={asked.skus}
        most={mostPrices}
        show={(sku) => <ListedProduct sku={sku} products={products.value ?? []} chart={chart} asked={asked} />}
        onChange={(skus) => change({ skus })}
      />
    </ViewFrame>
  );
}

function distinctProducts(products: readonly SkuPrices[], skus: readonly string[]): PricedProduct[] {
  const found = products.flatMap(({ sku, priced }) => (priced && skus.includes(sku) ? [priced] : []));
  return found.filter(({ detail }, index) => found.findIndex((other) => other.detail.id === detail.id) === index);
}

/** An example: the products reported by the most stores. */
function ExampleChart() {
  const index = useProductIndex().value;
  if (index === null || index.byStores.length < 2) return null;
  const products = [...index.byStores.slice(0, 3)];
  return (
    <p class="example">
      Add products, or{' '}
      <a class="button" href={hrefFor('prices', '', { skus: products.map((product) => index.sku(product)).join() })}>
        Try an example
      </a>{' '}
      <span class="muted">{products.map((product) => index.name(product)).join(', ')}</span>
    </p>
  );
}

function Drawn({ chart, asked }: { readonly chart: PriceChart; readonly asked: AskedPrices }) {
  const { plot, base, lines, withoutSize, withoutPrice } = chart;
  const amount = asked.unit === 'litre' ? 'price per litre' : 'price';
  const title = asked.unit === 'litre' ? 'Prices per litre' : 'Prices';
  const start = plot === null ? '' : dateText(new Date((plot.range?.[0] ?? 0) * 1000).toISOString());
  const summary =
    base === null
      ? `${countNoun(lines.length, 'product')} since ${start}.`
      : `${countNoun(lines.length, 'product')}, each compared with its ${amount} on ${start}, the first day on which all have one.`;
  return (
    <>
      {withoutSize.length > 0 && (
        <p class="note" role="status">
          No price per litre, because the size of the whole package is not known: {withoutSize.join('; ')}.
        </p>
      )}
      {withoutPrice.length > 0 && (
        <p class="note" role="status">
          No price was observed in this range for {withoutPrice.join('; ')}.
        </p>
      )}
      {asked.scale === 'relative' && base === null && lines.length > 0 && (
        <p class="note" role="status">
          On no day in this range do all of these products have a price, so amounts are shown.
        </p>
      )}
      {plot && <Chart title={title} summary={summary} plot={plot} positionLabel="As of" file="prices" />}
    </>
  );
}

/** A product of the list: the style of its line, its current price, and the change since the start of the chart. */
function ListedProduct({
  sku,
  products,
  chart,
  asked,
}: {
  readonly sku: string;
  readonly products: readonly SkuPrices[];
  readonly chart: PriceChart;
  readonly asked: AskedPrices;
}) {
  const product = products.find((product) => product.sku === sku);
  if (product === undefined) return <span class="muted">{sku}</span>;
  if (product.priced === null) return <span class="bad">{sku}: no published product has this SKU</span>;
  const { detail } = product.priced;
  const current = detail.source_ids.agency_sku;
  const first = products.find(({ priced }) => priced?.detail.id === detail.id);
  const line = chart.lines.find((line) => line.sku === current);
  return (
    <span class="priced">
      {line && first === product && <LineMark line={line} />}
      <span>
        <ProductLink product={named(detail)} />{' '}
        <span class="muted">{detail.package_size.display ?? 'size unknown'}</span>
        {first !== product && (
          <span class="bad">
            {' '}
            {sku} is the same product as {first?.sku}
          </span>
        )}
        {line && first === product && <PriceNow line={line} asked={asked} />}
        {detail.catalog_presence === 'absent' && line === undefined && <span class="muted"> Left the catalog</span>}
      </span>
    </span>
  );
}

function PriceNow({
  line: { last, first, goneSince },
  asked,
}: {
  readonly line: PriceLine;
  readonly asked: AskedPrices;
}) {
  const since = dateText(first?.at ?? '');
  const move = priceMove(first?.amount ?? null, last);
  return (
    <span class="price-now">
      <b>{priceText(last)}</b> {asked.unit === 'litre' && 'per litre '}
      {goneSince === null ? 'now' : 'at last'}
      {last !== null &&
        first !== null &&
        (move === null ? (
          `, the same as on ${since}`
        ) : (
          <>
            , <Moved move={move} /> since {since}
          </>
        ))}
      {goneSince !== null && `; left the catalog by ${dateText(goneSince)}`}
    </span>
  );
}

/** A product requested by SKU. `priced` null: no published product has this SKU. */
type SkuPrices = { readonly sku: string; readonly priced: PricedProduct | null };

/** The products with these SKUs and their prices over time. */
function usePrices(skus: readonly string[]): Loaded<readonly SkuPrices[]> {
  return useKept(
    useLoaded(`prices ${skus.join()}`, (site, signal) =>
      Promise.all(skus.map((sku) => pricedProduct(site, sku, signal))),
    ),
  );
}

async function pricedProduct(site: Site, sku: string, signal: AbortSignal): Promise<SkuPrices> {
  try {
    const { data } = await site.product.bySku(sku, { signal });
    return { sku, priced: { detail: data, series: await site.product.series(data.id, { signal }) } };
  } catch (error) {
    if (error instanceof ProblemError && error.status === 404) return { sku, priced: null };
    throw error;
  }
}

/** The style of a line in the chart, with the letter at its end. */
function LineMark({ line: { mark, paint, dash } }: { readonly line: PriceLine }) {
  return (
    <span class="line-mark">
      <b style={{ color: `var(${paint})` }}>{mark}</b>
      <svg aria-hidden="true" width="40" height="8" viewBox="0 0 40 8">
        <path d="M0 4H40" stroke={`var(${paint})`} stroke-width="2.5" stroke-dasharray={dash.join(' ')} fill="none" />
      </svg>
    </span>
  );
}
