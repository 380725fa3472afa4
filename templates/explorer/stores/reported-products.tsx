import type { StoreStock } from '../../../generator/contract/documents/store.ts';
import { placeOf } from '../app/router.ts';
import { type Column, DataTable } from '../components/data-table.tsx';
import { countText, instantText, words } from '../components/text.ts';

type Row = StoreStock['products'][number];

const columns: readonly Column<Row>[] = [
  {
    label: 'Product',
    value: ({ name }) => name,
    show: ({ agency_sku, name }) => <a href={placeOf('product', agency_sku)}>{name}</a>,
  },
  { label: 'Brand', value: ({ brand }) => brand },
  { label: 'SKU', value: ({ agency_sku }) => agency_sku },
  {
    label: 'Reported quantity',
    value: ({ reported_quantity }) => reported_quantity,
    show: ({ reported_quantity }) => countText(reported_quantity),
    isNumber: true,
  },
  { label: 'Purchase', value: ({ purchase_eligibility }) => words(purchase_eligibility) },
  {
    label: 'Retrieved',
    value: ({ retrieved_at }) => retrieved_at,
    show: ({ retrieved_at }) => instantText(retrieved_at),
  },
  { label: 'Recent', value: ({ meets_retrieval_policy }) => (meets_retrieval_policy ? 'yes' : 'no') },
];

/** The products with a reported quantity in a store. */
export function ReportedProducts({ of: { store, products } }: { readonly of: StoreStock }) {
  return (
    <DataTable
      caption="Products reported"
      columns={columns}
      rows={products}
      file={`store-${store.source_ids.inventory_store_code ?? store.id}-products`}
      keyOf={({ product_id }) => product_id}
    />
  );
}
