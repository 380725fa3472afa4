import * as z from 'zod';
import { agencyCode, type CodeKind, type Profile, usualProfile } from './profile.ts';

/** A UUID in lower case, as every id of the service is printed. */
export const uuid = z
  .uuid()
  .regex(/^[^A-Z]*$/, 'expected a UUID in lower case')
  .meta({ description: 'UUID in lower case' });

/** A UTC date-time as the service prints it: `2024-01-02T22:26:37Z`, with a fraction only where the source gave one. */
export const dateTime = z.iso.datetime();

/** A UTC date-time to the second, as routes carry it. */
export const dateTimeToSecond = z.iso.datetime({ precision: 0 });

/**
 * A schema that says less than a site does: the description of a site with another profile has `ofSite` in its place, which is
 * made of the profile, and that of any other site has `usual`.
 */
export function bySite<Schema extends z.ZodType>(schema: Schema, usual: object, ofSite: BySite['ofSite']): Schema {
  const bySite: BySite = { usual, ofSite };
  return schema.meta({ bySite });
}

export type BySite = { readonly usual: object | null; readonly ofSite: (profile: Profile) => object };

/** A member that a site without a profile does not have. */
export function extra<Schema extends z.ZodType>(schema: Schema) {
  return unusual(schema.optional());
}

/** A schema of what a site without a profile does not have. */
export function unusual<Schema extends z.ZodType>(schema: Schema): Schema {
  const bySite: BySite = { usual: null, ofSite: () => ({}) };
  return schema.meta({ bySite });
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
export const categoryId = z.string().regex(/^cat_[a-z0-9_]+$/, 'expected a category id like cat_red_wine');
export const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'expected a SHA-256 in hex');

/** A text that readers see: at least one character. */
export const text = z.string().min(1);

const literal = (kind: 'currency' | 'country', pattern: RegExp) =>
  bySite(z.string().regex(pattern), { type: 'string', const: usualProfile[kind] }, (profile) => ({
    type: 'string',
    const: profile[kind],
  }));

/** The currency of every amount, and the country of every store. */
export const currency = literal('currency', /^[A-Z]{3}$/);
export const country = literal('country', /^[A-Z]{2}$/);

/** A part of an address that some countries do not have. */
export const addressPart = bySite(z.string().nullable(), { type: 'string' }, ({ country: of }) =>
  of === usualProfile.country ? { type: 'string' } : { anyOf: [{ type: 'string' }, { type: 'null' }] },
);

export const count = z.int().min(0);
export const minorAmount = z.int().min(0).meta({ description: 'Minor currency units (cents)' });

/** An address inside a document: an absolute path, or an absolute URL when the build was given a base URL. */
export const address = z.string().regex(/^(\/|https?:\/\/)/, 'expected an absolute path or URL');
