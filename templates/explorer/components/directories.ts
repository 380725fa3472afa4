import type { Category } from '../../../generator/contract/documents/catalog.ts';
import type { StoreSummary } from '../../../generator/contract/documents/store.ts';
import { type Loaded, useLoaded } from '../app/session.ts';

/** Every store of the publication. Nothing is read until it is wanted. */
export function useStores(isWanted = true): Loaded<readonly StoreSummary[]> {
  return useLoaded(isWanted ? 'stores' : null, (site, signal) =>
    site.stores({}, { signal }).take(Number.POSITIVE_INFINITY),
  );
}

/** Every category of the publication, flat. Nothing is read until it is wanted. */
export function useCategories(isWanted = true): Loaded<readonly Category[]> {
  return useLoaded(isWanted ? 'categories' : null, async (site, signal) => (await site.categories({ signal })).data);
}
