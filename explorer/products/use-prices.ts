import { ProblemError, type Site } from '../../client/open-site.ts';
import { type Loaded, useKept, useLoaded } from '../site/session.ts';
import type { PricedProduct } from './price-lines.ts';

/** A product requested by SKU. `priced` null: no published product has this SKU. */
export type SkuPrices = { readonly sku: string; readonly priced: PricedProduct | null };

/** The products with these SKUs and their prices over time. */
export function usePrices(skus: readonly string[]): Loaded<readonly SkuPrices[]> {
  return useKept(
    useLoaded(`prices ${skus.join()}`, (site, signal) =>
      Promise.all(skus.map((sku) => pricedProduct(site, sku, signal))),
    ),
  );
}

async function pricedProduct(site: Site, sku: string, signal: AbortSignal): Promise<SkuPrices> {
  try {
    const { data } = await site.product.bySku(sku, { signal });
    return { sku, priced: { detail: data, series: await site.product.series(data.id, { signal }) } };
  } catch (error) {
    if (error instanceof ProblemError && error.status === 404) return { sku, priced: null };
    throw error;
  }
}
