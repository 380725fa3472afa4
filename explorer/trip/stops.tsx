import type { StorePair } from '../../contract/schemas/product.ts';
import type { Comparison, ComparisonStrategy, StoreDetail } from '../../contract/schemas/store.ts';
import { distanceBetween } from '../map/projection.ts';
import { Instant } from '../parts/instant.tsx';
import { Failed } from '../parts/states.tsx';
import { countText, distanceText, priceText } from '../parts/text.ts';
import { fullName } from '../products/product-index.ts';
import { named, ProductLink } from '../products/product-link.tsx';
import { hrefFor } from '../site/router.ts';
import { useLoaded } from '../site/session.ts';
import type { Place } from '../stores/gazetteer.ts';
import { purchaseLimit } from '../stores/purchase.ts';
import { LimitTag } from '../stores/report-words.tsx';
import { addressLines } from '../stores/store-words.ts';
import { observationsByStore } from './reports-by-store.ts';
import type { SkuAvailability } from './use-comparison.ts';

type Plan = NonNullable<ComparisonStrategy['plan']>;
type Stop = Plan['stores'][number];
type Product = Comparison['data']['requested_products'][number];
/**
 * The stops of a plan, nearest first: where each is, what to get there, and what it all costs. This is the part that is
 * printed.
 */
export function Stops({
  plan,
  requested,
  products,
  place,
}: {
  readonly plan: Plan;
  readonly requested: readonly Product[];
  readonly products: readonly SkuAvailability[];
  readonly place: Place;
}) {
  const ids = plan.stores.map(({ store }) => store.id);
  const details = useLoaded(`details ${ids.join()}`, (site, signal) =>
    Promise.all(ids.map(async (id) => (await site.store.byId(id, { signal })).data)),
  );
  const productsOf = (ids: readonly string[]) => requested.filter(({ id }) => ids.includes(id));
  const reportOf = (product: string, store: string) => {
    const asked = products.find(({ availability }) => availability?.product.id === product)?.availability;
    return asked ? observationsByStore(asked).get(store) : undefined;
  };
  return (
    <>
      <h2>Stops</h2>
      <ol class="trip-stops">
        {plan.stores.map((stop, at) => (
          <li key={stop.store.id}>
            <h3>
              <span class="stop-number">{at + 1}</span> <a href={hrefFor('store', stop.store.id)}>{stop.store.name}</a>{' '}
              <span class="muted">{distanceText(stop.store.distance_m ?? 0)}</span>
            </h3>
            <StopFacts stop={stop} detail={details.value?.find(({ id }) => id === stop.store.id) ?? null} />
            <ul class="trip-products">
              {productsOf(stop.assigned_product_ids).map((product) => (
                <li key={product.id}>
                  <ProductLink product={named(product)} />{' '}
                  <span class="muted">
                    {[product.package_size.display, priceText(product.price?.amount_minor ?? null)]
                      .filter(Boolean)
                      .join(' · ')}
                  </span>
                  <Report observation={reportOf(product.id, stop.store.id)} stop={stop} />
                </li>
              ))}
            </ul>
            <AlsoThere
              products={productsOf(stop.covered_product_ids.filter((id) => !stop.assigned_product_ids.includes(id)))}
            />
          </li>
        ))}
      </ol>
      {details.state === 'failed' && <Failed error={details.error} />}
      <Sums plan={plan} products={productsOf(plan.covered_product_ids)} place={place} />
    </>
  );
}

/** Where a stop is, when it is open, and its phone number. `detail`: null while it is loading. */
function StopFacts({ stop: { store }, detail }: { readonly stop: Stop; readonly detail: StoreDetail | null }) {
  const { phone, contact_links: links } = store;
  return (
    <p>
      {addressLines(store).join(', ')}
      {links.geo_uri?.startsWith('geo:') && (
        <span class="on-screen">
          {' '}
          (<a href={links.geo_uri}>open in a map app</a>)
        </span>
      )}
      <br />
      {links.telephone_uri?.startsWith('tel:') ? (
        <a href={links.telephone_uri}>{phone ?? links.telephone_uri.slice(4)}</a>
      ) : (
        (phone ?? 'No phone number published')
      )}
      {detail !== null && (
        <span class="lines muted">
          {'\n'}
          {detail.regular_hours ?? 'No hours published'}
        </span>
      )}
    </p>
  );
}

/** What a store reported about a product, and when it was checked. */
function Report({
  observation,
  stop: { store },
}: {
  readonly observation: StorePair | undefined;
  readonly stop: Stop;
}) {
  if (observation === undefined) return null;
  const { reported_quantity: quantity, retrieved_at: asked, purchase_eligibility } = observation;
  const limit = purchaseLimit(purchase_eligibility, store);
  return (
    <div class="muted">
      {quantity === null ? 'Reported' : `${countText(quantity)} reported`}
      {asked !== null && (
        <>
          , checked <Instant at={asked} />
        </>
      )}{' '}
      {limit !== null && <LimitTag>{limit}</LimitTag>}
    </div>
  );
}

/** What a stop also reports, although the plan gets it at an earlier stop. */
function AlsoThere({ products }: { readonly products: readonly Product[] }) {
  if (products.length === 0) return null;
  return <p class="muted">Also reported here: {products.map(fullName).join('; ')}.</p>;
}

/** The price of one of each product, and the distance through all stops and back. */
function Sums({
  plan,
  products,
  place,
}: {
  readonly plan: Plan;
  readonly products: readonly Product[];
  readonly place: Place;
}) {
  const prices = products.flatMap(({ price }) => price?.amount_minor ?? []);
  const unpriced = products.filter(({ price }) => price === null);
  return (
    <ul class="trip-sums">
      {prices.length > 0 && (
        <li>
          <b>{priceText(prices.reduce((sum, price) => sum + price, 0))}</b>{' '}
          {prices.length === 1 ? 'for one' : `for one each of ${countText(prices.length)} products`}
          {unpriced.length > 0 && `, without ${unpriced.map(fullName).join('; ')}, which has no published price`}
        </li>
      )}
      <li>
        <b>{distanceText(roundTrip(plan, place))}</b> from {place.name} to{' '}
        {plan.stop_count === 1 ? 'the stop' : 'the stops in this order'} and back, in straight lines
      </li>
    </ul>
  );
}

/** Metres from a place through the stops of a plan and back. */
function roundTrip({ stores }: Plan, place: Place): number {
  const points = [place, ...stores.flatMap(({ store }) => store.location ?? []), place];
  return points.reduce((sum, point, at) => sum + distanceBetween(points[at - 1] ?? point, point), 0);
}
