import * as z from 'zod';
import { categoryId, count, dateTime, slug, text, uuid } from '../primitives.ts';
import { warnings } from './warning.ts';

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
