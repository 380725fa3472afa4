import type { CategoriesDocument, MetadataDocument, ProductDocument } from '../../../client/documents.ts';
import { placeOf } from '../app/router.ts';
import { useSession } from '../app/session.ts';
import { categoryPath } from '../components/category-path.ts';
import { perLitre } from '../components/product-name.ts';
import { ageText, countOf, countText, instantText, priceText, words } from '../components/text.ts';

type Detail = ProductDocument['data'];
type Categories = CategoriesDocument['data'];

/** The figures that most readers come for. `reported`: the units that stores reported, together. */
export function ProductFigures({ product, reported }: { readonly product: Detail; readonly reported: number | null }) {
  const { price } = product;
  return (
    <ul class="cards">
      <li class="card">
        <b>{priceText(price?.amount_minor ?? null)}</b> price
      </li>
      <li class="card">
        <b>{storesText(product)}</b> stores report it
      </li>
      <li class="card">
        <b>{reported === null ? '–' : countText(reported)}</b> reported quantity
      </li>
      <li class="card">
        <b>{product.package_size.display ?? '–'}</b> package
      </li>
    </ul>
  );
}

/** How many stores report a product, of how many; a dash where nobody looked. */
function storesText({ inventory_retrieved_at: retrieved, availability_summary: summary }: Detail): string {
  if (retrieved === null) return '–';
  return `${countText(summary.reported_positive_store_count)} of ${countText(summary.scope_store_count)}`;
}

/** Everything that the product's own document says of it. */
export function ProductFacts({
  product,
  categories,
  family,
}: {
  readonly product: Detail;
  readonly categories: Categories;
  /** The name of its family; null while it is not known. */
  readonly family: string | null;
}) {
  const { metadata } = useSession();
  const { price, status, package_size: size, former_skus } = product;
  const litre = perLitre(
    price,
    size.total_milliliters ?? size.milliliters,
    size.total_milliliters === null ? size.container_count : 1,
  );
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
        {product.family_id === null ? (
          'None'
        ) : (
          <a href={placeOf('family', product.family_id)}>{family ?? 'Its family'}</a>
        )}
      </dd>
      <dt>Category</dt>
      <dd>{product.category_ids.map((id) => categoryPath(categories, id)).join('; ') || 'None'}</dd>
      <dt>Package</dt>
      <dd>{packageText(size)}</dd>
      <dt>Price</dt>
      <dd>
        {price === null
          ? 'None'
          : `${priceText(price.amount_minor)}, retrieved ${instantText(price.times.retrieved_at)}`}
        {litre !== null && <span class="muted"> ({priceText(litre)} a litre)</span>}
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
      <dt>Inventory</dt>
      <dd>
        <InventoryAge product={product} metadata={metadata.data} />
      </dd>
    </dl>
  );
}

/** When the inventory was last retrieved, how that relates to the publication and its policy, and whether an attempt failed since. */
function InventoryAge({
  product,
  metadata,
}: {
  readonly product: Detail;
  readonly metadata: MetadataDocument['data'];
}) {
  const { inventory_retrieved_at: retrieved, availability_summary: summary } = product;
  const { publication, retrieval_policy } = metadata;
  const attempt = summary.last_refresh_attempt;
  const limit = countOf(Math.round(retrieval_policy.max_age_seconds / 3600), 'hour');
  return (
    <>
      {retrieved === null
        ? 'Never retrieved.'
        : `Retrieved ${instantText(retrieved)}, ${ageText(retrieved, publication.published_at)} the publication.`}{' '}
      {summary.meets_retrieval_policy ? `Within the policy of ${limit}.` : `Not within the policy of ${limit}.`}
      {attempt?.status === 'failed' && ` The attempt of ${instantText(attempt.attempted_at)} failed.`}
    </>
  );
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
