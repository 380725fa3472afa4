import type { StoreStock } from '../../contract/schemas/store.ts';
import { countNoun, countText } from '../parts/text.ts';

/** How many products a store reports, of how many that were checked there; first of all, whether any were. */
export function StockCount({ stock: { checked_product_count: checked, products } }: { readonly stock: StoreStock }) {
  if (checked === 0) return <p class="note">This store was never checked, so it is not known which products it has.</p>;
  return (
    <p>
      {countText(products.length)} of {countNoun(checked, 'product')} checked here{' '}
      {products.length === 1 ? 'has' : 'have'} a reported quantity.
    </p>
  );
}
