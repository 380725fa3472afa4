import type { Comparison } from '../../contract/schemas/store.ts';
import { DataTable } from '../parts/data-table.tsx';
import { Instant } from '../parts/instant.tsx';
import type { Column } from '../parts/table-columns.ts';
import { countNoun, countText, instantText } from '../parts/text.ts';
import { WarningList } from '../parts/warning-list.tsx';
import { fullName } from '../products/product-index.ts';
import { named, ProductLink } from '../products/product-link.tsx';
import { useLoaded, useSession } from '../site/session.ts';

type Product = Comparison['data']['requested_products'][number];

/** How certain a comparison is: what was observed within the radius, and when. */
export function Coverage({ comparison: { data, meta } }: { readonly comparison: Comparison }) {
  const { metadata } = useSession();
  const { coverage } = meta;
  const { retrieval_policy: policy } = metadata.data;
  const uncertain = data.requested_products.filter(({ id }) => coverage.uncertain_product_ids.includes(id));
  const has = (ids: readonly string[]) => (product: Product) => (ids.includes(product.id) ? 'yes' : 'no');
  const columns: readonly Column<Product>[] = [
    { label: 'Product', value: fullName, show: (product) => <ProductLink product={named(product)} /> },
    { label: 'Covered', value: has(coverage.covered_product_ids) },
    { label: 'Reported', value: has(coverage.reported_positive_product_ids) },
    { label: 'Open to consumers', value: has(coverage.purchase_eligible_product_ids) },
    { label: 'Restricted', value: has(coverage.restricted_product_ids), isOptional: true },
    { label: 'Uncertain', value: has(coverage.uncertain_product_ids), isOptional: true, isMinor: true },
  ];
  return (
    <>
      <WarningList warnings={meta.warnings} />
      <p>
        {countNoun(coverage.store_count, 'store')} within the radius. {countText(coverage.observed_pair_count)} of{' '}
        {countNoun(coverage.expected_pair_count, 'pair')} of a product and a store were checked,{' '}
        {timesText(coverage.retrieved_at_min, coverage.retrieved_at_max)}. Recent reports are those of the{' '}
        {Math.round(policy.max_age_seconds / 3600)} hours before the publication. How old the agency’s own numbers are
        is not known.
      </p>
      <DataTable
        caption="Products within the radius"
        columns={columns}
        rows={data.requested_products}
        file="comparison-products"
        rowKey={({ id }) => id}
      />
      {uncertain.length > 0 && (
        <p class="muted">
          Uncertain, because no store within the radius covers it and some were not checked:{' '}
          {uncertain.map(fullName).join('; ')}.
        </p>
      )}
    </>
  );
}

function timesText(first: string | null, last: string | null): string {
  if (first === null || last === null) return 'but none that counts';
  return first === last ? `on ${instantText(first)}` : `from ${instantText(first)} to ${instantText(last)}`;
}

/**
 * Says that a link was made from another publication than the one shown. `revision`: the link's; empty if it has none.
 */
export function MadeFrom({ revision }: { readonly revision: string }) {
  const { metadata } = useSession();
  const isOther = revision !== '' && revision !== metadata.data.publication.revision;
  const publications = useLoaded(isOther ? 'publications' : null, (site, signal) => site.publications({ signal }));
  if (!isOther || publications.state === 'loading') return null;
  const found = publications.value?.data.find((publication) => publication.revision === revision);
  return (
    <p class="note" role="status">
      This link was made from{' '}
      {found ? (
        <>
          publication {found.sequence} of <Instant at={found.published_at} />
        </>
      ) : (
        'an earlier publication'
      )}
      ; reports may have changed since.
    </p>
  );
}
