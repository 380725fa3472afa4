import * as z from 'zod';
import {
  availabilitySummary,
  categoryId,
  component,
  count,
  dateTime,
  freshness,
  moneyObservation,
  priceRange,
  slug,
  text,
  uuid,
  warnings,
} from './primitives.ts';
import { productIdentity, productStatus, reducedPackageSize } from './product.ts';

const familyMember = component('FamilyMember', {
  ...productIdentity,
  relationship_type: z.string().nullable(),
  vintage_year: z.int().nullable(),
  age_statement: z.string().nullable(),
  package_size: reducedPackageSize,
  price: moneyObservation.nullable(),
  status: productStatus,
  inventory_retrieved_at: dateTime.nullable(),
  availability_summary: availabilitySummary,
});
export type FamilyMember = z.infer<typeof familyMember>;

const familyIdentity = {
  id: uuid,
  slug,
  name: text,
  brand: text,
  brand_id: uuid,
  member_count: count,
  category_ids: z.array(categoryId),
  price_range: priceRange.nullable(),
};

export const familyRow = component('ProductFamilyRow', familyIdentity);

/**
 * A product family in the list of families.
 *
 * @example
 * ```ts
 * import type { FamilyRow } from 'shelfpress/client';
 *
 * const rows: FamilyRow[] = await site.families().take(10);
 * console.log(rows.map(({ name, member_count }) => `${name}: ${member_count}`));
 * ```
 */
export type FamilyRow = z.infer<typeof familyRow>;

export const observedHistorySemantics =
  'current_family_members_published_observations_not_inferred_sales_or_continuous_history';

const observedHistory = component('ObservedHistory', {
  tracking_started_at: dateTime,
  earliest_observed_at: dateTime,
  latest_observed_at: dateTime,
  last_price_change_at: dateTime.nullable(),
  last_inventory_change_at: dateTime.nullable(),
  last_reported_positive_at: dateTime.nullable(),
  retained_change_count: count,
  recent_change_count_30d: count,
  member_count: count,
  members_reporting_stock: count,
  positive_store_product_pairs: count,
  retention_days: count,
  observed_price: priceRange.nullable(),
  semantics: z.literal(observedHistorySemantics),
});
export type ObservedHistory = z.infer<typeof observedHistory>;

const family = component('ProductFamily', {
  ...familyIdentity,
  inventory_retrieved_at: dateTime.nullable(),
  observed_history: observedHistory,
  members: z.array(familyMember).min(1),
});

export const familyDocument = z.strictObject({ data: family, meta: z.strictObject({ warnings, freshness }) });

/**
 * A product family with every current member, from `site.family.byId`.
 *
 * @example
 * ```ts
 * import type { FamilyDocument } from 'shelfpress/client';
 *
 * const [row] = await site.families().take(1);
 * if (row) {
 *   const { data }: FamilyDocument = await site.family.byId(row.id);
 *   console.log(data.observed_history.last_price_change_at);
 * }
 * ```
 */
export type FamilyDocument = z.infer<typeof familyDocument>;
