import * as z from 'zod';
import { address, count, sku, text, uuid } from '../primitives.ts';
import { warnings } from './envelope.ts';

export const searchKind = z.enum(['product', 'product_family', 'brand', 'store']);
export type SearchKind = z.infer<typeof searchKind>;

const found = { id: uuid, name: text, brand: text.nullable(), path: address };

export const searchHit = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('product'), ...found, agency_sku: sku }),
  z.strictObject({ kind: z.enum(['product_family', 'brand', 'store']), ...found }),
]);

export type SearchHit = z.infer<typeof searchHit>;

export const searchResult = z.strictObject({
  data: z.array(searchHit).max(100),
  meta: z.strictObject({ total: count, warnings }),
});

export type SearchResult = z.infer<typeof searchResult>;

/**
 * Everything that `/search` can find, for tools and for the shim. It has one entry per hit, in the order product,
 * family, brand, store, and by name within each kind. `terms` are the folded words that find an entry, separated by
 * single spaces.
 */
export const searchIndex = z
  .strictObject({
    publication_revision: uuid,
    warnings,
    entries: z.array(z.strictObject({ hit: searchHit, terms: z.string() })),
  })
  .meta({ id: 'SearchIndex' });

export type SearchIndex = z.infer<typeof searchIndex>;
