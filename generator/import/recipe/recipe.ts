import * as z from 'zod';
import { type FactType, forFacts } from '../../../contract/product-facts.ts';
import { categoryId, flag, instant, name, utcInstant } from '../../snapshot/fields.ts';
import { about, snapshotHeader } from '../../snapshot/format.ts';
import { isPattern } from '../values/patterns.ts';

/* The schema of a recipe, format version 1. Unknown keys are faults: a misspelled key would have no effect. */

export const parts = ['products', 'stores', 'inventory'] as const;
export type Part = (typeof parts)[number];

const conversions = [
  ...(['text', 'code', 'integer', 'number', 'percent', 'proof', 'price', 'volume'] as const),
  ...(['date-time', 'phone', 'category', 'name-code'] as const),
] as const;
export type Conversion = (typeof conversions)[number];

const text = z.string().min(1, 'text that is not empty');
const columns = z.array(text).min(1, 'one column at least');
const pattern = text.refine(isPattern, 'a regular expression');
const table = z.record(z.string(), z.string().nullable());
const width = z.int('an integer').min(1, 'an integer from 1 to 20').max(20, 'an integer from 1 to 20');

/** How a value is made: from a column, several columns or a constant, then changed and converted in this order. */
const rule = z.strictObject({
  column: text.optional(),
  join: z.strictObject({ columns, with: z.string().optional() }).optional(),
  value: z.union([z.string(), z.number(), z.null()]).optional(),
  spaces: z.enum(['trim', 'collapse', 'keep']).optional(),
  null_when: z.array(z.string()).optional(),
  if_empty: z.string().optional(),
  extract: pattern.optional(),
  remove: pattern.optional(),
  replace: z.array(z.tuple([text, z.string()], 'a pair of texts')).optional(),
  lookup: z.union([text, table], 'the name of a lookup or an object').optional(),
  otherwise: z.string().nullable().optional(),
  case: z.enum(['title', 'upper', 'lower']).optional(),
  as: z.enum(conversions).optional(),
  pad: width.optional(),
  unit: z.enum(['ml', 'cl', 'l', 'fl oz']).optional(),
  decimal: z.enum(['.', ',']).optional(),
  times: z.int('an integer').min(1, 'an integer of at least 1').max(1_000_000, 'at most 1,000,000').optional(),
  zone: text.optional(),
  format: text.optional(),
  when_repeated: z.enum(['earlier', 'later']).optional(),
});
export type Rule = z.infer<typeof rule>;

const field = z.union([text, rule], 'a column or a rule');
const fields = z.record(z.string(), field);

const services = z.union(
  [
    z.strictObject({ column: text, split: text, lookup: z.union([text, table]).optional() }),
    z.strictObject({ flags: z.record(z.string(), text), yes: z.array(z.string()), no: z.array(z.string()) }),
  ],
  'column and split, or flags, yes and no',
);
export type Services = z.infer<typeof services>;

const condition = z.strictObject({
  column: text,
  equals: z.union([z.string(), z.array(z.string())]).optional(),
  matches: pattern.optional(),
  empty: z.literal(true).optional(),
  reason: name,
});
const unknownCode = z.strictObject({ not_in: z.enum(['products', 'stores']), reason: name });

const leaveOut = condition.refine(
  ({ equals, matches, empty }) => [equals, matches, empty].filter((one) => one !== undefined).length === 1,
  'one of equals, matches and empty',
);
export type LeaveOut = z.infer<typeof leaveOut> | z.infer<typeof unknownCode>;

const rowNumber = z.int('an integer').min(1, 'an integer of at least 1');

const fileKeys = z.strictObject({
  match: z.union([text, z.array(text).min(1)], 'a pattern, or a list of patterns'),
  type: z.enum(['csv', 'tsv', 'fixed', 'ndjson', 'json', 'xml', 'xlsx']),
  starts: z.array(rowNumber).min(2, 'two columns at least').refine(isAscending, 'ascending numbers').optional(),
  encoding: z.enum(['utf-8', 'windows-1250', 'windows-1252', 'utf-16', 'mixed']).optional(),
  delimiter: z.string().length(1, 'one character').optional(),
  quote: z.string().length(1, 'one character').nullable().optional(),
  header_row: z.union([rowNumber, z.array(rowNumber).min(1), z.null()], 'a row, a list of rows or null').optional(),
  decimal: z.enum(['.', ',']).optional(),
  nothing: z.union([z.enum(['empty', 'text']), z.array(text)], '"empty", "text" or a list of words').optional(),
  entities: z.enum(['decode', 'text']).optional(),
  sheet: text.optional(),
  records: z
    .string()
    .regex(/^(\/[^/]+)*$/, 'a path like /data/items')
    .optional(),
  key: text.optional(),
  unterminated: z.literal('accept').optional(),
  several: flag.optional(),
  optional: flag.optional(),
  ignore: z.array(text).optional(),
});
type FileKey = keyof z.infer<typeof fileKeys>;

const ofTypes: Readonly<Partial<Record<FileKey, readonly string[]>>> = {
  starts: ['fixed'],
  encoding: ['csv', 'tsv', 'fixed', 'ndjson', 'json', 'xml'],
  delimiter: ['csv', 'tsv'],
  quote: ['csv', 'tsv'],
  unterminated: ['csv', 'tsv'],
  header_row: ['csv', 'tsv', 'fixed', 'xlsx'],
  sheet: ['xlsx'],
  records: ['json', 'xml'],
  key: ['json'],
};

const file = fileKeys.superRefine((rule, context) => {
  for (const [key, types] of Object.entries(ofTypes)) {
    if (rule[key as FileKey] === undefined || types.includes(rule.type)) continue;
    context.addIssue({ code: 'custom', message: `no such key for ${rule.type}`, path: [key] });
  }
  if (rule.type === 'fixed' && rule.starts === undefined)
    context.addIssue({ code: 'custom', message: 'where each column begins, such as [1, 9, 43]', path: ['starts'] });
  if (rule.type === 'xml' && rule.records === undefined)
    context.addIssue({ code: 'custom', message: 'the path to the records, such as /list/item', path: ['records'] });
});
export type FileRule = z.infer<typeof file>;

const repeated = z.enum(['first', 'last', 'refuse']);
export type Repeated = z.infer<typeof repeated>;

const joined = z.strictObject({
  file: text,
  by: z.union([text, z.record(z.string(), text)], 'a column, or a column of each file'),
});
export type JoinRule = z.infer<typeof joined>;

const part = {
  from: text,
  joins: z.array(joined).optional(),
  fields,
  leave_out: z.array(leaveOut).optional(),
  repeated: repeated.optional(),
};

const times = z.strictObject({ source_updated_at: instant.nullable().optional(), retrieved_at: instant.optional() });
const { policy, retention, warnings, profile } = snapshotHeader.shape;

const curation = z.union(
  [
    z.strictObject({ file: text }),
    z.strictObject({ about: about.nullable().optional(), categories: z.literal('from_products') }),
    z.strictObject({
      about: about.nullable().optional(),
      categories: z.array(
        z.strictObject({ id: categoryId, parent_id: categoryId.nullable().optional(), name, active: flag.optional() }),
      ),
    }),
  ],
  'a file, or categories',
);

export const recipe = z.strictObject({
  $schema: z.string().optional(),
  description: text.optional(),
  format: z.literal('inventory-recipe'),
  format_version: z.literal(1),
  snapshot: z.strictObject({
    published_at: utcInstant.optional(),
    retrieved_at: instant.optional(),
    catalog: times.optional(),
    directory: times.optional(),
    policy,
    retention,
    warnings,
    profile,
  }),
  files: z.record(z.string(), file),
  lookups: z.record(z.string(), table).optional(),
  products: z.union([z.literal('none'), z.strictObject(part)], 'a part, or "none"').optional(),
  stores: z.strictObject({ ...part, each: text.optional(), services: services.optional() }).optional(),
  inventory: z
    .strictObject({
      ...part,
      leave_out: z.array(z.union([leaveOut, unknownCode], 'column and a condition, or not_in')).optional(),
      each: text.optional(),
      stores: z
        .strictObject({ columns: pattern, pad: width.optional(), lookup: z.union([text, table]).optional() })
        .optional(),
      scope: z
        .union([z.enum(['stores', 'rows']), z.array(text)], '"stores", "rows" or a list of store codes')
        .optional(),
      asked_for: z.enum(['products_in_rows', 'catalog']).optional(),
    })
    .optional(),
  curation: curation.optional(),
});
export type Recipe = z.infer<typeof recipe>;
export type ProductsRule = Exclude<NonNullable<Recipe['products']>, 'none'>;
export type InventoryRule = NonNullable<Recipe['inventory']>;

/** The rule of a part; undefined if the recipe does not read this part. */
export function partRule<Name extends Part>(recipe: Recipe, part: Name): Exclude<Recipe[Name], 'none'> | undefined {
  const rule = recipe[part];
  return rule === 'none' ? undefined : (rule as Exclude<Recipe[Name], 'none'> | undefined);
}

/** What `import --draft` writes where a person must decide. `import` reports each place that still has it. */
export const undecided = 'FILL IN';

/** The mark may be followed by what is allowed: `FILL IN: ml, cl, l`. */
export function isUndecided(value: unknown): value is string {
  return typeof value === 'string' && (value === undecided || value.startsWith(`${undecided}: `));
}

function isAscending(numbers: readonly number[]): boolean {
  return numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? 0));
}

/** A field of a snapshot that a recipe can fill. `fallback`: its value if the recipe does not name it. */
export type Target = {
  readonly field: string;
  readonly as: Conversion;
  readonly fallback?: unknown;
  readonly isPlanned?: boolean;
  readonly meaning: string;
};

const factConversions: Readonly<Record<FactType, Conversion>> = {
  money: 'price',
  instant: 'date-time',
  percent: 'percent',
  text: 'text',
  year: 'integer',
  gtin: 'code',
};

/**
 * The fields that a recipe can fill, by part. A field without a fallback is required. docs/importing.md prints this
 * table, and drafts start from it.
 */
export const targets: Readonly<Record<Part, readonly Target[]>> = {
  products: [
    required('sku', 'code', 'a SKU; `pad` adds lost zeros'),
    required('source_name', 'text', 'the name as the agency wrote it'),
    required('name', 'text', 'the title to show'),
    optional('size_ml', 'volume', 'the size, as milliliters'),
    optional('size_text', 'text', 'the size as the agency wrote it'),
    optional('size_of', 'text', 'what has this size: `container` or the whole `package`'),
    optional('pack_count', 'integer', 'containers that are sold together'),
    optional('price_minor', 'price', 'the price, in minor units of the currency'),
    required('price_source', 'text', '`agency_workbook` or `agency_locator`'),
    required('status_code', 'text', "the agency's code of the status"),
    required('status_label', 'text', 'the status in words'),
    required('status_raw', 'text', 'the status as the agency wrote it'),
    required('lifecycle', 'text', '`active`, `discontinued`, `restricted`, `unavailable` or `unknown`'),
    optional('category_id', 'text', 'a category of the curation; `"as": "category"` makes ids'),
    ...Object.values(
      forFacts(({ type, delivered }, fact) =>
        // A promotion may end long after its publication.
        optional(fact, factConversions[type], delivered, type === 'instant' ? { isPlanned: true } : {}),
      ),
    ),
  ],
  stores: [
    optional('inventory_store_code', 'code', 'a store code; `pad` adds lost zeros'),
    optional('directory_id', 'text', 'the id in the directory; one of the two is needed'),
    required('name', 'text', 'the name of the store'),
    required('address.line1', 'text', 'street and number'),
    optional('address.line2', 'text', 'the rest of the address'),
    required('address.city', 'text', 'city'),
    optional('address.region', 'text', 'state, such as `UT`; needed in `US`'),
    optional('address.postal_code', 'text', 'ZIP code; needed in `US`'),
    optional('phone', 'phone', 'telephone number, read by the country of the profile; written as `+18015550101`'),
    optional('location.latitude', 'number', 'degrees north'),
    optional('location.longitude', 'number', 'degrees east'),
    required('access_type', 'text', '`consumer_state_store`, `licensee_only`, `package_agency` or `unknown`'),
    optional('operational_status.state', 'text', '`open`, `temporarily_closed`, `permanently_closed` or `unknown`', {
      fallback: 'unknown',
    }),
    optional('operational_status.note', 'text', 'a note on the state'),
    optional('operational_status.source', 'text', '`reviewed_editorial` or `unknown`', { fallback: 'unknown' }),
    optional('regular_hours', 'text', 'opening hours as the agency wrote them'),
    optional('directory_presence.state', 'text', 'whether the directory still has the store', { fallback: 'present' }),
    optional(
      'directory_presence.last_seen_at',
      'date-time',
      'when it last had it; the time of retrieval where the state is `present`',
    ),
  ],
  inventory: [
    required('sku', 'code', 'a SKU; `pad` adds lost zeros'),
    required('store', 'code', 'a store code, where rows have one'),
    required('quantity', 'integer', 'the reported quantity'),
    optional('status', 'text', '`succeeded` or `failed`; a failed retrieval has no store and no quantity', {
      fallback: 'succeeded',
    }),
    optional('retrieved_at', 'date-time', 'time of the retrieval; else that of `snapshot` or `--retrieved-at`'),
    optional('attempted_at', 'date-time', 'time of the attempt; else that of the retrieval'),
    optional('source_updated_at', 'date-time', 'when the agency updated the quantity'),
  ],
};

function required(field: string, as: Conversion, meaning: string): Target {
  return { field, as, meaning };
}

function optional(field: string, as: Conversion, meaning: string, more: Partial<Target> = {}): Target {
  return { field, as, fallback: null, meaning, ...more };
}
