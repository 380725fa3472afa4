import * as z from 'zod';
import { address, categoryId, count, currency, extra, minorAmount, sku, slug, text, uuid } from '../primitives.ts';
import { warnings } from './envelope.ts';
import { packageSize, productStatus } from './product.ts';

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

const { milliliters, container_count } = packageSize.shape;

/** A position in a table of the document, counted from 0. */
const position = count;

/**
 * `/products/browse.json`: the listed products in the order of `/products`, a column a field. Item n of every column is
 * of the same product. `brand`, `category` and `status` are positions in the tables. What a retrieval reports is null
 * for a product that was never retrieved; it is over the stores in scope, like an availability summary.
 */
export const browseIndex = z
  .strictObject({
    publication_revision: uuid,
    warnings,
    currency,
    count,
    brands: z.array(z.strictObject({ slug, name: text })),
    categories: z.array(categoryId),
    statuses: z.array(productStatus.omit({ source_raw: true })),
    columns: z
      .strictObject({
        sku: z.array(sku),
        name: z.array(text),
        brand: z.array(position.nullable()),
        category: z.array(position.nullable()),
        in_family: z.array(z.boolean()),
        price_minor: z.array(minorAmount.nullable()),
        milliliters: z.array(milliliters),
        container_count: z.array(container_count),
        /** Of the whole package; null where it is not established. A site of the usual profile has none. */
        total_milliliters: extra(z.array(milliliters)),
        status: z.array(position),
        reported_positive_store_count: z.array(count.nullable()),
        reported_quantity: z.array(count.nullable()),
        inventory_retrieved_on: z.array(z.iso.date().nullable()),
        meets_retrieval_policy: z.array(z.boolean()),
      })
      .meta({ id: 'BrowseColumns' }),
  })
  .meta({ id: 'BrowseIndex' });

export type BrowseIndex = z.infer<typeof browseIndex>;
