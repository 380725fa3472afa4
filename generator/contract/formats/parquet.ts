import * as z from 'zod';
import { about } from '../documents/about.ts';
import { warnings } from '../documents/envelope.ts';
import { catalogPresence, lifecycle } from '../documents/product.ts';
import { count, dateTime, minorAmount, sku, uuid } from '../primitives.ts';
import { type ChangeRecord, changeFields } from './change-pieces.ts';
import {
  describe,
  type ExportFields,
  exportFieldDescription,
  exportSchemaVersion,
  type Field,
  field,
  inventoryFields,
  type ProductRecord,
  productFields,
  storeFields,
} from './export.ts';

/** The Parquet files of a publication: those of its exports, and its part of the table `daily`. */
export const publicationTable = z.enum(['products', 'stores', 'inventory', 'daily']);
export type PublicationTable = z.infer<typeof publicationTable>;

/** Every table that the service has as Parquet. */
export type TableName = PublicationTable | 'changes';

const price = (meaning: string) => field('decimal or null', z.number().nullable(), meaning, 'US dollars');
const optional = (meaning: string) => field('string or null', z.string().nullable(), meaning);
const reported = (meaning: string, unit: string) => field('integer or null', count.nullable(), meaning, unit);

/** The columns of `daily`: a row for each publication and product that was listed by then. */
export const dailyFields = {
  publication: field('integer', z.int().min(1), 'Number of the publication, from 1'),
  publication_revision: field('string', uuid, 'Revision of the publication'),
  published_at: field('date-time', dateTime, 'When it was published'),
  agency_sku: field('string', sku, "The product's code, leading zeros kept"),
  catalog_presence: field('string', catalogPresence, 'Whether the catalog in force lists the product'),
  price_amount_minor: field(
    'integer or null',
    minorAmount.nullable(),
    'Price in force; null: the catalog gives none',
    'US cents',
  ),
  price_amount: price('The same price'),
  status_code: field('string', z.string(), 'Source status code in force'),
  lifecycle: field('string', lifecycle, 'Lifecycle the status stands for'),
  inventory_attempted: field('boolean', z.boolean(), 'Whether its inventory was asked for in this publication'),
  inventory_observed: field('boolean', z.boolean(), 'Whether that succeeded, so that the two numbers are new'),
  inventory_retrieved_at: field(
    'date-time or null',
    dateTime.nullable(),
    'Last successful inventory retrieval; null: unchecked so far',
  ),
  positive_store_count: reported(
    'Stores it reported to have the product, in scope or not; null: unchecked so far',
    'stores',
  ),
  reported_quantity: reported(
    'Sum of the quantities it reported over all stores; 0 where no store has the product; null: unchecked so far',
    'packages',
  ),
};

export type DailyRecord = {
  readonly [Name in keyof typeof dailyFields]: z.infer<(typeof dailyFields)[Name]['schema']>;
};

/** A column that NDJSON does not have, and its value: made of the value `from` of a record. */
type Derived = Field & { readonly from: string; readonly of: (value: unknown) => unknown };

function derived<Row, Name extends keyof Row & string>(
  described: Field,
  from: Name,
  of: (value: Row[Name]) => unknown,
): Derived {
  return { ...described, from, of: of as Derived['of'] };
}

/** A price in US dollars. It is stored in cents, as the column that it is made of. */
const dollars = <Row>(meaning: string, from: keyof Row & string) =>
  derived<Row, typeof from>(price(meaning), from, (cents) => cents);

/** Facts of the object `change` that its record has in no column of its own. */
const changeFacts = {
  previous_price: dollars<ChangeRecord>('Price before', 'previous_price_minor'),
  current_price: dollars<ChangeRecord>('Price', 'current_price_minor'),
  price_difference: dollars<ChangeRecord>('Difference of the two', 'price_difference_minor'),
  previous_status_label: fact('Source status label before', ['previous', 'label']),
  current_status_label: fact('Source status label', ['current', 'label'], ['current', 'status', 'label']),
  previous_lifecycle: fact('Lifecycle before', ['previous', 'lifecycle']),
  current_lifecycle: fact('Lifecycle', ['current', 'lifecycle'], ['current', 'status', 'lifecycle']),
  previous_name: presented('Name before', 'name', 'previous'),
  current_name: presented('Name', 'name', 'current', ['current', 'name']),
  previous_brand: presented('Name of the reviewed brand before', 'brand', 'previous'),
  current_brand: presented('Name of the reviewed brand', 'brand', 'current', ['current', 'brand']),
  previous_family: presented('Name of the family before', 'family', 'previous'),
  current_family: presented('Name of the family', 'family', 'current'),
  previous_category: presented('Category before', 'category', 'previous'),
  current_category: presented('Category', 'category', 'current'),
  previous_package: presented('Size as text before', 'package', 'previous'),
  current_package: presented('Size as text', 'package', 'current', ['current', 'package_size', 'display']),
};

type Path = readonly string[];

/** The text at the first of these paths of `change` that leads to one. */
function fact(meaning: string, ...paths: readonly Path[]): Derived {
  return derived<ChangeRecord, 'change'>(optional(meaning), 'change', (change) => textAt(change, paths));
}

/** The value of a presentation field: its text, or the name or text of the thing that it is. */
function presented(meaning: string, name: string, side: 'previous' | 'current', ...others: readonly Path[]): Derived {
  return derived<ChangeRecord, 'change'>(optional(meaning), 'change', (change) => {
    const fields = change.fields as readonly Record<string, unknown>[] | undefined;
    const value = fields?.find(({ field: own }) => own === name)?.[side] ?? null;
    return typeof value === 'string'
      ? value
      : (textAt({ value }, [
          ['value', 'name'],
          ['value', 'display'],
        ]) ?? textAt(change, others));
  });
}

function textAt(value: object, paths: readonly Path[]): string | null {
  for (const path of paths) {
    let at: unknown = value;
    for (const key of path) at = (at as Record<string, unknown> | null | undefined)?.[key];
    if (typeof at === 'string') return at;
  }
  return null;
}

/** Ids of events are all different. As 16 bytes each they take half the space; as text they would be most of the file. */
const distinctId = { ...changeFields.id, type: 'uuid bytes' };

type Columns = Readonly<Record<string, Field | Derived>>;

/** The columns of each table, in their order. Those of the NDJSON keep their names, types and values. */
const tables: Readonly<Record<TableName, Columns>> = {
  products: insertedAfter(productFields, 'price_amount_minor', {
    price_amount: dollars<ProductRecord>('Observed price', 'price_amount_minor'),
  }),
  stores: storeFields,
  inventory: inventoryFields,
  daily: dailyFields,
  changes: insertedAfter({ ...changeFields, id: distinctId }, 'presentation_fields', changeFacts),
};

function insertedAfter(columns: Columns, name: string, more: Columns): Columns {
  const entries = Object.entries(columns);
  const at = entries.findIndex(([own]) => own === name) + 1;
  return Object.fromEntries([...entries.slice(0, at), ...Object.entries(more), ...entries.slice(at)]);
}

/** What each table of a publication has. */
export const tableMeanings: Readonly<Record<PublicationTable, string>> = {
  products: 'The records of products as columns: every product ever listed, by id.',
  stores: 'The records of stores as columns, by id.',
  inventory: 'The records of inventory as columns: every observed pair, by product and store.',
  daily: 'Price, status and reported inventory of every product as of this publication, by agency_sku.',
};

/**
 * A column of a Parquet file. `type`: as exports name it, without `or null`, which `isNullable` says. Its value is made of the
 * value `from` of a record.
 */
export type TableColumn = {
  readonly name: string;
  readonly type: ColumnType;
  readonly isNullable: boolean;
  readonly from: string;
  readonly of: (value: unknown) => unknown;
};

const columnType = z.enum([
  'uuid',
  'uuid bytes',
  'string',
  'integer',
  'decimal',
  'number',
  'boolean',
  'date-time',
  'array of string',
  'object',
]);
export type ColumnType = z.infer<typeof columnType>;

/** The columns of a table, ready to take values from its records. */
export function tableColumns(table: TableName): readonly TableColumn[] {
  return Object.entries(tables[table]).map(([name, column]) => ({
    name,
    type: columnType.parse(column.type.replace(/ or null$/, '')),
    isNullable: column.type.endsWith(' or null'),
    ...('of' in column ? { from: column.from, of: column.of } : { from: name, of: itself }),
  }));
}

function itself(value: unknown): unknown {
  return value;
}

/** The columns of a table with type, unit and meaning. */
export function describeTable(table: TableName): ExportFields {
  return describe(tables[table]);
}

/** The key in the metadata of a Parquet file under which its header stands, as JSON. */
export const headerKey = 'shelfpress';

/** What a Parquet file says of itself: for a file of one publication, what the header record of NDJSON says. */
export const tableHeader = z.strictObject({
  resource: z.enum([...publicationTable.options, 'changes']),
  schema_version: z.literal(exportSchemaVersion),
  publication_revision: uuid.optional(),
  published_at: dateTime.optional(),
  record_count: count,
  warnings: warnings.optional(),
  about: about.optional(),
  fields: z.array(exportFieldDescription),
});

export type TableHeader = z.infer<typeof tableHeader>;
