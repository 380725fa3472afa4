import pMap from 'p-map';
import { ProblemError, type Site } from '../../client/open-site.ts';
import type { ChangeEvent } from '../../contract/schemas/change.ts';
import type { ProductSeries } from '../../contract/schemas/product.ts';
import type { ChangeType } from '../../contract/vocabulary.ts';
import { type Loaded, useKept, useLoaded } from '../site/session.ts';

/** A watched product. `series` null: no published product has this SKU. `size`: null if not known. */
export type WatchedProduct = {
  readonly sku: string;
  readonly size: string | null;
  readonly series: ProductSeries | null;
};

/** How many products are read at a time. */
const concurrency = 4;
/** How many of the newest changes are searched for products of watched brands and categories. */
export const mostEvents = 1000;
const types: readonly ChangeType[] = [
  'price_changed',
  'status_changed',
  'catalog_presence_changed',
  'product_first_observed',
  'product_presentation_changed',
];

export function useWatched(skus: readonly string[]): Loaded<readonly WatchedProduct[]> {
  return useKept(
    useLoaded(`watched ${skus.join()}`, (site, signal) =>
      pMap(skus, (sku) => watchedProduct(site, sku, signal), { concurrency, signal }),
    ),
  );
}

async function watchedProduct(site: Site, sku: string, signal: AbortSignal): Promise<WatchedProduct> {
  try {
    const { data } = await site.product.bySku(sku, { signal });
    return { sku, size: data.package_size.display, series: await site.product.series(data.id, { signal }) };
  } catch (error) {
    if (error instanceof ProblemError && error.status === 404) return { sku, size: null, series: null };
    throw error;
  }
}

/** The newest changes of all products published after a moment, and whether these are all. */
export type NewestEvents = { readonly events: readonly ChangeEvent[]; readonly isAll: boolean };

export function useNewestEvents(after: string): Loaded<NewestEvents> {
  return useLoaded(`changes after ${after}`, async (site, signal) => {
    const events: ChangeEvent[] = [];
    for await (const event of site.changes({ types: [...types] }, { signal })) {
      if (Date.parse(event.times.published_at) <= Date.parse(after)) return { events, isAll: true };
      if (events.length === mostEvents) return { events, isAll: false };
      events.push(event);
    }
    return { events, isAll: true };
  });
}
