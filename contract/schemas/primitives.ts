import * as z from 'zod';
import { agencyCode, type CodeKind, type Profile, usualProfile } from '../profile.ts';
import { categoryPattern, cursorLimit, monthPattern } from '../vocabulary.ts';
import { warningCodes } from '../warnings.ts';

/** An object with exactly these members. The description of the service has a component with this name. */
export function component<Shape extends z.ZodRawShape>(id: string, shape: Shape) {
  return z.strictObject(shape).meta({ id });
}

/** A UUID in lower case, like every id that the service prints. */
export const uuid = z
  .stringFormat('uuid', /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/, {
    error: 'expected a UUID in lower case',
  })
  .meta({ description: 'UUID in lower case' });

/** An instant as the service prints it: `2024-01-02T22:26:37Z`, with a fraction only if the source gave one. */
export const dateTime = z.iso.datetime();

/** Routes carry times to the second. */
export const dateTimeToSecond = z.iso.datetime({ precision: 0 });

/**
 * The description of the service makes this schema more precise: `usual` in a site with the usual profile, and the
 * result of `ofSite` for the profile of any other site.
 */
export function bySite<Schema extends z.ZodType>(
  schema: Schema,
  usual: BySite['usual'],
  ofSite: BySite['ofSite'],
): Schema {
  return schema.meta({ bySite: { usual, ofSite } satisfies BySite });
}

export type BySite = { readonly usual: object | null; readonly ofSite: (profile: Profile) => object };

/** An optional member that only sites with a profile have. */
export function extra<Schema extends z.ZodType>(schema: Schema) {
  return unusual(schema.optional());
}

export function unusual<Schema extends z.ZodType>(schema: Schema): Schema {
  return bySite(schema, null, () => ({}));
}

const code = (kind: CodeKind) =>
  bySite(
    z.string().regex(new RegExp(`^${agencyCode}$`), 'expected a code of 0-9, A-Z and -'),
    { type: 'string', pattern: usualProfile[kind].pattern },
    (profile) => ({ type: 'string', pattern: profile[kind].pattern }),
  );

export const sku = code('sku');
export const storeCode = code('store_code');
export const slug = z.string().regex(/^[a-z0-9-]+$/, 'expected a slug of a-z, 0-9 and -');
export const categoryId = z
  .string()
  .regex(new RegExp(`^${categoryPattern}$`), 'expected a category id like cat_red_wine');
/** A month in UTC. */
export const month = z.string().regex(new RegExp(`^${monthPattern}$`), 'expected a month like 2025-06');
export const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'expected a SHA-256 in hex');

/** A text for readers: at least one character. */
export const text = z.string().min(1);

const literal = (kind: 'currency' | 'country', pattern: RegExp) =>
  bySite(z.string().regex(pattern), { type: 'string', const: usualProfile[kind] }, (profile) => ({
    type: 'string',
    const: profile[kind],
  }));

/** The currency of every amount, and the country of every store. */
export const currency = literal('currency', /^[A-Z]{3}$/);
export const country = literal('country', /^[A-Z]{2}$/);

/** A part of a postal address that some countries do not have. */
export const addressPart = bySite(z.string().nullable(), { type: 'string' }, ({ country: of }) =>
  of === usualProfile.country ? { type: 'string' } : { anyOf: [{ type: 'string' }, { type: 'null' }] },
);

export const count = z.int().min(0);
export const minorAmount = z.int().min(0).meta({ description: 'Amount in minor units of the currency' });

/** An absolute path, or an absolute URL if the build was given a base URL. */
export const address = z.string().regex(/^(\/|https?:\/\/)/, 'expected an absolute path or URL');

export const warningCode = z.enum(warningCodes);

export const warning = component('Warning', { code: warningCode });
export const warnings = z.array(warning);
export type Warning = z.infer<typeof warning>;

export const pageMeta = component('Page', {
  has_more: z.boolean(),
  next_cursor: z.string().max(cursorLimit).nullable(),
  cursor_expires_at: dateTime.nullable(),
});

export const pageLinks = component('PageLinks', { self: address, next: address.nullable() });

/** `{data, meta: {warnings}}`: a whole document. */
export function documentSchema<Data extends z.ZodType>(data: Data) {
  return z.strictObject({ data, meta: z.strictObject({ warnings }) });
}

/** `{data: [row], meta: {page, warnings}, links}`: one page of a list, `data` at most 100 rows. */
export function listSchema<Row extends z.ZodType>(row: Row) {
  return z.strictObject({
    data: z.array(row).max(100),
    meta: z.strictObject({ page: pageMeta, warnings }),
    links: pageLinks,
  });
}

export const observationTimes = component('ObservationTimes', {
  source_updated_at: dateTime.nullable(),
  retrieved_at: dateTime,
  published_at: dateTime,
});
export type ObservationTimes = z.infer<typeof observationTimes>;

export const moneyObservation = component('MoneyObservation', {
  amount_minor: minorAmount,
  currency,
  display: text,
  source: z.enum(['agency_workbook', 'agency_locator']),
  times: observationTimes,
});

export const priceRange = component('PriceRange', {
  currency,
  minimum_amount_minor: minorAmount,
  maximum_amount_minor: minorAmount,
});
export type PriceRange = z.infer<typeof priceRange>;

const inventoryFreshness = component('InventoryFreshness', {
  source_updated_at: dateTime.nullable(),
  retrieved_at_min: dateTime.nullable(),
  retrieved_at_max: dateTime.nullable(),
  published_at: dateTime.nullable(),
  upstream_age_known: z.literal(false),
});

export const freshness = component('Freshness', { catalog: observationTimes, inventory: inventoryFreshness });
export type Freshness = z.infer<typeof freshness>;

export const lastRefreshAttempt = z.strictObject({ attempted_at: dateTime, status: z.enum(['succeeded', 'failed']) });

/** The positive, zero, absent and unchecked stores of a product add up to `scope_store_count`. */
export const availabilitySummary = component('AvailabilitySummary', {
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
  /** Only where stock is reported for the whole state; null means unchecked so far. */
  reported_quantity: extra(count.nullable()),
});
export type AvailabilitySummary = z.infer<typeof availabilitySummary>;

export const pairState = z.enum(['reported_positive', 'reported_zero', 'row_absent', 'unchecked']);
export type PairState = z.infer<typeof pairState>;

export const observedState = pairState.exclude(['unchecked']);

export const purchaseEligibility = z.enum(['eligible', 'restricted', 'not_eligible']);
export type PurchaseEligibility = z.infer<typeof purchaseEligibility>;
