import type { ChangeOf } from '../../contract/schemas/change.ts';
import type { NewsRow } from '../database/news.ts';

/**
 * An event in words, such as `price $26.99, $28.99 before`. Quantities are reports, so a decrease is never called a
 * sale.
 */
export function newsText({ type, change }: Pick<NewsRow, 'type' | 'change'>): string {
  const payload: unknown = JSON.parse(change);
  switch (type) {
    case 'product_first_observed': {
      const { price } = (payload as ChangeOf<typeof type>).current;
      return price === null ? 'first reported' : `first reported, price ${price.display}`;
    }
    case 'price_changed': {
      const { previous, current } = payload as ChangeOf<typeof type>;
      return `${current === null ? 'no price' : `price ${current.display}`}, ${previous?.display ?? 'none'} before`;
    }
    case 'status_changed': {
      const { previous, current } = payload as ChangeOf<typeof type>;
      return `status ${statusText(current)}, ${statusText(previous)} before`;
    }
    case 'catalog_presence_changed':
      return (payload as ChangeOf<typeof type>).current === 'listed'
        ? 'in the catalog again'
        : 'no longer in the catalog';
    case 'aggregate_inventory_changed': {
      const { previous, current } = payload as ChangeOf<typeof type>;
      return current.reported_quantity === 0
        ? `no units reported, ${quantityText(previous)} before`
        : `reported ${quantityText(current)}, none before`;
    }
  }
}

function statusText({ label, code }: ChangeOf<'status_changed'>['current']): string {
  return code === '' || code === label ? label : `${label} (${code})`;
}

/** An agency that reports one quantity for the whole state names no stores. */
function quantityText(sums: ChangeOf<'aggregate_inventory_changed'>['current']): string {
  const { reported_quantity: quantity, reported_positive_store_count: stores } = sums;
  const units = `${quantity} ${quantity === 1 ? 'unit' : 'units'}`;
  return stores === 0 ? units : `${units} in ${stores} ${stores === 1 ? 'store' : 'stores'}`;
}
