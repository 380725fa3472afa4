import type { ChangeEvent } from '../../../generator/contract/documents/change.ts';
import { placeOf } from '../app/router.ts';
import type { Column } from '../components/data-table.tsx';
import { instantText } from '../components/text.ts';
import { changeLabels, changeText } from './change-text.ts';

/** The columns of a table of events. `sequenceOf`: the number of the publication that was published at a time; null where it has left. */
export function changeColumns(sequenceOf: (publishedAt: string) => number | null): readonly Column<ChangeEvent>[] {
  return [
    {
      label: 'Retrieved',
      value: ({ times }) => times.retrieved_at,
      show: ({ times }) => instantText(times.retrieved_at),
      width: 24,
    },
    { label: 'Change', value: ({ type }) => changeLabels[type], width: 22 },
    {
      label: 'Product',
      value: ({ product }) => [product.brand, product.name].filter(Boolean).join(' '),
      show: ({ product }) => (
        <a href={placeOf('product', product.source_ids.agency_sku)}>
          {[product.brand, product.name].filter(Boolean).join(' ')}
        </a>
      ),
    },
    {
      label: 'SKU',
      value: ({ product }) => product.source_ids.agency_sku,
      show: ({ product }) => <span class="code">{product.source_ids.agency_sku}</span>,
    },
    {
      label: 'What is reported',
      value: changeText,
      show: (event) => <span class="prose">{changeText(event)}</span>,
      width: 46,
    },
    {
      label: 'Store',
      value: ({ store }) => store?.name ?? null,
      show: ({ store }) => (store === null ? 'all' : <a href={placeOf('store', store.id)}>{store.name}</a>),
      width: 20,
    },
    {
      label: 'Publication',
      value: ({ times }) => times.published_at,
      show: ({ times }) => {
        const sequence = sequenceOf(times.published_at);
        return sequence === null ? instantText(times.published_at) : `${sequence}, ${instantText(times.published_at)}`;
      },
      width: 28,
    },
  ];
}
