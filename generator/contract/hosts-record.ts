import * as z from 'zod';

/** What is remembered beside the files that `hosts` writes. */
export const hostsFile = 'hosts.json';

/** How a site is served, as `hosts` was told; null where it was not. */
export const hostsRecord = z.strictObject({
  format: z.literal('shelfpress-hosts'),
  format_version: z.literal(1),
  root: z.string().nullable(),
  listen: z.string(),
  server_name: z.string().nullable(),
  shim: z.string().nullable(),
});
