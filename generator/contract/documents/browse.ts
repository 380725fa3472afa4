import * as z from 'zod';
import { categoryId, count, currency, minorAmount, sku, slug, text, uuid } from '../primitives.ts';
import { warnings } from './envelope.ts';
import { packageSize, productStatus } from './product.ts';

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
    currency: z.literal(currency),
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
export type BrowseColumns = BrowseIndex['columns'];
