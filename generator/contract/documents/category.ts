import * as z from 'zod';
import { categoryId, count, text } from '../primitives.ts';
import { documentOf } from './envelope.ts';

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
