import type { Site } from '../../client/open-site.ts';
import { establishedMilliliters, perLitre } from '../../contract/per-litre.ts';
import type { ProductDetail } from '../../contract/schemas/product.ts';
import { Instant } from '../parts/instant.tsx';
import { LaterDetails } from '../parts/later.tsx';
import { ProofCheck } from '../parts/proof-check.tsx';
import { countNoun, countText, dateText, distanceText, instantText, priceText } from '../parts/text.ts';
import { hrefFor } from '../site/router.ts';
import { useSession } from '../site/session.ts';
import { hasStores, isStatewide } from '../site/site-profile.ts';
import type { Place } from '../stores/gazetteer.ts';
import { PlaceField } from '../stores/place-field.tsx';
import { limitCounts } from '../stores/purchase.ts';
import { checkedStores, reportText } from '../stores/report-words.tsx';
import type { Near } from '../stores/use-near.ts';
import { isForEveryone, type StoreRow } from './store-rows.ts';

/** How far from a place a store counts as near. */
const nearby = { metres: 25_000, text: '25 km (16 mi)' };
const mostListed = 3;

/** What most readers come for, in a few lines: the price, and the nearest stores that report the product. */
export function ProductAnswer({
  product,
  rows,
  near,
  isOfNewest = true,
}: {
  readonly product: ProductDetail;
  /** The product's stores in order; null while they are loading, or if there are none. */
  readonly rows: readonly StoreRow[] | null;
  readonly near: Near;
  /** Whether the product comes from the site's own documents, whose bytes can be verified. */
  readonly isOfNewest?: boolean;
}) {
  const { site } = useSession();
  const { price, package_size: size } = product;
  const litre = perLitre(price?.amount_minor ?? null, establishedMilliliters(size));
  const isGone = product.catalog_presence === 'absent';
  const nearest = near.place && nearestReports(rows ?? []);
  return (
    <section class="product-answer" aria-label="Price and stores">
      <p class="answer">
        <b class="price">{priceText(price?.amount_minor ?? null)}</b>
        <span class="muted">
          {litre !== null && ` ${priceText(litre)} per litre`}
          {price && ` · ${isGone ? 'last price, of' : 'price as of'} ${dateText(price.times.retrieved_at)}`}
        </span>
      </p>
      <p class="answer">{whereText(product, rows, near)}</p>
      {nearest && nearest.length > 0 && (
        <ol class="nearest">
          {nearest.map(({ store_id, name, distance, reported_quantity, limit }) => (
            <li key={store_id}>
              <a href={hrefFor('store', store_id)}>{name}</a>,{' '}
              {distance === null ? 'location unknown' : distanceText(distance)}:{' '}
              <b>{countNoun(reported_quantity ?? 0, 'unit')}</b>
              {limit !== null && <span class="muted"> {limit}</span>}
            </li>
          ))}
        </ol>
      )}
      {rows !== null && <PlaceField near={near} />}
      <Asked product={product} />
      {isOfNewest && <Receipts origins={numberOrigins(product, site)} />}
    </section>
  );
}

/** The nearest stores that report the product: where everyone may buy it, or else any. */
function nearestReports(rows: readonly StoreRow[]): readonly StoreRow[] {
  const open = rows.filter(isForEveryone);
  const listed = open.length > 0 ? open : rows.filter(({ state }) => state === 'reported_positive');
  return listed.slice(0, mostListed);
}

/** Where the price and the reports come from. */
function numberOrigins({ id, price, inventory_retrieved_at: retrieved }: ProductDetail, site: Site): Origin[] {
  const parameters = { product_id: id };
  return [
    {
      ...{ label: 'Price', url: site.addressOf('product', parameters) },
      updated: price?.times.source_updated_at ?? null,
      retrieved: price?.times.retrieved_at ?? null,
      published: price?.times.published_at ?? null,
    },
    ...(hasStores() && retrieved !== null
      ? [
          {
            ...{ label: 'Stores and quantities', url: site.addressOf('product_availability', parameters) },
            ...{ updated: null, retrieved, published: null },
          },
        ]
      : []),
  ];
}

/** Where the product is reported, in a sentence. */
function whereText(product: ProductDetail, rows: readonly StoreRow[] | null, { place }: Near): string {
  const { availability_summary: summary, inventory_retrieved_at: retrieved } = product;
  if (isStatewide()) {
    const quantity = summary.reported_quantity ?? null;
    return retrieved === null || quantity === null
      ? 'The stock of this product was never checked.'
      : `${countNoun(quantity, 'unit')} reported statewide.`;
  }
  if (!hasStores()) return '';
  if (retrieved === null)
    return 'This product was never checked in any store, so it is not known which stores report it.';
  const { eligible_positive_store_count: eligible, reported_positive_store_count: reported } = summary;
  const { unchecked_store_count: unchecked } = summary;
  const said = reportText(reported, checkedStores(summary));
  const others = unchecked === 0 ? '' : ` ${countNoun(unchecked, 'other store was', 'other stores were')} not checked.`;
  if (reported === 0) return `${said}.${others}`;
  if (eligible === 0) {
    const why = limitCounts((rows ?? []).map(({ limit }) => limit));
    return `${said}, but not everyone may buy it there${why === '' ? '' : ` (${why})`}.${others}${place === null ? '' : ' The nearest:'}`;
  }
  if (place !== null && rows !== null) return nearText(rows, place);
  const limited = reported - eligible;
  return `${said}.${limited > 0 ? ` Not everyone may buy it in ${countText(limited)} of them.` : ''}${others}`;
}

/** How many of the checked stores near a place report the product for everyone to buy. */
function nearText(rows: readonly StoreRow[], place: Place): string {
  const within = rows.filter(({ distance }) => (distance ?? Infinity) <= nearby.metres);
  const here = `within ${nearby.text} of ${place.name}`;
  const checked = within.filter(({ state }) => state !== 'unchecked').length;
  if (within.length === 0) return `There is no store ${here}. The nearest that report it:`;
  if (checked === 0)
    return `None of the ${countNoun(within.length, 'store')} ${here} was checked. The nearest that report it:`;
  const count = within.filter(isForEveryone).length;
  const others = within.length === checked ? '' : `; ${countText(within.length - checked)} more there not checked`;
  if (count === 0)
    return `None of ${countNoun(checked, 'checked store')} ${here} reports it for everyone to buy${others}. The nearest:`;
  const verb = count === 1 ? 'reports' : 'report';
  return `${countText(count)} of ${countNoun(checked, 'checked store')} ${here} ${verb} it${others}.`;
}

/** When the stores were checked, and what a report means. */
function Asked({ product }: { readonly product: ProductDetail }) {
  const { metadata } = useSession();
  const { inventory_retrieved_at: retrieved, availability_summary: summary } = product;
  const hours = Math.round(metadata.data.retrieval_policy.max_age_seconds / 3600);
  if (retrieved === null || !(hasStores() || isStatewide())) return null;
  return (
    <p class={summary.meets_retrieval_policy ? 'muted' : 'note'}>
      Checked {instantText(retrieved)}
      {!summary.meets_retrieval_policy && `, more than ${hours} hours before the publication`}. A quantity is what was
      reported then, not a promise that the product is there now.
    </p>
  );
}

/** Where a number comes from. Null means that a time is not known. */
type Origin = {
  /** What the number is, such as `Price`. */
  readonly label: string;
  /** When the agency says it last changed the number. */
  readonly updated: string | null;
  readonly retrieved: string | null;
  /** When a publication first contained it; null for the current one. */
  readonly published: string | null;
  /** The document with the number. */
  readonly url: string;
};

/**
 * Says where the numbers above come from: when they were checked and published, and in which document, with a check of
 * its hash.
 */
function Receipts({ origins }: { readonly origins: readonly Origin[] }) {
  const { publication } = useSession().metadata.data;
  return (
    <LaterDetails class="receipts" summary="Where these numbers come from">
      <dl>
        {origins.map(({ label, updated, retrieved, published, url }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {retrieved === null ? (
                'Never checked'
              ) : (
                <>
                  Checked <Instant at={retrieved} />
                </>
              )}
              , published <Instant at={published ?? publication.published_at} />
              {updated !== null && (
                <>
                  , updated by the agency <Instant at={updated} />
                </>
              )}
              . <a href={url}>Document</a> <ProofCheck label={label} url={url} />
            </dd>
          </div>
        ))}
      </dl>
    </LaterDetails>
  );
}
