import * as z from 'zod';
import { categoryId, count, dateTime, slug, text, uuid } from '../primitives.ts';
import { documentOf, warnings } from './envelope.ts';
import { freshness, priceRange } from './observation.ts';
import { familyMember } from './product.ts';

export const category = z
  .strictObject({
    id: categoryId,
    parent_id: categoryId.nullable(),
    name: text,
    active: z.boolean(),
    product_count: count,
    total_product_count: count,
  })
  .meta({ id: 'Category' });

export type Category = z.infer<typeof category>;

/** `/categories`, flat. */
export const categoryDocument = documentOf(z.array(category));

export const brand = z
  .strictObject({
    id: uuid,
    slug,
    name: text,
    product_count: count,
    family_count: count,
    category_ids: z.array(categoryId),
    inventory_retrieved_at: dateTime.nullable(),
  })
  .meta({ id: 'Brand' });

export type Brand = z.infer<typeof brand>;

export const brandDetail = z
  .strictObject({
    ...brand.shape,
    aliases: z.array(z.string()),
    families: z.array(z.strictObject({ id: uuid, slug, name: text, member_count: count })),
  })
  .meta({ id: 'BrandDetail' });

export type BrandDetail = z.infer<typeof brandDetail>;

/**
 * The rows of `/brands` in their order, each with its folded name, slug and aliases. Filters of brands search these
 * names.
 */
export const brandIndex = z
  .strictObject({ warnings, brands: z.array(z.strictObject({ brand, names: z.array(z.string()) })) })
  .meta({ id: 'BrandIndex' });

export type BrandIndex = z.infer<typeof brandIndex>;

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

export const familyRow = z.strictObject(familyIdentity).meta({ id: 'ProductFamilyRow' });

export type FamilyRow = z.infer<typeof familyRow>;

export const observedHistorySemantics =
  'current_family_members_published_observations_not_inferred_sales_or_continuous_history';

export const observedHistory = z
  .strictObject({
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
  })
  .meta({ id: 'ObservedHistory' });

export type ObservedHistory = z.infer<typeof observedHistory>;

export const family = z
  .strictObject({
    ...familyIdentity,
    inventory_retrieved_at: dateTime.nullable(),
    observed_history: observedHistory,
    members: z.array(familyMember).min(1),
  })
  .meta({ id: 'ProductFamily' });

export const familyDocument = z.strictObject({
  data: family,
  meta: z.strictObject({ warnings, freshness }),
});

export type FamilyDocument = z.infer<typeof familyDocument>;
