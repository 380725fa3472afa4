import * as z from 'zod';
import { catalogPresence, lifecycle, type ProductDetail } from '../documents/catalog.ts';
import { about } from '../documents/metadata.ts';
import { count, dateTime, minorAmount, sku, text, uuid, warnings } from '../primitives.ts';
import { codeMeaning, majorUnit, minorDigits, minorUnit, type Profile } from '../profile.ts';
import { changeColumns, changed, type NumberedEvent } from './change-pieces.ts';
import { type ExportSources, inventoryColumns, productColumns, storeColumns } from './export.ts';
import {
  type Column,
  type Columns,
  column,
  columnMaker,
  columnsIn,
  describe,
  type ExportFields,
  exportFieldDescription,
  exportSchemaVersion,
  textFor,
} from './table.ts';

/** The Parquet files of a publication: its exports, and its part of the table `daily`. */
export const publicationTable = z.enum(['products', 'stores', 'inventory', 'daily']);
export type PublicationTable = z.infer<typeof publicationTable>;

/** Every table that the service offers as Parquet. */
export type TableName = PublicationTable | 'changes';

/** The state of a product in a publication, as the database has it. */
export const dailyRow = z.object({
  publication: z.int().min(1),
  publication_revision: text,
  published_at: dateTime,
  agency_sku: sku,
  name: z.string(),
  brand: z.string().nullable(),
  catalog_presence: catalogPresence,
  price_amount_minor: minorAmount.nullable(),
  status_code: z.string(),
  lifecycle,
  inventory_attempted: z.boolean(),
  inventory_observed: z.boolean(),
  inventory_retrieved_at: dateTime.nullable(),
  positive_store_count: count.nullable(),
  reported_quantity: count.nullable(),
});
export type DailyRow = z.infer<typeof dailyRow>;

const dayColumn = columnMaker(dailyRow);

/** Turns a column of prices in minor units into one in the site's currency. */
const inMajorUnit = <Source>(prices: Column<Source>): Column<Source> => ({
  ...prices,
  type: 'decimal or null',
  unit: majorUnit,
});

const dailyPrice = dayColumn('price_amount_minor', 'Price in force; null: the catalog gives none', minorUnit);

/** The columns of `daily`, which has a row for each publication and each product listed by then. */
const dailyColumns = {
  publication: dayColumn('publication', 'Number of the publication, from 1'),
  publication_revision: dayColumn('publication_revision', 'Revision of the publication'),
  published_at: dayColumn('published_at', 'When it was published'),
  agency_sku: dayColumn(
    'agency_sku',
    codeMeaning('sku', "The product's code, leading zeros kept", "The product's code"),
  ),
  catalog_presence: dayColumn('catalog_presence', 'Whether the catalog in force lists the product'),
  price_amount_minor: dailyPrice,
  price_amount: { ...inMajorUnit(dailyPrice), meaning: 'The same price' },
  status_code: dayColumn('status_code', 'Source status code in force'),
  lifecycle: dayColumn('lifecycle', 'Lifecycle the status stands for'),
  inventory_attempted: dayColumn('inventory_attempted', 'Whether its inventory was asked for in this publication'),
  inventory_observed: dayColumn('inventory_observed', 'Whether that succeeded, so that the two numbers are new'),
  inventory_retrieved_at: dayColumn(
    'inventory_retrieved_at',
    'Last successful inventory retrieval; null: unchecked so far',
  ),
  positive_store_count: dayColumn(
    'positive_store_count',
    'Stores it reported to have the product, in scope or not; null: unchecked so far',
    'stores',
  ),
  reported_quantity: dayColumn(
    'reported_quantity',
    'Sum of the quantities it reported over all stores; 0 where no store has the product; null: unchecked so far',
    'packages',
  ),
};

/** Facts from the object `change` that have no column of their own in the record. */
const changeFacts = {
  previous_price: inMajorUnit(changeColumns.previous_price_minor),
  current_price: inMajorUnit(changeColumns.current_price_minor),
  price_difference: inMajorUnit(changeColumns.price_difference_minor),
  previous_status_label: changed('Source status label before', { status_changed: 'previous.label' }),
  current_status_label: changed('Source status label', {
    product_first_observed: 'current.status.label',
    status_changed: 'current.label',
  }),
  previous_lifecycle: changed('Lifecycle before', { status_changed: 'previous.lifecycle' }),
  current_lifecycle: changed('Lifecycle', {
    product_first_observed: 'current.status.lifecycle',
    status_changed: 'current.lifecycle',
  }),
  previous_name: presented('Name before', 'name', 'previous'),
  current_name: presented('Name', 'name', 'current', 'current.name'),
  previous_brand: presented('Name of the reviewed brand before', 'brand', 'previous'),
  current_brand: presented('Name of the reviewed brand', 'brand', 'current', 'current.brand'),
  previous_family: presented('Name of the family before', 'family', 'previous'),
  current_family: presented('Name of the family', 'family', 'current'),
  previous_category: presented('Category before', 'category', 'previous'),
  current_category: presented('Category', 'category', 'current'),
  previous_package: presented('Size as text before', 'package', 'previous'),
  current_package: presented('Size as text', 'package', 'current', 'current.package_size.display'),
};

/**
 * The value of a presentation field as text, or the name or text of what it refers to. `first`: where the first
 * observation of a product has the value.
 */
function presented(meaning: string, name: string, side: 'previous' | 'current', first?: string) {
  const observed = changed(meaning, first === undefined ? {} : { product_first_observed: first });
  return column(z.string().nullable(), meaning, (source: NumberedEvent) => {
    const { type, change } = source.event;
    if (type !== 'product_presentation_changed') return observed.of(source) as string | null;
    const value = change.fields.find(({ field }) => field === name)?.[side] ?? null;
    if (value === null || typeof value === 'string') return value;
    return 'name' in value ? value.name : 'display' in value ? value.display : null;
  });
}

/** What a row of each table is made from. */
export type TableSources = ExportSources & {
  readonly daily: DailyRow;
  readonly changes: NumberedEvent;
};

/** The columns of each table, in order. Columns that NDJSON also has keep their names, types and values. */
const tables: { readonly [Name in TableName]: Columns<TableSources[Name]> } = {
  products: insertedAfter<ProductDetail>(productColumns, 'price_amount_minor', {
    price_amount: inMajorUnit<ProductDetail>(productColumns.price_amount_minor),
  }),
  stores: storeColumns,
  inventory: inventoryColumns,
  daily: dailyColumns,
  changes: insertedAfter<NumberedEvent>(
    // Event ids are all different. As text they would be most of the file; as 16 bytes each they take half the space.
    { ...changeColumns, id: { ...changeColumns.id, type: 'uuid bytes' } },
    'presentation_fields',
    changeFacts,
  ),
};

function insertedAfter<Source>(columns: Columns<Source>, name: string, more: Columns<Source>): Columns<Source> {
  const entries = Object.entries(columns);
  const at = entries.findIndex(([other]) => other === name) + 1;
  return Object.fromEntries([...entries.slice(0, at), ...Object.entries(more), ...entries.slice(at)]);
}

/** How each table of a publication is described. */
export const tableMeanings: Readonly<Record<PublicationTable, string>> = {
  products: 'The records of products as columns: every product ever listed, by id.',
  stores: 'The records of stores as columns, by id.',
  inventory: 'The records of inventory as columns: every observed pair, by product and store.',
  daily: 'Price, status and reported inventory of every product as of this publication, by agency_sku.',
};

/** A column of a Parquet file. `type`: as in exports, without `or null`, which is in `isNullable`. */
export type TableColumn<Source = never> = {
  readonly name: string;
  readonly type: keyof typeof storedAs;
  readonly isNullable: boolean;
  /** For decimals: digits after the point. */
  readonly scale: number;
  readonly of: (source: Source) => unknown;
  /** The schema of the values in the records of NDJSON; null for a column that the records do not have. */
  readonly recordSchema: z.ZodType | null;
};

/** The columns of the records of each table; none for `daily`, which only Parquet has. */
const recordColumns: { readonly [Name in TableName]: Columns } = {
  products: productColumns,
  stores: storeColumns,
  inventory: inventoryColumns,
  daily: {},
  changes: changeColumns,
};

/** The columns of a table, with functions that make their values from rows. */
export function tableColumns<Name extends TableName>(table: Name, profile: Profile): TableColumn<TableSources[Name]>[] {
  const scale = minorDigits(profile.currency);
  return columnsIn<TableSources[Name]>(profile, tables[table]).map(([name, { type: wording, of }]) => {
    const type = textFor(profile, wording);
    const isNullable = type.endsWith(' or null');
    const recordSchema = recordColumns[table][name]?.schema ?? null;
    return { name, type: type.replace(/ or null$/, '') as TableColumn['type'], isNullable, scale, of, recordSchema };
  });
}

/** The columns of a table with type, unit and meaning. */
export function describeTable(table: TableName, profile: Profile): ExportFields {
  return describe(tables[table], profile);
}

/** The key of the header, as JSON, in the metadata of a Parquet file. */
export const headerKey = 'shelfpress';

/** The header of a Parquet file. For a file of one publication, the same as the header record of NDJSON. */
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

/** An element of the schema of a Parquet file, in the terms of its Thrift definition: a column, or the list in one. */
type StoredElement = {
  readonly name: string;
  readonly type?: 'BOOLEAN' | 'INT64' | 'DOUBLE' | 'BYTE_ARRAY' | 'FIXED_LEN_BYTE_ARRAY';
  readonly type_length?: number;
  readonly repetition_type?: 'REQUIRED' | 'OPTIONAL' | 'REPEATED';
  readonly num_children?: number;
  readonly converted_type?: 'UTF8' | 'DECIMAL' | 'TIMESTAMP_MICROS' | 'LIST';
  readonly logical_type?: { type: 'UUID' } | { type: 'STRING' } | typeof microsecondsInUtc;
  readonly precision?: number;
  readonly scale?: number;
};

const microsecondsInUtc = { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' } as const;
const textElement = { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } } as const;

/** How a file stores the columns of each type. A decimal also has a scale. */
const storedAs = {
  uuid: textElement,
  'uuid bytes': { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16, logical_type: { type: 'UUID' } },
  string: textElement,
  integer: { type: 'INT64' },
  decimal: { type: 'INT64', converted_type: 'DECIMAL', precision: 18 },
  number: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  'date-time': { type: 'INT64', converted_type: 'TIMESTAMP_MICROS', logical_type: microsecondsInUtc },
  'array of string': { converted_type: 'LIST', num_children: 1 },
  object: textElement,
} as const;

/** The elements below a list of texts. */
const listElements: readonly StoredElement[] = [
  { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
  { name: 'element', repetition_type: 'REQUIRED', ...textElement },
];

/** The schema of a file with these columns, as Parquet's list of elements. */
export function parquetSchema(columns: readonly TableColumn[]): StoredElement[] {
  const elements = columns.flatMap(({ name, type, isNullable, scale }): StoredElement[] => {
    const repetition_type = isNullable ? 'OPTIONAL' : 'REQUIRED';
    const element = { name, repetition_type, ...storedAs[type], ...(type === 'decimal' ? { scale } : {}) } as const;
    return type === 'array of string' ? [element, ...listElements] : [element];
  });
  return [{ name: 'root', num_children: columns.length }, ...elements];
}

/**
 * The value as a column stores it: a bigint for integers, instants (microseconds since 1970) and decimals (in their
 * smallest unit), JSON for objects, and any other value, or null, as it is.
 */
export function storedValue(type: TableColumn['type'], value: unknown): unknown {
  if (value === null) return null;
  switch (type) {
    case 'integer':
    case 'decimal':
      return BigInt(value as number);
    case 'date-time':
      return epochMicroseconds(value as string);
    case 'object':
      return JSON.stringify(value);
    default:
      return value;
  }
}

/** A canonical instant in microseconds since 1970. A fraction is cut after six digits. */
function epochMicroseconds(instant: string): bigint {
  const fraction = /\.(\d+)/.exec(instant)?.[1] ?? '';
  const wholeSeconds = Date.parse(`${instant.slice(0, 19)}Z`) / 1000;
  return BigInt(wholeSeconds) * 1_000_000n + BigInt(fraction.slice(0, 6).padEnd(6, '0'));
}
