import { Fragment } from 'preact';
import type { ProductDetail } from '../../contract/schemas/product.ts';
import { Instant } from '../parts/instant.tsx';
import { ageText, capital, countText, priceText, words } from '../parts/text.ts';
import { hrefFor } from '../site/router.ts';
import { useSession } from '../site/session.ts';
import { CategoryFacts } from './categories.tsx';

/** Everything in the product's own document. */
export function ProductFacts({ product }: { readonly product: ProductDetail }) {
  const { metadata } = useSession();
  const { price, status, package_size: size, former_skus, inventory_retrieved_at: retrieved } = product;
  const attempt = product.availability_summary.last_refresh_attempt;
  return (
    <dl class="facts">
      <dt>Brand</dt>
      <dd>
        {product.brand_id === null ? 'None reviewed' : <a href={hrefFor('brand', product.brand_id)}>{product.brand}</a>}
      </dd>
      <dt>Family</dt>
      <dd>{product.family_id === null ? 'None' : <a href={hrefFor('family', product.family_id)}>Other members</a>}</dd>
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
      <dd>{product.catalog_presence === 'listed' ? 'Listed' : 'Not in the newest catalog'}</dd>
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
            The attempt on <Instant at={attempt.attempted_at} /> failed.
          </>
        )}
      </dd>
    </dl>
  );
}

/** A fact that some agencies report: an amount, a time, a percentage or a text. */
function factText(name: string, value: string | number | null) {
  if (value === null) return 'None';
  if (name.endsWith('_minor')) return priceText(Number(value));
  if (name.endsWith('_at')) return <Instant at={String(value)} />;
  return name === 'alcohol_by_volume' ? `${value} %` : String(value);
}

function packageText(size: ProductDetail['package_size']): string {
  const parts = [size.display ?? 'Not known'];
  if ((size.container_count ?? 1) > 1) {
    const of = size.unit_milliliters === null ? '' : ` of ${countText(size.unit_milliliters)} mL`;
    parts.push(`${size.container_count} containers${of}`);
  }
  if ((size.container_count ?? 1) > 1 && size.total_milliliters !== null)
    parts.push(`${countText(size.total_milliliters)} mL in total`);
  if (size.normalization_state === 'unconfirmed') parts.push('size not confirmed');
  return parts.join(', ');
}
