import * as z from 'zod';
import { agencyCode, type Profile, productFacts } from '../profile.ts';

/** Characters, or classes of them, each perhaps repeated: `^[0-9]{6}$`. Any text is matched in a moment. */
const codePattern = /^\^(?:(?:\[[0-9A-Z-]+\]|[0-9A-Z-])(?:\{\d{1,2}(?:,\d{0,2})?\}|[+?*])?)+\$$/;

const codes = z
  .strictObject({
    pattern: z.string().max(100).regex(codePattern),
    example: z.string().regex(new RegExp(`^${agencyCode}$`)),
  })
  .meta({ id: 'CodeFormat' });

/** A profile, as snapshots and `/metadata` have it. */
export const profile = z
  .strictObject({
    currency: z.string().regex(/^[A-Z]{3}$/),
    country: z.string().regex(/^[A-Z]{2}$/),
    language: z.string().regex(/^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/),
    time_zone: z.string().min(1).nullable(),
    statement: z.enum(['independent', 'agency']),
    sku: codes,
    store_code: codes,
    inventory: z.enum(['stores', 'statewide', 'none']),
    product_facts: z.array(z.enum(productFacts)),
  } satisfies Record<keyof Profile, z.ZodType>)
  .meta({ id: 'Profile' });

/** `/metadata` as far as it says what the profile of the site is; without one, it is as usual. */
export const metadataProfile = z.object({ data: z.object({ service: z.object({ profile: profile.optional() }) }) });
