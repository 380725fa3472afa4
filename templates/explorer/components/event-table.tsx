import type { ChangeEvent } from '../../../generator/contract/documents/change.ts';
import { placeOf } from '../app/router.ts';
import { changeLabels, changeText } from '../changes/change-text.ts';
import { type Column, DataTable } from './data-table.tsx';
import { fullName } from './product-name.ts';
import { instantText } from './text.ts';

const product: Column<ChangeEvent> = {
  label: 'Product',
  value: (event) => fullName(event.product),
  show: (event) => <a href={placeOf('product', event.product.source_ids.agency_sku)}>{fullName(event.product)}</a>,
};

const columns: readonly Column<ChangeEvent>[] = [
  {
    label: 'Retrieved',
    value: ({ times }) => times.retrieved_at,
    show: ({ times }) => instantText(times.retrieved_at),
  },
  { label: 'Change', value: ({ type }) => changeLabels[type] },
  { label: 'What is reported', value: changeText },
  {
    label: 'Store',
    value: ({ store }) => store?.name ?? null,
    show: ({ store }) => (store === null ? 'all' : <a href={placeOf('store', store.id)}>{store.name}</a>),
  },
];

/** A few events, newest first. `hasProducts`: they are of several products. */
export function EventTable({
  events,
  file,
  hasProducts = false,
}: {
  readonly events: readonly ChangeEvent[];
  readonly file: string;
  readonly hasProducts?: boolean;
}) {
  const [times, ...rest] = columns as [Column<ChangeEvent>, ...Column<ChangeEvent>[]];
  return (
    <DataTable
      caption="Latest changes"
      file={file}
      columns={hasProducts ? [times, product, ...rest] : columns}
      rows={events}
      keyOf={({ id }) => id}
    />
  );
}
