import type { StoreDetail, StoreStock } from '../../contract/schemas/store.ts';
import { DataTable } from '../parts/data-table.tsx';
import { Instant } from '../parts/instant.tsx';
import type { Column } from '../parts/table-columns.ts';
import { countNoun, countText, priceText, words } from '../parts/text.ts';
import { majorAmount } from '../site/site-profile.ts';
import { purchaseLimit } from '../stores/purchase.ts';
import { LimitTag } from '../stores/report-words.tsx';
import { fullName, type ProductIndex, useLaterProductIndex } from './product-index.ts';
import { ProductLink } from './product-link.tsx';
import { tripColumn } from './trip-button.tsx';

type Row = StoreStock['products'][number];

/** The products with a reported quantity in a store, largest first. Sizes and prices come from the catalog. */
export function ReportedProducts({
  stock: { store, products },
  store: detail,
  index: given = null,
}: {
  readonly stock: StoreStock;
  readonly store: StoreDetail;
  /** The products of an earlier publication, if one is shown. */
  readonly index?: ProductIndex | null;
}) {
  const newest = useLaterProductIndex();
  const index = given ?? newest;
  return (
    <DataTable
      caption="Reported products"
      columns={productTableColumns(index, detail)}
      rows={products}
      file={`store-${store.source_ids.inventory_store_code ?? store.id}-products`}
      order={{ column: 3, isDescending: true }}
      rowKey={({ product_id }) => product_id}
    />
  );
}

function productTableColumns(index: ProductIndex | null, store: StoreDetail): readonly Column<Row>[] {
  const at = ({ agency_sku }: Row) => index?.positionOf(agency_sku) ?? -1;
  const size = (row: Row) => index?.size(at(row)) ?? null;
  const price = (row: Row) => index?.price(at(row)) ?? null;
  return [
    {
      label: 'Product',
      value: fullName,
      show: ({ agency_sku: sku, brand, name }) => <ProductLink product={{ sku, brand, name }} />,
      width: 36,
    },
    {
      label: 'Size',
      value: size,
      // A dash would mean that it is not known.
      show: (row) => (index === null ? '' : (size(row) ?? '–')),
      isNumber: true,
      width: 10,
    },
    {
      label: 'Price',
      value: (row) => {
        const cents = price(row);
        return cents === null ? null : majorAmount(cents);
      },
      show: (row) => (index === null ? '' : priceText(price(row))),
      isNumber: true,
      isAmount: true,
      width: 11,
    },
    {
      label: 'Quantity',
      unit: 'units',
      value: ({ reported_quantity }) => reported_quantity,
      show: ({ reported_quantity, purchase_eligibility }) => {
        const limit = purchaseLimit(purchase_eligibility, store);
        return (
          <>
            {limit !== null && <LimitTag>{limit}</LimitTag>} {countText(reported_quantity)}
          </>
        );
      },
      isNumber: true,
    },
    { label: 'SKU', value: ({ agency_sku }) => agency_sku, isMinor: true },
    { label: 'Purchase', value: ({ purchase_eligibility }) => words(purchase_eligibility), isOnlySaved: true },
    {
      label: 'Checked',
      unit: 'UTC',
      value: ({ retrieved_at }) => retrieved_at,
      show: ({ retrieved_at }) => <Instant at={retrieved_at} />,
      isOptional: true,
      isMinor: true,
    },
    {
      label: 'Recent',
      value: ({ meets_retrieval_policy }) => (meets_retrieval_policy ? 'yes' : 'no'),
      isOptional: true,
      isMinor: true,
    },
    ...tripColumn((row: Row) => ({ sku: row.agency_sku, name: fullName(row) })),
  ];
}

/** How many products a store reports, out of how many were checked there, or that none were. */
export function StockCount({ stock: { checked_product_count: checked, products } }: { readonly stock: StoreStock }) {
  if (checked === 0) return <p class="note">This store was never checked, so it is not known which products it has.</p>;
  return (
    <p>
      {countText(products.length)} of {countNoun(checked, 'product')} checked here{' '}
      {products.length === 1 ? 'has' : 'have'} a reported quantity.
    </p>
  );
}
