import * as z from 'zod';
import { categoryId, component, count, documentSchema, text } from './primitives.ts';

export const category = component('Category', {
  id: categoryId,
  parent_id: categoryId.nullable(),
  name: text,
  active: z.boolean(),
  product_count: count,
  total_product_count: count,
});
export type Category = z.infer<typeof category>;

/** The list of `/categories` is flat. */
export const categoryDocument = documentSchema(z.array(category));
