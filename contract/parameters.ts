import type { AddressKind } from './address-paths.ts';
import { canonicalBound } from './instant.ts';
import { expectedCode, isCode, type Profile } from './profile.ts';
import { shortened } from './text.ts';
import {
  categoryPattern,
  changeTypes,
  cursorLimit,
  inventoryAges,
  purchaseEligibilityModes,
  searchKinds,
  strategyNames,
} from './vocabulary.ts';

/**
 * `text`: from `min` to `max` Unicode characters. `uuid`: any 8-4-4-4-12 hex digits in upper or lower case; the service
 * compares in lower case. `instant`: an RFC 3339 date-time that exists, no leap second, with a fraction of at most nine
 * digits: clocks are no finer, and a link that repeats the value stays short.
 */
export type ParameterKind =
  | { readonly type: 'integer' | 'number'; readonly min: number; readonly max: number }
  | { readonly type: 'text'; readonly min: number; readonly max: number }
  | { readonly type: 'word'; readonly words: readonly string[] }
  | { readonly type: 'category'; readonly max: number }
  | { readonly type: 'uuid' | 'sku' | 'instant' };

export type QueryParameter = {
  readonly is: ParameterKind;
  /** A comma-separated list of at most this many distinct values. */
  readonly list?: number;
  readonly required?: boolean;
  /** The reason for a refusal names this after "expected", unless the value is an agency's code. */
  readonly expects: string;
  readonly description: string;
};

const uuid = { type: 'uuid' } as const;
const sku = { type: 'sku' } as const;
const searchText = { type: 'text', min: 1, max: 200 } as const;
const limit = { type: 'integer', min: 1, max: 100 } as const;

function word<const Words extends readonly string[]>(words: Words) {
  return { type: 'word', words } as const;
}

function one<const Kind extends ParameterKind>(is: Kind, expects: string, description: string) {
  return { is, expects, description } as const;
}

function needed<const Kind extends ParameterKind>(is: Kind, expects: string, description: string) {
  return { is, required: true, expects, description } as const;
}

function list<const Kind extends ParameterKind>(is: Kind, most: number, expects: string, description: string) {
  return { is, list: most, expects, description } as const;
}

const page = {
  limit: one(
    limit,
    'an integer from 1 to 100',
    'Rows of a page, 1 to 100. Without it: one natural page, at most 100 rows.',
  ),
  cursor: one(
    { type: 'text', min: 1, max: cursorLimit },
    'a cursor from links.next or meta.page.next_cursor',
    'From links.next or meta.page.next_cursor; only with the query it was handed out for, 14 to 15 minutes.',
  ),
};

const outsideYears = 'What UTC puts outside the years 0000 to 9999 counts as the first or last instant in them.';
const instant = (description: string) =>
  one(
    { type: 'instant' },
    'an RFC 3339 date-time with a time zone and at most 9 digits of a fraction',
    `${description} ${outsideYears}`,
  );

const eventFilters = {
  store_id: one(uuid, 'a UUID', 'Only events of this store.'),
  types: list(word(changeTypes), 8, `event types of ${changeTypes.join(', ')}`, 'Only events of any of these types.'),
  since: instant('Only events with times.retrieved_at at or after this.'),
  until: instant('Only events with times.retrieved_at at or before this; not before since.'),
};

/** Sets of query parameters (contract.md 3). */
const query = {
  page,
  events: { ...eventFilters, ...page },
  allChanges: {
    product_id: one(uuid, 'a UUID', 'Only events of this product; not with sku.'),
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
      { type: 'category', max: 128 },
      20,
      'category ids like cat_red_wine, of at most 128 characters',
      'Brands with products in any of these categories or their active descendants.',
    ),
    sort: one(word(['name', '-name']), 'name or -name', 'Order; name is the default.'),
    ...page,
  },
  search: {
    q: needed(
      searchText,
      '1 to 200 characters',
      'Words to find, in any order; the last may be the beginning of a word.',
    ),
    kinds: list(word(searchKinds), 4, `kinds of ${searchKinds.join(', ')}`, 'Only hits of these kinds.'),
    limit: one(limit, 'an integer from 1 to 100', 'Hits at most, 1 to 100; 20 is the default.'),
  },
  comparison: {
    product_ids: list(uuid, 25, 'UUIDs', 'Products by id, in the order of the answer; this or skus, not both.'),
    skus: list(
      sku,
      25,
      'SKUs',
      'Products by current or unambiguous former SKU, in the order of the answer; this or product_ids.',
    ),
    lat: needed(
      { type: 'number', min: -90, max: 90 },
      'a plain decimal number from -90 to 90',
      'WGS84 latitude of the origin, written without an exponent.',
    ),
    lng: needed(
      { type: 'number', min: -180, max: 180 },
      'a plain decimal number from -180 to 180',
      'WGS84 longitude of the origin, written without an exponent.',
    ),
    radius_m: one(
      { type: 'integer', min: 1, max: 500_000 },
      'an integer from 1 to 500000',
      'Radius in metres; 50000 is the default.',
    ),
    strategies: list(
      word(strategyNames),
      5,
      `strategies of ${strategyNames.join(', ')}`,
      'Strategies to calculate, in the order of the answer; all by default.',
    ),
    purchase_eligibility: one(
      word(purchaseEligibilityModes),
      'eligible or any',
      'Plan against purchase-eligible pairs, or all positive ones; eligible is the default.',
    ),
    inventory_age: one(
      word(inventoryAges),
      'within_policy or any_age',
      'Whether observations older than the retrieval policy count; within_policy is the default.',
    ),
    max_stops: one(
      { type: 'integer', min: 1, max: 3 },
      'an integer from 1 to 3',
      'Stores of a plan at most; 3 is the default.',
    ),
  },
} satisfies Readonly<Record<string, Readonly<Record<string, QueryParameter>>>>;

const ofAddresses = {
  products: query.page,
  families: query.page,
  stores: query.page,
  brands: query.brandList,
  changes: query.allChanges,
  product_changes: query.events,
  family_changes: query.events,
  search: query.search,
  comparison: query.comparison,
} satisfies Partial<Readonly<Record<AddressKind, Readonly<Record<string, QueryParameter>>>>>;

export type QueryKind = keyof typeof ofAddresses;

/** The query parameters of an address; null if it takes none. */
export function parametersOf(kind: AddressKind): Readonly<Record<string, QueryParameter>> | null {
  return (ofAddresses as Partial<Record<AddressKind, Readonly<Record<string, QueryParameter>>>>)[kind] ?? null;
}

type ValueOfKind<Kind extends ParameterKind> = Kind extends { readonly words: readonly (infer Word)[] }
  ? Word
  : Kind extends { readonly type: 'integer' | 'number' }
    ? number
    : string;

type ValueOf<Parameter extends QueryParameter> = Parameter extends { readonly list: number }
  ? readonly ValueOfKind<Parameter['is']>[]
  : ValueOfKind<Parameter['is']>;

/** The parameters that a query states. Absent ones are left out. */
export type QueryOf<Kind extends QueryKind> = {
  readonly [Name in keyof (typeof ofAddresses)[Kind]]?: (typeof ofAddresses)[Kind][Name] extends QueryParameter
    ? ValueOf<(typeof ofAddresses)[Kind][Name]>
    : never;
};

/** A value in the form that the service compares, or the reason why the text is invalid. */
type ParameterValue = { readonly value: string | number | readonly (string | number)[] } | { readonly reason: string };

/** A reason repeats at most this many UTF-16 units of an invalid value. */
const repeatedCharacters = 80;

/** Reads the decoded text of a parameter (contract.md 3). The profile says what the agency's codes look like. */
export function parseParameter({ is, list, expects }: QueryParameter, text: string, profile: Profile): ParameterValue {
  const expected = () => (is.type === 'sku' ? expectedCode('sku', profile, list !== undefined) : expects);
  const texts = list === undefined ? [text] : text.split(',');
  if (list !== undefined && texts.length > list) {
    return { reason: `expected at most ${list} values, got ${texts.length}` };
  }
  const values: (string | number)[] = [];
  for (const one of texts) {
    if (one === '') return { reason: `expected ${expected()}, got an empty value` };
    const value = valueFrom(is, one, profile);
    const got = () => `got '${shortened(one, repeatedCharacters)}'`;
    if (value === null) return { reason: `expected ${expected()}, ${got()}` };
    if (values.includes(value)) return { reason: `expected each value once, ${got()} again` };
    values.push(value);
  }
  return { value: list === undefined ? (values[0] ?? text) : values };
}

const numbers = { integer: /^-?\d+$/, number: /^-?\d+(\.\d+)?$/ };
const anyCaseUuid = /^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;
const category = new RegExp(`^${categoryPattern}$`);

/** The value in the form that the service compares; null for invalid text. */
function valueFrom(is: ParameterKind, text: string, profile: Profile): string | number | null {
  switch (is.type) {
    case 'integer':
    case 'number': {
      // Adding zero turns -0 into 0.
      const number = numbers[is.type].test(text) ? Number(text) + 0 : Number.NaN;
      const isExact = is.type === 'number' || Number.isSafeInteger(number);
      return isExact && number >= is.min && number <= is.max ? number : null;
    }
    case 'text': {
      const { length } = [...text];
      return length >= is.min && length <= is.max ? text : null;
    }
    case 'word':
      return is.words.includes(text) ? text : null;
    case 'category':
      return category.test(text) && text.length <= is.max ? text : null;
    case 'sku':
      return isCode('sku', profile, text) ? text : null;
    case 'uuid':
      return anyCaseUuid.test(text) ? text.toLowerCase() : null;
    case 'instant':
      return /\.\d{10}/.test(text) ? null : canonicalBound(text);
  }
}
