import * as z from 'zod';
import {
  categoryId,
  component,
  count,
  currency,
  dateTime,
  minorAmount,
  sku,
  slug,
  text,
  uuid,
  warnings,
} from './primitives.ts';
import { packageSize, productStatus } from './product.ts';

const { milliliters, container_count } = packageSize.shape;

/** A position in a table of the document, counted from 0. */
const position = count;

/**
 * `/products/browse.json`: the listed products in the order of `/products`, with a column for each field. Item n of
 * every column belongs to the same product. `brand`, `category` and `status` are positions in the tables. Columns from
 * retrievals cover the stores in scope, like an availability summary; they are null for a product that was never
 * retrieved.
 */
export const browseIndex = component('BrowseIndex', {
  publication_revision: uuid,
  warnings,
  currency,
  count,
  brands: z.array(z.strictObject({ slug, name: text })),
  categories: z.array(categoryId),
  statuses: z.array(productStatus.omit({ source_raw: true })),
  columns: component('BrowseColumns', {
    sku: z.array(sku),
    name: z.array(text),
    brand: z.array(position.nullable()),
    category: z.array(position.nullable()),
    in_family: z.array(z.boolean()),
    price_minor: z.array(minorAmount.nullable()),
    milliliters: z.array(milliliters),
    container_count: z.array(container_count),
    /** The volume of the whole package; null where it is not established. */
    total_milliliters: z.array(milliliters),
    status: z.array(position),
    reported_positive_store_count: z.array(count.nullable()),
    checked_store_count: z.array(count.nullable()),
    reported_quantity: z.array(count.nullable()),
    inventory_retrieved_on: z.array(z.iso.date().nullable()),
    meets_retrieval_policy: z.array(z.boolean()),
  }),
});

/**
 * `/products/absent.json`: the products that left the catalog, by name, with their last known values. Item n of every
 * column belongs to the same product. `last_listed_at`: when the last catalog that listed it was retrieved.
 */
export const absentIndex = component('AbsentIndex', {
  publication_revision: uuid,
  warnings,
  currency,
  count,
  columns: component('AbsentColumns', {
    sku: z.array(sku),
    name: z.array(text),
    brand: z.array(text.nullable()),
    milliliters: z.array(milliliters),
    container_count: z.array(container_count),
    price_minor: z.array(minorAmount.nullable()),
    last_listed_at: z.array(dateTime),
  }),
});

/**
 * The products that left the catalog: the result of `site.absentProducts`.
 *
 * @example
 * ```ts
 * import type { AbsentIndex } from 'shelfpress/client';
 *
 * const { count, columns }: AbsentIndex = await site.absentProducts();
 * console.log(count, columns.name[0], columns.last_listed_at[0]);
 * ```
 */
export type AbsentIndex = z.infer<typeof absentIndex>;

/**
 * The listed products as columns: the result of `site.browse`.
 *
 * @example
 * ```ts
 * import type { BrowseIndex } from 'shelfpress/client';
 *
 * const { count, columns, statuses }: BrowseIndex = await site.browse();
 * console.log(count, columns.name[0], statuses[columns.status[0] ?? 0]?.label);
 * ```
 */
export type BrowseIndex = z.infer<typeof browseIndex>;
