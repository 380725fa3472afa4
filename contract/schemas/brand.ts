import * as z from 'zod';
import { categoryId, component, count, dateTime, slug, text, uuid, warnings } from './primitives.ts';

export const brand = component('Brand', {
  id: uuid,
  slug,
  name: text,
  product_count: count,
  family_count: count,
  category_ids: z.array(categoryId),
  inventory_retrieved_at: dateTime.nullable(),
});

/**
 * A brand in the list of brands.
 *
 * @example
 * ```ts
 * import type { Brand } from 'shelfpress/client';
 *
 * const rows: Brand[] = await site.brands({ q: 'wren' }).take(10);
 * console.log(rows.map(({ name, product_count }) => `${name}: ${product_count} products`));
 * ```
 */
export type Brand = z.infer<typeof brand>;

export const brandDetail = component('BrandDetail', {
  ...brand.shape,
  aliases: z.array(z.string()),
  families: z.array(z.strictObject({ id: uuid, slug, name: text, member_count: count })),
});
export type BrandDetail = z.infer<typeof brandDetail>;

/** All brands in the order of `/brands`, with folded name, slug and aliases. Filters of brands search these names. */
export const brandIndex = component('BrandIndex', {
  warnings,
  brands: z.array(z.strictObject({ brand, names: z.array(z.string()) })),
});
export type BrandIndex = z.infer<typeof brandIndex>;
