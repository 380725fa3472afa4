import { compareInstants, earlierOf, laterOf } from '../contract/instant.ts';
import type { Freshness } from '../contract/observation.ts';
import type { Product } from '../model/product.ts';
import type { State } from '../model/state.ts';

type Times = { readonly min: string | null; readonly max: string | null };

/** The older and the newer end of two spans of time. */
export function joinTimes(a: Times, b: Times): Times {
  return {
    min: earlierOf(a.min, b.min),
    max: laterOf(a.max, b.max),
  };
}

/** The newest of some times; null when there is none. */
export function newestOf(times: Iterable<string | null>): string | null {
  let newest: string | null = null;
  for (const time of times) newest = laterOf(newest, time);
  return newest;
}

/** `meta.freshness`: of the catalog in force, and of the inventory of some products. */
export function freshnessOf(state: State, products: Iterable<Product>, retrieved: Times): Freshness {
  const { publication } = state;
  const catalog = state.publicationAt(publication.catalog_publication);
  let newest: NonNullable<Product['success']> | null = null;
  for (const { success } of products) {
    if (success && (newest === null || compareInstants(success.retrievedAt, newest.retrievedAt) > 0)) newest = success;
  }
  return {
    catalog: {
      source_updated_at: publication.catalog_source_updated_at,
      retrieved_at: publication.catalog_retrieved_at,
      published_at: catalog.published_at,
    },
    inventory: {
      source_updated_at: newest?.sourceUpdatedAt ?? null,
      retrieved_at_min: retrieved.min,
      retrieved_at_max: retrieved.max,
      published_at: newest && state.publicationAt(newest.publication).published_at,
      upstream_age_known: false,
    },
  };
}
