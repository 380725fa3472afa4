import * as z from 'zod';
import { type CatalogPresence, catalogPresence, lifecycle, type ProductDetail } from '../documents/catalog.ts';
import { about } from '../documents/metadata.ts';
import { count, dateTime, minorAmount, sku, uuid, warnings } from '../primitives.ts';
import { codeMeaning, majorUnit, minorDigits, minorUnit, type Profile } from '../profile.ts';
import { changeColumns, type NumberedEvent } from './change-pieces.ts';
import { type ExportSources, inventoryColumns, productColumns, storeColumns } from './export.ts';
import {
  type Column,
  type Columns,
  columnOf,
  columnsIn,
  describe,
  type ExportFields,
  exportFieldDescription,
  exportSchemaVersion,
  saidIn,
} from './table.ts';

/** The Parquet files of a publication: those of its exports, and its part of the table `daily`. */
export const publicationTable = z.enum(['products', 'stores', 'inventory', 'daily']);
export type PublicationTable = z.infer<typeof publicationTable>;

/** Every table that the service has as Parquet. */
export type TableName = PublicationTable | 'changes';

/** What was in force of a product at a publication, as the database has it. */
export type DailyRow = {
  readonly publication: number;
  readonly publication_revision: string;
  readonly published_at: string;
  readonly agency_sku: string;
  readonly catalog_presence: CatalogPresence;
  readonly price_amount_minor: number | null;
  readonly status_code: string;
  readonly lifecycle: z.infer<typeof lifecycle>;
  readonly inventory_attempted: boolean;
  readonly inventory_observed: boolean;
  readonly inventory_retrieved_at: string | null;
  readonly positive_store_count: number | null;
  readonly reported_quantity: number | null;
};

const ofDay = columnOf<DailyRow>();

/** A price in the currency of the site. It is stored in the minor unit. */
const amount = ['decimal', z.int().nullable()] as const;

/** The columns of `daily`: a row for each publication and product that was listed by then. */
const dailyColumns = {
  publication: ofDay('integer', z.int().min(1), 'Number of the publication, from 1', (row) => row.publication),
  publication_revision: ofDay('string', uuid, 'Revision of the publication', (row) => row.publication_revision),
  published_at: ofDay('date-time', dateTime, 'When it was published', (row) => row.published_at),
  agency_sku: ofDay(
    'string',
    sku,
    codeMeaning('sku', "The product's code, leading zeros kept", "The product's code"),
    (row) => row.agency_sku,
  ),
  catalog_presence: ofDay(
    'string',
    catalogPresence,
    'Whether the catalog in force lists the product',
    (row) => row.catalog_presence,
  ),
  price_amount_minor: ofDay(
    'integer',
    minorAmount.nullable(),
    'Price in force; null: the catalog gives none',
    (row) => row.price_amount_minor,
    minorUnit,
  ),
  price_amount: ofDay(...amount, 'The same price', (row) => row.price_amount_minor, majorUnit),
  status_code: ofDay('string', z.string(), 'Source status code in force', (row) => row.status_code),
  lifecycle: ofDay('string', lifecycle, 'Lifecycle the status stands for', (row) => row.lifecycle),
  inventory_attempted: ofDay(
    'boolean',
    z.boolean(),
    'Whether its inventory was asked for in this publication',
    (row) => row.inventory_attempted,
  ),
  inventory_observed: ofDay(
    'boolean',
    z.boolean(),
    'Whether that succeeded, so that the two numbers are new',
    (row) => row.inventory_observed,
  ),
  inventory_retrieved_at: ofDay(
    'date-time',
    dateTime.nullable(),
    'Last successful inventory retrieval; null: unchecked so far',
    (row) => row.inventory_retrieved_at,
  ),
  positive_store_count: ofDay(
    'integer',
    count.nullable(),
    'Stores it reported to have the product, in scope or not; null: unchecked so far',
    (row) => row.positive_store_count,
    'stores',
  ),
  reported_quantity: ofDay(
    'integer',
    count.nullable(),
    'Sum of the quantities it reported over all stores; 0 where no store has the product; null: unchecked so far',
    (row) => row.reported_quantity,
    'packages',
  ),
};

const ofEvent = columnOf<NumberedEvent>();
const cents = (meaning: string, { of }: Column<NumberedEvent>) =>
  ofEvent(...amount, meaning, (source) => of(source) as number | null, majorUnit);

/** Facts of the object `change` that its record has in no column of its own. */
const changeFacts = {
  previous_price: cents('Price before', changeColumns.previous_price_minor),
  current_price: cents('Price', changeColumns.current_price_minor),
  price_difference: cents('Difference of the two', changeColumns.price_difference_minor),
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
function fact(meaning: string, ...paths: readonly Path[]) {
  return ofEvent('string', z.string().nullable(), meaning, ({ event }) => textAt(event.change, paths));
}

/** The value of a presentation field: its text, or the name or text of the thing that it is. */
function presented(meaning: string, name: string, side: 'previous' | 'current', ...others: readonly Path[]) {
  return ofEvent('string', z.string().nullable(), meaning, ({ event }) => {
    const fields = event.type === 'product_presentation_changed' ? event.change.fields : [];
    const value = fields.find(({ field }) => field === name)?.[side] ?? null;
    const paths = [['value'], ['value', 'name'], ['value', 'display']];
    return textAt({ value }, paths) ?? textAt(event.change, others);
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

/** What a row of each table is made of. */
export type TableSources = ExportSources & {
  readonly daily: DailyRow;
  readonly changes: NumberedEvent;
};

/** The columns of each table, in their order. Those of the NDJSON keep their names, types and values. */
const tables: { readonly [Name in TableName]: Columns<TableSources[Name]> } = {
  products: insertedAfter<ProductDetail>(productColumns, 'price_amount_minor', {
    price_amount: columnOf<ProductDetail>()(
      ...amount,
      'Observed price',
      ({ price }) => price?.amount_minor ?? null,
      majorUnit,
    ),
  }),
  stores: storeColumns,
  inventory: inventoryColumns,
  daily: dailyColumns,
  changes: insertedAfter<NumberedEvent>(
    // Ids of events are all different. As 16 bytes each they take half the space; as text they would be most of the file.
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

/** What each table of a publication has. */
export const tableMeanings: Readonly<Record<PublicationTable, string>> = {
  products: 'The records of products as columns: every product ever listed, by id.',
  stores: 'The records of stores as columns, by id.',
  inventory: 'The records of inventory as columns: every observed pair, by product and store.',
  daily: 'Price, status and reported inventory of every product as of this publication, by agency_sku.',
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

/** A column of a Parquet file. `type`: as exports name it, without `or null`, which `isNullable` says. */
export type TableColumn<Source = never> = {
  readonly name: string;
  readonly type: z.infer<typeof columnType>;
  readonly isNullable: boolean;
  /** Digits after the point, of a decimal. */
  readonly scale: number;
  readonly of: (source: Source) => unknown;
};

/** The columns of a table, ready to make values of its rows. */
export function tableColumns<Name extends TableName>(table: Name, profile: Profile): TableColumn<TableSources[Name]>[] {
  const scale = minorDigits(profile.currency);
  return columnsIn<TableSources[Name]>(profile, tables[table]).map(([name, { type: said, of }]) => {
    const type = saidIn(profile, said);
    const isNullable = type.endsWith(' or null');
    return { name, type: columnType.parse(type.replace(/ or null$/, '')), isNullable, scale, of };
  });
}

/** The columns of a table with type, unit and meaning. */
export function describeTable(table: TableName, profile: Profile): ExportFields {
  return describe(tables[table], profile);
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

/** An element of the schema of a Parquet file, as thrift has it: a column, or the list in one. */
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

/** The schema of a file with these columns. */
export function schemaOf(columns: readonly TableColumn[]): StoredElement[] {
  return [{ name: 'root', num_children: columns.length }, ...columns.flatMap(elementsOf)];
}

function elementsOf({ name, type, isNullable, scale }: TableColumn): StoredElement[] {
  const element = { name, repetition_type: isNullable ? 'OPTIONAL' : 'REQUIRED' } as const;
  switch (type) {
    case 'uuid':
    case 'string':
    case 'object':
      return [{ ...element, ...textElement }];
    case 'uuid bytes':
      return [{ ...element, type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16, logical_type: { type: 'UUID' } }];
    case 'integer':
      return [{ ...element, type: 'INT64' }];
    case 'decimal':
      return [{ ...element, type: 'INT64', converted_type: 'DECIMAL', precision: 18, scale }];
    case 'number':
      return [{ ...element, type: 'DOUBLE' }];
    case 'boolean':
      return [{ ...element, type: 'BOOLEAN' }];
    case 'date-time':
      return [{ ...element, type: 'INT64', converted_type: 'TIMESTAMP_MICROS', logical_type: microsecondsInUtc }];
    case 'array of string':
      return [
        { ...element, converted_type: 'LIST', num_children: 1 },
        { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
        { name: 'element', repetition_type: 'REQUIRED', ...textElement },
      ];
  }
}

/**
 * What a column stores: null, a bigint for integers, instants (microseconds since 1970) and decimals (in their smallest unit),
 * JSON for objects, and any other value as it is.
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

/** A canonical text in microseconds since 1970. Digits after the sixth of a fraction are dropped. */
function epochMicroseconds(instant: string): bigint {
  const fraction = /\.(\d+)/.exec(instant)?.[1] ?? '';
  const wholeSeconds = Date.parse(`${instant.slice(0, 19)}Z`) / 1000;
  return BigInt(wholeSeconds) * 1_000_000n + BigInt(fraction.slice(0, 6).padEnd(6, '0'));
}
