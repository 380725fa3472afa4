import type { Comparison } from '../../../generator/contract/documents/comparison.ts';
import { placeOf } from '../app/router.ts';
import { useSession } from '../app/session.ts';
import { type Column, DataTable } from '../components/data-table.tsx';
import { countOf, countText, instantText } from '../components/text.ts';
import { WarningList } from '../components/warning-list.tsx';
import { productName } from './observations.ts';

type Product = Comparison['data']['requested_products'][number];

/** How certain a comparison is: what of the circle was observed, and when. */
export function Coverage({ comparison: { data, meta } }: { readonly comparison: Comparison }) {
  const { metadata } = useSession();
  const { coverage } = meta;
  const { retrieval_policy: policy } = metadata.data;
  const has = (ids: readonly string[]) => (product: Product) => (ids.includes(product.id) ? 'yes' : 'no');
  const columns: readonly Column<Product>[] = [
    {
      label: 'Product',
      value: ({ brand, name }) => productName({ brand, name }),
      show: ({ brand, name, source_ids }) => (
        <a href={placeOf('product', source_ids.agency_sku)}>{productName({ brand, name })}</a>
      ),
    },
    { label: 'SKU', value: ({ source_ids }) => source_ids.agency_sku },
    { label: 'Covered', value: has(coverage.covered_product_ids) },
    { label: 'Reported', value: has(coverage.reported_positive_product_ids) },
    { label: 'Open to consumers', value: has(coverage.purchase_eligible_product_ids) },
    { label: 'Restricted', value: has(coverage.restricted_product_ids) },
    { label: 'Uncertain', value: has(coverage.uncertain_product_ids) },
  ];
  return (
    <>
      <WarningList of={meta.warnings} />
      <dl class="facts">
        <dt>Stores in the circle</dt>
        <dd>{countText(coverage.store_count)}</dd>
        <dt>Checked</dt>
        <dd>
          {countText(coverage.observed_pair_count)} of {countOf(coverage.expected_pair_count, 'pair')} of a product and
          a store; {countText(coverage.unchecked_pair_count)} not checked
        </dd>
        <dt>Retrieved</dt>
        <dd>{timesText(coverage.retrieved_at_min, coverage.retrieved_at_max)}</dd>
        <dt>Recent</dt>
        <dd>
          retrieved within {Math.round(policy.max_age_seconds / 3600)} hours of the publication; how old the agency’s
          own numbers are is not known
        </dd>
      </dl>
      <DataTable
        caption="Products in the circle"
        columns={columns}
        rows={data.requested_products}
        file="comparison-products"
        keyOf={({ id }) => id}
      />
      <p class="muted">Uncertain: no store in the circle covers it, and some were not checked.</p>
    </>
  );
}

function timesText(first: string | null, last: string | null): string {
  if (first === null || last === null) return 'nothing that counts';
  return first === last ? instantText(first) : `from ${instantText(first)} to ${instantText(last)}`;
}
