import * as z from 'zod';
import { count, currency, dateTime, minorAmount } from '../primitives.ts';
import { warnings } from './envelope.ts';
import { catalogPresence, product, productStatus } from './product.ts';

/** Sequences of publications, ascending. */
const publications = z.array(z.int().min(1));
const times = z.array(dateTime);

const { id, source_ids, name, brand } = product.shape;
const { code, label, lifecycle } = productStatus.shape;

/**
 * `/products/{product_id}/series.json`: how a product changed, as columns. Items of the same position belong together.
 * A step holds until the next one. There is a retrieval for each attempt, and none for a publication without one.
 */
export const productSeries = z
  .strictObject({
    product: z.strictObject({ id, source_ids, name, brand }),
    warnings,
    currency: z.literal(currency),
    retention_days: count,
    retrievals: z
      .strictObject({
        publication: publications,
        attempted_at: times,
        succeeded: z.array(z.boolean()),
        reported_positive_store_count: z.array(count.nullable()),
        reported_quantity: z.array(count.nullable()),
      })
      .meta({ id: 'RetrievalSeries' }),
    prices: z
      .strictObject({ publication: publications, at: times, price_minor: z.array(minorAmount.nullable()) })
      .meta({ id: 'PriceSeries' }),
    statuses: z
      .strictObject({
        publication: publications,
        at: times,
        code: z.array(code),
        label: z.array(label),
        lifecycle: z.array(lifecycle),
      })
      .meta({ id: 'StatusSeries' }),
    presence: z
      .strictObject({ publication: publications, at: times, catalog_presence: z.array(catalogPresence) })
      .meta({ id: 'PresenceSeries' }),
  })
  .meta({ id: 'ProductSeries' });

export type ProductSeries = z.infer<typeof productSeries>;
