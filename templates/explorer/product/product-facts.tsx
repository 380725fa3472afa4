import { Fragment } from 'preact';
import type { ProductDocument } from '../../../client/documents.ts';
import { perLitre } from '../../../generator/contract/per-litre.ts';
import { placeOf } from '../app/router.ts';
import { useSession } from '../app/session.ts';
import { CategoryFacts } from '../components/category-path.tsx';
import { Instant } from '../components/instant.tsx';

import { hasStores, isStatewide } from '../components/site-profile.ts';
import { ageText, capital, countText, dateText, priceText, words } from '../components/text.ts';

type Detail = ProductDocument['data'];

/** The figures that most readers come for. `reported`: the units that stores reported, together. */
export function ProductFigures({ product, reported }: { readonly product: Detail; readonly reported: number | null }) {
  const { metadata } = useSession();
  const { price, package_size: size, inventory_retrieved_at: retrieved, availability_summary: summary } = product;
  const litre = perLitre(
    price?.amount_minor ?? null,
    size.total_milliliters ?? size.milliliters,
    size.total_milliliters === null ? size.container_count : 1,
  );
  const hours = Math.round(metadata.data.retrieval_policy.max_age_seconds / 3600);
  return (
    <ul class="cards">
      <li class="card">
        <b>{priceText(price?.amount_minor ?? null)}</b> price
        {litre !== null && <span class="muted">, {priceText(litre)} per litre</span>}
      </li>
      {retrieved === null ? (
        (hasStores() || isStatewide()) && (
          <li class="card wide">
            {hasStores()
              ? 'No store was asked about this product so far, so it is not known which of them report it.'
              : 'The stock of this product was not asked for so far.'}
          </li>
        )
      ) : (
        <>
          {hasStores() && (
            <li class="card">
              <b>
                {countText(summary.reported_positive_store_count)} of {countText(summary.scope_store_count)}
              </b>{' '}
              stores report it
              {summary.eligible_positive_store_count < summary.reported_positive_store_count && (
                <>
                  ,{' '}
                  {summary.eligible_positive_store_count === 0
                    ? 'none of them for everyone'
                    : `${countText(summary.eligible_positive_store_count)} of them for everyone`}
                </>
              )}
            </li>
          )}
          <li class="card">
            <b>{reported === null ? '–' : countText(reported)}</b> reported quantity
          </li>
          <li class="card">
            <b>{dateText(retrieved)}</b> {hasStores() ? 'stores' : 'stock'} asked,{' '}
            {summary.meets_retrieval_policy ? `within ${hours} hours of` : `more than ${hours} hours before`} the
            publication
          </li>
        </>
      )}
    </ul>
  );
}

/** Everything that the product's own document says of it. */
export function ProductFacts({ product }: { readonly product: Detail }) {
  const { metadata } = useSession();
  const { price, status, package_size: size, former_skus, inventory_retrieved_at: retrieved } = product;
  const attempt = product.availability_summary.last_refresh_attempt;
  return (
    <dl class="facts">
      <dt>Brand</dt>
      <dd>
        {product.brand_id === null ? (
          'None that is reviewed'
        ) : (
          <a href={placeOf('brand', product.brand_id)}>{product.brand}</a>
        )}
      </dd>
      <dt>Family</dt>
      <dd>
        {product.family_id === null ? 'None' : <a href={placeOf('family', product.family_id)}>Its other members</a>}
      </dd>
      <CategoryFacts ids={product.category_ids} />
      <dt>Package</dt>
      <dd>{packageText(size)}</dd>
      <dt>Price</dt>
      <dd>
        {price === null ? (
          'None'
        ) : (
          <>
            {priceText(price.amount_minor)}, retrieved <Instant at={price.times.retrieved_at} />
          </>
        )}
      </dd>
      <dt>Status</dt>
      <dd>
        {status.label}{' '}
        <span class="muted">
          (code {status.code || 'none'}, {words(status.lifecycle)})
        </span>
      </dd>
      <dt>SKU</dt>
      <dd>
        <code>{product.source_ids.agency_sku}</code>
        {former_skus.length > 0 && <span class="muted"> formerly {former_skus.join(', ')}</span>}
      </dd>
      <dt>Catalog</dt>
      <dd>{product.catalog_presence === 'listed' ? 'Listed' : 'Absent from the newest catalog'}</dd>
      {Object.entries(product.facts ?? {}).map(([name, value]) => (
        <Fragment key={name}>
          <dt>{capital(words(name.replace(/_minor$/, '')))}</dt>
          <dd>{factText(name, value ?? null)}</dd>
        </Fragment>
      ))}
      <dt>Inventory</dt>
      <dd>
        {retrieved === null ? (
          'Never retrieved.'
        ) : (
          <>
            Retrieved <Instant at={retrieved} />, {ageText(retrieved, metadata.data.publication.published_at)} the
            publication.
          </>
        )}
        {attempt?.status === 'failed' && (
          <>
            {' '}
            The attempt of <Instant at={attempt.attempted_at} /> failed.
          </>
        )}
      </dd>
    </dl>
  );
}

/** A fact that some agencies report: an amount, an instant, a share or a text. */
function factText(name: string, value: string | number | null) {
  if (value === null) return 'None';
  if (name.endsWith('_minor')) return priceText(Number(value));
  if (name.endsWith('_at')) return <Instant at={String(value)} />;
  return name === 'alcohol_by_volume' ? `${value} %` : String(value);
}

function packageText(size: Detail['package_size']): string {
  const parts = [size.display ?? 'Not known'];
  if ((size.container_count ?? 1) > 1) {
    const of = size.unit_milliliters === null ? '' : ` of ${countText(size.unit_milliliters)} mL`;
    parts.push(`${size.container_count} containers${of}`);
  }
  if ((size.container_count ?? 1) > 1 && size.total_milliliters !== null)
    parts.push(`${countText(size.total_milliliters)} mL in all`);
  if (size.normalization_state === 'unconfirmed') parts.push('size not confirmed');
  return parts.join(', ');
}
