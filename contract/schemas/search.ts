import * as z from 'zod';
import { searchKinds } from '../vocabulary.ts';
import { address, component, count, sku, text, uuid, warnings } from './primitives.ts';

export const searchKind = z.enum(searchKinds);

const found = { id: uuid, name: text, brand: text.nullable(), path: address };

const searchHit = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('product'), ...found, agency_sku: sku }),
  z.strictObject({ kind: z.enum(['product_family', 'brand', 'store']), ...found }),
]);

/**
 * A hit of a search. A hit that is a product also has its SKU.
 *
 * @example
 * ```ts
 * import type { SearchHit } from 'shelfpress/client';
 *
 * const show = (hit: SearchHit) => console.log(hit.kind === 'product' ? hit.agency_sku : hit.kind, hit.name);
 * (await site.search({ q: 'rye' })).data.forEach(show);
 * ```
 */
export type SearchHit = z.infer<typeof searchHit>;

export const searchResult = z.strictObject({
  data: z.array(searchHit).max(100),
  meta: z.strictObject({ total: count, warnings }),
});

/**
 * The answer to a search: the best hits, and in `meta.total` how many there are.
 *
 * @example
 * ```ts
 * import type { SearchResult } from 'shelfpress/client';
 *
 * const { data, meta }: SearchResult = await site.search({ q: 'rye', limit: 2 });
 * console.log(data.length, 'of', meta.total);
 * ```
 */
export type SearchResult = z.infer<typeof searchResult>;

/**
 * Everything that `/search` can find, for tools and for the shim. It has one entry per hit, in the order product,
 * family, brand, store, and by name within each kind. `terms` are the folded words that find an entry, separated by
 * single spaces. The count is null for anything but a product that was retrieved in stores.
 */
export const searchIndex = component('SearchIndex', {
  publication_revision: uuid,
  warnings,
  entries: z.array(
    z.strictObject({ hit: searchHit, terms: z.string(), reported_positive_store_count: count.nullable() }),
  ),
});
export type SearchIndex = z.infer<typeof searchIndex>;
