import * as z from 'zod';

/** A UUID in lower case, as every id of the service is printed. */
export const uuid = z
  .uuid()
  .regex(/^[^A-Z]*$/, 'expected a UUID in lower case')
  .meta({ description: 'UUID in lower case' });

/** A UTC date-time as the service prints it: `2024-01-02T22:26:37Z`, with a fraction only where the source gave one. */
export const dateTime = z.iso.datetime();

/** A UTC date-time to the second, as routes carry it. */
export const dateTimeToSecond = z.iso.datetime({ precision: 0 });

export const sku = z.string().regex(/^[0-9]{6}$/, 'expected six digits');
export const storeCode = z.string().regex(/^[0-9]{4}$/, 'expected four digits');
export const slug = z.string().regex(/^[a-z0-9-]+$/, 'expected a slug of a-z, 0-9 and -');
export const categoryId = z.string().regex(/^cat_[a-z0-9_]+$/, 'expected a category id like cat_red_wine');
export const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'expected a SHA-256 in hex');

/** A text that readers see: at least one character. */
export const text = z.string().min(1);

/** The currency of every amount, and the country of every store. */
export const currency = 'USD';
export const country = 'US';

export const count = z.int().min(0);
export const minorAmount = z.int().min(0).meta({ description: 'Minor currency units (cents)' });

/** An address inside a document: an absolute path, or an absolute URL when the build was given a base URL. */
export const address = z.string().regex(/^(\/|https?:\/\/)/, 'expected an absolute path or URL');
