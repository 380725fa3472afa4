import * as z from 'zod';
import { searchKind } from './documents/catalog.ts';
import { changeType } from './documents/change.ts';
import { inventoryAge, purchaseEligibilityMode, strategyName } from './documents/store.ts';
import { canonicalBound } from './instant.ts';
import { categoryId, cursorLimit, sku } from './primitives.ts';
import { expectedCode, isCode, type Profile } from './profile.ts';
import { shortened } from './text.ts';

export type QueryParameter = {
  /** Schema of the value, or of each value of a list. */
  readonly schema: z.ZodType<string | number>;
  /** The parameter is a comma-separated list of at most this many distinct values. */
  readonly list?: number;
  readonly required?: boolean;
  /** What a reason names after "expected", unless the value is an agency's code. */
  readonly expects: string;
  readonly description: string;
};

/** A UUID in upper or lower case: any 8-4-4-4-12 hex digits. The service compares in lower case. */
const anyCaseUuid = z.guid();
const searchText = z.string().min(1).max(200);

/**
 * An RFC 3339 date-time in a query: a date that exists, no leap second, and a fraction of at most nine digits. Clocks
 * are no finer, and a link that repeats the value stays short.
 */
const instantParameter = z
  .string()
  .regex(
    new RegExp(
      `^(?:${z.regexes.date.source.slice(1, -1)})[Tt](?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?(?:[Zz]|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)$`,
    ),
  )
  .meta({ format: 'date-time' });
const limit = z.int().min(1).max(100);

/** A parameter of one value. */
function one<Schema extends QueryParameter['schema']>(schema: Schema, expects: string, description: string) {
  return { schema, expects, description } as const;
}

/** A required parameter. */
function needed<Schema extends QueryParameter['schema']>(schema: Schema, expects: string, description: string) {
  return { schema, required: true, expects, description } as const;
}

/** A parameter of several values. */
function list<Schema extends QueryParameter['schema']>(
  schema: Schema,
  most: number,
  expects: string,
  description: string,
) {
  return { schema, list: most, expects, description } as const;
}

const page = {
  limit: one(
    limit,
    'an integer from 1 to 100',
    'Rows of a page, 1 to 100. Without it: one natural page, at most 100 rows.',
  ),
  cursor: one(
    z.string().min(1).max(cursorLimit),
    'a cursor from links.next or meta.page.next_cursor',
    'From links.next or meta.page.next_cursor; only with the query it was handed out for, 14 to 15 minutes.',
  ),
};

const outsideYears = 'What UTC puts outside the years 0000 to 9999 counts as the first or last instant in them.';
const instant = (description: string) =>
  one(
    instantParameter,
    'an RFC 3339 date-time with a time zone and at most 9 digits of a fraction',
    `${description} ${outsideYears}`,
  );

const eventFilters = {
  store_id: one(anyCaseUuid, 'a UUID', 'Only events of this store.'),
  types: list(changeType, 8, `event types of ${changeType.options.join(', ')}`, 'Only events of any of these types.'),
  since: instant('Only events with times.retrieved_at at or after this.'),
  until: instant('Only events with times.retrieved_at at or before this; not before since.'),
};

/**
 * Sets of query parameters (contract.md 3). The table of addresses says which address takes which set. Most take none.
 */
export const query = {
  page,
  events: { ...eventFilters, ...page },
  allChanges: {
    product_id: one(anyCaseUuid, 'a UUID', 'Only events of this product; not with sku.'),
    sku: one(sku, 'a SKU', 'Only events of the product with this current or former SKU; not with product_id.'),
    ...eventFilters,
    ...page,
  },
  brandList: {
    q: one(
      searchText,
      '1 to 200 characters',
      'Part of a name, slug or alias; case, accents and apostrophes are ignored.',
    ),
    category_ids: list(
      categoryId.max(128),
      20,
      'category ids like cat_red_wine, of at most 128 characters',
      'Brands with products in any of these categories or their active descendants.',
    ),
    sort: one(z.enum(['name', '-name']), 'name or -name', 'Order; name is the default.'),
    ...page,
  },
  search: {
    q: needed(
      searchText,
      '1 to 200 characters',
      'Words to find, in any order; the last may be the beginning of a word.',
    ),
    kinds: list(searchKind, 4, `kinds of ${searchKind.options.join(', ')}`, 'Only hits of these kinds.'),
    limit: one(limit, 'an integer from 1 to 100', 'Hits at most, 1 to 100; 20 is the default.'),
  },
  comparison: {
    product_ids: list(anyCaseUuid, 25, 'UUIDs', 'Products by id, in the order of the answer; this or skus, not both.'),
    skus: list(
      sku,
      25,
      'SKUs',
      'Products by current or unambiguous former SKU, in the order of the answer; this or product_ids.',
    ),
    lat: needed(
      z.number().min(-90).max(90),
      'a plain decimal number from -90 to 90',
      'WGS84 latitude of the origin, written without an exponent.',
    ),
    lng: needed(
      z.number().min(-180).max(180),
      'a plain decimal number from -180 to 180',
      'WGS84 longitude of the origin, written without an exponent.',
    ),
    radius_m: one(
      z.int().min(1).max(500_000),
      'an integer from 1 to 500000',
      'Radius in metres; 50000 is the default.',
    ),
    strategies: list(
      strategyName,
      5,
      `strategies of ${strategyName.options.join(', ')}`,
      'Strategies to calculate, in the order of the answer; all by default.',
    ),
    purchase_eligibility: one(
      purchaseEligibilityMode,
      'eligible or any',
      'Plan against purchase-eligible pairs, or all positive ones; eligible is the default.',
    ),
    inventory_age: one(
      inventoryAge,
      'within_policy or any_age',
      'Whether observations older than the retrieval policy count; within_policy is the default.',
    ),
    max_stops: one(z.int().min(1).max(3), 'an integer from 1 to 3', 'Stores of a plan at most; 3 is the default.'),
  },
} satisfies Readonly<Record<string, Readonly<Record<string, QueryParameter>>>>;

/** A value in the form that the service compares, or the reason why the text is invalid. */
type ParameterValue = { readonly value: string | number | readonly (string | number)[] } | { readonly reason: string };

/** A reason repeats at most this many UTF-16 units of an invalid value. */
const repeatedCharacters = 80;

/** Reads the decoded text of a parameter, contract.md 3. The site's profile says what the agency's codes look like. */
export function parseParameter(
  { schema, list, expects }: QueryParameter,
  text: string,
  profile: Profile,
): ParameterValue {
  const isSku = schema === sku;
  const expected = () => (isSku ? expectedCode('sku', profile, list !== undefined) : expects);
  const isValid = (value: string | number) =>
    isSku ? isCode('sku', profile, String(value)) : schema.safeParse(value).success;
  const texts = list === undefined ? [text] : text.split(',');
  if (list !== undefined && texts.length > list) {
    return { reason: `expected at most ${list} values, got ${texts.length}` };
  }
  const values: (string | number)[] = [];
  for (const one of texts) {
    if (one === '') return { reason: `expected ${expected()}, got an empty value` };
    const value = convert(schema, one);
    const got = () => `got '${shortened(one, repeatedCharacters)}'`;
    if (value === null || !isValid(value)) return { reason: `expected ${expected()}, ${got()}` };
    if (values.includes(value)) return { reason: `expected each value once, ${got()} again` };
    values.push(value);
  }
  return { value: list === undefined ? (values[0] ?? text) : values };
}

/** Converts a text to the form of the schema's values. Returns null if no value has this text. */
function convert(schema: z.ZodType, text: string): string | number | null {
  if (schema instanceof z.ZodNumber) {
    const form = schema.isInt ? /^-?\d+$/ : /^-?\d+(\.\d+)?$/;
    // Adding zero turns -0 into 0.
    return form.test(text) ? Number(text) + 0 : null;
  }
  if (schema instanceof z.ZodGUID) return text.toLowerCase();
  if (schema === instantParameter) return schema.safeParse(text).success ? canonicalBound(text) : null;
  return text;
}
