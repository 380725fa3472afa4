import * as z from 'zod';
import { address, dateTime } from '../primitives.ts';
import { warnings } from './warning.ts';

export const pageMeta = z
  .strictObject({
    has_more: z.boolean(),
    next_cursor: z.string().max(2048).nullable(),
    cursor_expires_at: dateTime.nullable(),
  })
  .meta({ id: 'Page' });

export const pageLinks = z.strictObject({ self: address, next: address.nullable() }).meta({ id: 'PageLinks' });

/** `{data, meta: {warnings}}`: a whole document. */
export function documentOf<Data extends z.ZodType>(data: Data) {
  return z.strictObject({ data, meta: z.strictObject({ warnings }) });
}

/** `{data: [row], meta: {page, warnings}, links}`: one page of a list, `data` at most 100 rows. */
export function listOf<Row extends z.ZodType>(row: Row) {
  return z.strictObject({
    data: z.array(row).max(100),
    meta: z.strictObject({ page: pageMeta, warnings }),
    links: pageLinks,
  });
}
