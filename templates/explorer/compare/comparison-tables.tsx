import { placeOf } from '../app/router.ts';
import { type Column, DataTable } from '../components/data-table.tsx';
import { countText, instantText } from '../components/text.ts';
import { lookMeanings, lookOfState } from '../map/looks.tsx';
import { distanceText, strategyWords } from './comparison-words.ts';
import { productName, type StopRow, type StoreCounts } from './observations.ts';

const stopColumns: readonly Column<StopRow>[] = [
  { label: 'Plan', value: ({ strategy }) => strategyWords[strategy].name },
  { label: 'Stop', value: ({ stop }) => stop, isNumber: true },
  {
    label: 'Store',
    value: ({ store }) => store.name,
    show: ({ store }) => <a href={placeOf('store', store.id)}>{store.name}</a>,
  },
  {
    label: 'Distance in m',
    value: ({ store }) => store.distance_m,
    show: ({ store }) => distanceText(store.distance_m ?? 0),
    isNumber: true,
  },
  {
    label: 'Product',
    value: ({ product }) => productName(product),
    show: ({ product }) => <a href={placeOf('product', product.source_ids.agency_sku)}>{productName(product)}</a>,
  },
  { label: 'Covered', value: ({ isCovered }) => (isCovered ? 'yes' : 'no') },
  { label: 'State', value: ({ observation }) => observation && lookMeanings[lookOfState[observation.state]] },
  {
    label: 'Reported quantity',
    value: ({ observation }) => observation?.reported_quantity ?? null,
    show: ({ observation }) =>
      observation?.reported_quantity == null ? '–' : countText(observation.reported_quantity),
    isNumber: true,
  },
  {
    label: 'Retrieved',
    value: ({ observation }) => observation?.retrieved_at ?? null,
    show: ({ observation }) => (observation?.retrieved_at ? instantText(observation.retrieved_at) : '–'),
  },
  { label: 'Recent', value: ({ observation }) => (observation?.meets_retrieval_policy ? 'yes' : 'no') },
];

/** What the stops of all plans reported of each product, and when. */
export function StopTable({ rows }: { readonly rows: readonly StopRow[] }) {
  return (
    <DataTable
      caption="Products at the stops"
      columns={stopColumns}
      rows={rows}
      file="comparison-stops"
      keyOf={({ key }) => key}
    />
  );
}

const storeColumns: readonly Column<StoreCounts>[] = [
  {
    label: 'Store',
    value: ({ store }) => store.name,
    show: ({ store }) => <a href={placeOf('store', store.id)}>{store.name}</a>,
  },
  { label: 'City', value: ({ store }) => store.address.city },
  { label: 'Products reported', value: ({ reported }) => reported, isNumber: true },
  { label: 'Reported zero', value: ({ zero }) => zero, isNumber: true },
  { label: 'Not in any row', value: ({ absent }) => absent, isNumber: true },
  { label: 'Not checked', value: ({ unchecked }) => unchecked, isNumber: true },
];

/** What the map shows. */
export function StoreTable({ rows }: { readonly rows: readonly StoreCounts[] }) {
  return (
    <DataTable
      caption="Stores on the map"
      columns={storeColumns}
      rows={rows}
      file="comparison-stores"
      keyOf={({ store }) => store.id}
      order={{ column: 2, isDescending: true }}
    />
  );
}
