import { countText } from '../parts/text.ts';
import { hrefFor } from '../site/router.ts';

/** The most products in one chart of prices. */
export const mostPrices = 8;

/** A link to the prices of products over time; only the first ones if there are more than a chart holds. */
export function PricesLink({ skus }: { readonly skus: readonly string[] }) {
  if (skus.length < 2) return null;
  return (
    <p>
      <a href={hrefFor('prices', '', { skus: skus.slice(0, mostPrices).join() })}>Prices over time</a>
      {skus.length > mostPrices && (
        <span class="muted">
          {' '}
          of the first {mostPrices} of these {countText(skus.length)} products
        </span>
      )}
    </p>
  );
}
