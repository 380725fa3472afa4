import * as z from 'zod';
import { count, currency, dateTime, extra, minorAmount, text } from '../primitives.ts';

export const observationTimes = z
  .strictObject({
    source_updated_at: dateTime.nullable(),
    retrieved_at: dateTime,
    published_at: dateTime,
  })
  .meta({ id: 'ObservationTimes' });

export type ObservationTimes = z.infer<typeof observationTimes>;

export const moneyObservation = z
  .strictObject({
    amount_minor: minorAmount,
    currency,
    display: text,
    source: z.enum(['agency_workbook', 'agency_locator']),
    times: observationTimes,
  })
  .meta({ id: 'MoneyObservation' });

export const priceRange = z
  .strictObject({
    currency,
    minimum_amount_minor: minorAmount,
    maximum_amount_minor: minorAmount,
  })
  .meta({ id: 'PriceRange' });

export type PriceRange = z.infer<typeof priceRange>;

export const inventoryFreshness = z
  .strictObject({
    source_updated_at: dateTime.nullable(),
    retrieved_at_min: dateTime.nullable(),
    retrieved_at_max: dateTime.nullable(),
    published_at: dateTime.nullable(),
    upstream_age_known: z.literal(false),
  })
  .meta({ id: 'InventoryFreshness' });

export const freshness = z
  .strictObject({ catalog: observationTimes, inventory: inventoryFreshness })
  .meta({ id: 'Freshness' });

export type Freshness = z.infer<typeof freshness>;

export const lastRefreshAttempt = z.strictObject({
  attempted_at: dateTime,
  status: z.enum(['succeeded', 'failed']),
});

/**
 * How much of a product's store scope was observed. The counts of positive, zero, absent and unchecked stores add up to
 * `scope_store_count`.
 */
export const availabilitySummary = z
  .strictObject({
    scope_store_count: count,
    reported_positive_store_count: count,
    eligible_positive_store_count: count,
    reported_zero_store_count: count,
    row_absent_store_count: count,
    unchecked_store_count: count,
    retrieved_at_min: dateTime.nullable(),
    retrieved_at_max: dateTime.nullable(),
    retrieval_policy_id: text,
    meets_retrieval_policy: z.boolean(),
    upstream_age_known: z.literal(false),
    last_refresh_attempt: lastRefreshAttempt.nullable(),
    /** Where stock is reported of the whole state; null: unchecked so far. */
    reported_quantity: extra(count.nullable()),
  })
  .meta({ id: 'AvailabilitySummary' });

export type AvailabilitySummary = z.infer<typeof availabilitySummary>;

export const pairState = z.enum(['reported_positive', 'reported_zero', 'row_absent', 'unchecked']);
export type PairState = z.infer<typeof pairState>;

export const purchaseEligibility = z.enum(['eligible', 'restricted', 'not_eligible']);
export type PurchaseEligibility = z.infer<typeof purchaseEligibility>;
