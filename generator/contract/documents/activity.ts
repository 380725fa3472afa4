import * as z from 'zod';
import { count, currency, dateTime, minorAmount, uuid } from '../primitives.ts';
import { type ChangeType, changeType, eventProduct } from './change.ts';
import { warnings } from './envelope.ts';

/** Publications that the document has at most, and products in each of its lists. */
export const mostActivePublications = 60;
export const mostActiveProducts = 10;

const products = <Entry extends z.ZodType>(entry: Entry) => z.array(entry).max(mostActiveProducts);

const priceMove = z
  .strictObject({ product: eventProduct, previous_minor: minorAmount, current_minor: minorAmount })
  .meta({ id: 'PriceMove' });

/**
 * `/metadata/activity.json`: how many events of each type the newest publications brought, as columns, and what changed
 * most in the newest one. `prices` is about the newest of these publications that changed a price; null where none did.
 */
export const activity = z
  .strictObject({
    publication_revision: uuid,
    warnings,
    currency: z.literal(currency),
    publications: z
      .strictObject({
        publication: z.array(z.int().min(1)).min(1).max(mostActivePublications),
        published_at: z.array(dateTime),
        events: z
          .strictObject(
            Object.fromEntries(changeType.options.map((type) => [type, z.array(count)])) as Record<
              ChangeType,
              z.ZodArray<typeof count>
            >,
          )
          .meta({ id: 'EventCounts' }),
      })
      .meta({ id: 'PublicationActivity' }),
    most_changed: products(
      z.strictObject({ product: eventProduct, event_count: z.int().min(1) }).meta({ id: 'ChangedProduct' }),
    ),
    prices: z
      .strictObject({
        publication: z.int().min(1),
        published_at: dateTime,
        rise_count: count,
        fall_count: count,
        largest_rises: products(priceMove),
        largest_falls: products(priceMove),
      })
      .meta({ id: 'PriceActivity' })
      .nullable(),
  })
  .meta({ id: 'Activity' });

export type Activity = z.infer<typeof activity>;
export type PriceMove = z.infer<typeof priceMove>;
