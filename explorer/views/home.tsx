import type { ComponentChildren } from 'preact';
import { ActivityChart, countsWhere, type EventCounts, totalEvents } from '../changes/activity-chart.tsx';
import { LargestChanges } from '../changes/largest-changes.tsx';
import { WhenLoaded } from '../parts/states.tsx';
import { countText, dateText, instantText } from '../parts/text.ts';
import { ViewFrame } from '../parts/view-frame.tsx';
import { WarningList } from '../parts/warning-list.tsx';
import { SearchForm } from '../products/search-form.tsx';
import { hrefFor } from '../site/router.ts';
import { type Metadata, useLoaded, useSession } from '../site/session.ts';
import { hasStores, isStatewide } from '../site/site-profile.ts';

/** What this site is, how recent its data are, and what changed last. */
export function Home() {
  const { site, metadata } = useSession();
  const { about, counts } = metadata.data;
  const reported = hasStores()
    ? `, and which of ${countText(counts.stores)} stores report them`
    : isStatewide()
      ? ', and how many are reported'
      : '';
  const activity = useLoaded('activity', (site, signal) => site.activity({ signal }));
  return (
    <ViewFrame
      title={hasStores() ? 'Find a product, its price, and the stores that report it' : 'Find a product and its price'}
      isHome
      lead={`${countText(counts.listed_products)} products with their prices${reported}, as reported by ${about?.agency ?? 'the agency'}. ${coverageText(counts)}`}
      sources={[
        { label: 'Metadata', url: site.addressOf('metadata') },
        { label: 'Activity', url: site.addressOf('activity') },
        { label: 'Export manifest, with times of retrieval', url: site.addressOf('exports') },
      ]}
    >
      <SearchForm isLarge />
      <ul class="ways">
        <li>
          <a href={hrefFor('browse')}>All products</a> by price{hasStores() ? ', size and stores' : ' and size'}
        </li>
        {hasStores() && (
          <li>
            <a href={hrefFor('compare')}>Stores near a place</a> that report what you want
          </li>
        )}
        <li>
          <a href={hrefFor('changes')}>Prices that changed</a>, and what is new or gone
        </li>
        <li>
          <a href={hrefFor('data')}>Tables over time</a> to download
        </li>
        <li>
          <a href={hrefFor('watch')}>Products that you watch</a>
        </li>
      </ul>
      <Figures activity={activity.value?.publications ?? null} />
      <WarningList warnings={metadata.meta.warnings} />
      <h2>Latest changes</h2>
      <WhenLoaded loaded={activity} what="the latest changes">
        {(found) => (
          <>
            <LargestChanges activity={found} />
            <div class="columns">
              <ActivityChart
                title="Catalog changes"
                counts={found.publications}
                types={['price_changed', 'status_changed', 'product_presentation_changed', 'catalog_presence_changed']}
                file="catalog-changes"
              />
              {(hasStores() || isStatewide()) && (
                <ActivityChart
                  title="Changes in reported quantities"
                  counts={found.publications}
                  types={['store_inventory_changed', 'aggregate_inventory_changed']}
                  file="quantity-changes"
                />
              )}
            </div>
          </>
        )}
      </WhenLoaded>
    </ViewFrame>
  );
}

/** How many of all possible pairs of a product and a store were ever checked. */
function coverageText({
  inventory_pairs: asked,
  listed_products: products,
  stores,
}: Metadata['data']['counts']): string {
  const pairs = products * stores;
  if (!hasStores() || pairs === 0) return '';
  const share = Math.min(100, Math.round((asked / pairs) * 100));
  return share === 100
    ? ''
    : `Not every product was checked in every store: ${share} % of all pairs of a product and a store are known.`;
}

/**
 * What changed since the last publication that is at least 30 days old, or since the first, and when the agency was
 * last checked.
 */
function Figures({ activity }: { readonly activity: EventCounts | null }) {
  const { metadata } = useSession();
  const { publication, counts } = metadata.data;
  const { catalog, inventory } =
    useLoaded('manifest', (site, signal) => site.exports({ signal })).value?.meta.freshness ?? {};
  const since = new Date(Date.parse(publication.published_at) - 30 * 86_400_000).toISOString();
  // A change is found by comparing two publications, which may be months apart. In the first one everything is new,
  // which means nothing.
  const published = activity?.published_at ?? [];
  const before = published.findLast((at) => at < since) ?? published[0] ?? null;
  const isComparable = activity === null || published.length > 1;
  const period = before === null ? '…' : isComparable ? `since ${dateText(before)}` : 'with nothing to compare yet';
  const later = activity && countsWhere(activity, (at) => before !== null && at > before);
  const counted = (type: 'price_changed' | 'product_first_observed') =>
    later === null ? '…' : isComparable ? countText(totalEvents(later, [type])) : '–';
  const newest = inventory?.retrieved_at_max ?? null;
  const gone = counts.products - counts.listed_products;
  const begin = activity?.publication[0] === 1 ? (published[0] ?? null) : null;
  return (
    <ul class="cards">
      <Figure value={counted('price_changed')} to={hrefFor('changes', '', { types: 'price_changed', after: before })}>
        {counted('price_changed') === '1' ? 'price' : 'prices'} changed {period}
      </Figure>
      <Figure
        value={counted('product_first_observed')}
        to={hrefFor('changes', '', { types: 'product_first_observed', after: before })}
      >
        {counted('product_first_observed') === '1' ? 'product' : 'products'} seen for the first time {period}
      </Figure>
      <Figure
        value={countText(gone)}
        to={hrefFor('changes', '', { types: 'catalog_presence_changed', presence: 'gone' })}
      >
        {gone === 1 ? 'product' : 'products'} gone from the catalog since{' '}
        {begin === null ? 'the first publication' : dateText(begin)}
      </Figure>
      <Figure value={catalog ? dateText(catalog.retrieved_at) : '…'} to={hrefFor('data')}>
        catalog and prices retrieved
        {newest !== null && `; ${hasStores() ? 'stores' : 'stock'} last checked ${instantText(newest)}`}
      </Figure>
    </ul>
  );
}

function Figure({
  value,
  to,
  children,
}: {
  readonly value: string;
  readonly to: string;
  readonly children: ComponentChildren;
}) {
  return (
    <li class="card">
      <b>
        <a href={to}>{value}</a>
      </b>{' '}
      {children}
    </li>
  );
}
