import { hrefFor } from '../app/router.ts';
import { countText } from '../text/text.ts';
import { mostPrices } from './most-prices.ts';

/** Leads to the prices of products over time: of the first ones, where there are more than one chart takes. */
export function PricesLink({ skus }: { readonly skus: readonly string[] }) {
  if (skus.length < 2) return null;
  return (
    <p>
      <a href={hrefFor('prices', '', { skus: skus.slice(0, mostPrices).join() })}>Prices over time</a>
      {skus.length > mostPrices && (
        <span class="muted">
          {' '}
          of {mostPrices} of these {countText(skus.length)} products
        </span>
      )}
    </p>
  );
}
