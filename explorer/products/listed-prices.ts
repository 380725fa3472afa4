import type { ProductSeries } from '../../contract/schemas/product.ts';

/** Prices by the moments at which they began; null for none. */
export type PriceSteps = Pick<ProductSeries['prices'], 'at' | 'price_minor'>;

/** The prices of a product over time, with none while it was not in the catalog. */
export function listedPrices({ prices, presence }: Pick<ProductSeries, 'prices' | 'presence'>): PriceSteps {
  const moments = [...new Set([...prices.at, ...presence.at.slice(1)])].sort((a, b) => Date.parse(a) - Date.parse(b));
  const at = moments.filter((moment) => Date.parse(moment) >= Date.parse(prices.at[0] ?? moment));
  const last = (times: readonly string[], moment: string) =>
    times.findLastIndex((time) => Date.parse(time) <= Date.parse(moment));
  const price_minor = at.map((moment) =>
    presence.catalog_presence[last(presence.at, moment)] === 'absent'
      ? null
      : (prices.price_minor[last(prices.at, moment)] ?? null),
  );
  return { at, price_minor };
}

/** When the first catalog without a product was retrieved; null for a product that is in the catalog. */
export function goneSince({ presence }: Pick<ProductSeries, 'presence'>): string | null {
  return presence.catalog_presence.at(-1) === 'absent' ? (presence.at.at(-1) ?? null) : null;
}
