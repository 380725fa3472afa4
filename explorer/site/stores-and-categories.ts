import type { Site } from '../../client/open-site.ts';
import type { Category } from '../../contract/schemas/category.ts';
import type { StoreSummary } from '../../contract/schemas/store.ts';
import { isInScope } from '../../contract/store-pairs.ts';
import { type Loaded, readOnce, useLoaded } from './session.ts';

/** Every store of the publication. */
export const readStores = readOnce((site: Site) => site.stores().take(Number.POSITIVE_INFINITY));

/** The stores that availability counts, by id. */
export function storesInScope(stores: readonly StoreSummary[]): StoreSummary[] {
  return stores.filter(isInScope).sort((a, b) => (a.id < b.id ? -1 : 1));
}

const readCategories = readOnce(async (site: Site) => (await site.categories()).data);

/** Every store of the publication, read when it is first wanted. */
export function useStores(isWanted = true): Loaded<readonly StoreSummary[]> {
  return useLoaded(isWanted ? 'stores' : null, readStores);
}

/** Every category of the publication, as a flat list, read when it is first wanted. */
export function useCategories(isWanted = true): Loaded<readonly Category[]> {
  return useLoaded(isWanted ? 'categories' : null, readCategories);
}
