import type { ChangeEvent } from '../../../generator/contract/documents/change.ts';
import { placeOf } from '../app/router.ts';
import type { Column } from '../components/data-table.tsx';
import { fullName } from '../components/product-name.ts';
import { instantText } from '../components/text.ts';
import { changeLabels, changeText } from './change-text.ts';

type ChangeColumn = Column<ChangeEvent>;

/* What every table of events says in the same way. */

export const retrievedColumn: ChangeColumn = {
  label: 'Retrieved',
  value: ({ times }) => times.retrieved_at,
  show: ({ times }) => instantText(times.retrieved_at),
  width: 24,
};

export const typeColumn: ChangeColumn = { label: 'Change', value: ({ type }) => changeLabels[type], width: 22 };

export const productColumn: ChangeColumn = {
  label: 'Product',
  value: ({ product }) => fullName(product),
  show: ({ product }) => <a href={placeOf('product', product.source_ids.agency_sku)}>{fullName(product)}</a>,
};

export const storeColumn: ChangeColumn = {
  label: 'Store',
  value: ({ store }) => store?.name ?? null,
  show: ({ store }) => (store === null ? 'all' : <a href={placeOf('store', store.id)}>{store.name}</a>),
  width: 20,
};

/** The columns of a table of events. `sequenceOf`: the number of the publication that was published at a time; null where it has left. */
export function changeColumns(sequenceOf: (publishedAt: string) => number | null): readonly ChangeColumn[] {
  return [
    retrievedColumn,
    typeColumn,
    productColumn,
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
    storeColumn,
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
