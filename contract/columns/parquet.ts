import * as z from 'zod';
import { minorDigits, type Profile } from '../profile.ts';
import { changeColumns, type NumberedEvent } from '../schemas/change-pieces.ts';
import { about } from '../schemas/metadata.ts';
import { count, dateTime, uuid, warnings } from '../schemas/primitives.ts';
import type { ProductDetail } from '../schemas/product.ts';
import { type PublicationTable, publicationTables } from '../vocabulary.ts';
import { type ExportSources, inventoryColumns, productColumns, storeColumns } from './export.ts';
import {
  changesHistoryColumns,
  type DailyRow,
  dailyColumns,
  dailyHistoryColumns,
  type PublishedEvent,
  pieceColumns,
} from './history-tables.ts';
import {
  type CategorySpan,
  type CoverageRow,
  categoriesColumns,
  coverageColumns,
  type ProductSpan,
  productsOverTimeColumns,
  type StoreSpan,
  storesOverTimeColumns,
} from './over-time-tables.ts';
import {
  type Columns,
  columnsIn,
  describe,
  type ExportFields,
  exportFieldDescription,
  exportSchemaVersion,
  inMajorUnit,
  insertedAfter,
  textFor,
} from './table.ts';

/** Tables of one publication: its exports, and its part of the table `daily`. */
export const publicationTable = z.enum(publicationTables);

/**
 * Each publication adds rows to these tables over time: `daily` of all publications, all pieces of the change history,
 * and the coverage of retrievals. The rows are sorted in runs.
 */
export const historyTable = z.enum(['daily_history', 'changes_history', 'coverage']);
export type HistoryTable = z.infer<typeof historyTable>;

/** A publication can end the validity of a row in these tables. */
export const versionTable = z.enum(['products_over_time', 'stores_over_time', 'categories']);
export type VersionTable = z.infer<typeof versionTable>;

/** Tables over time that give context to others. */
export const contextTable = z.enum([...versionTable.options, 'coverage']);
export type ContextTable = z.infer<typeof contextTable>;

/** `changes` is a piece of the change history. */
export type TableName = PublicationTable | 'changes' | HistoryTable | VersionTable;

export function tableResource(table: TableName): PublicationTable | 'changes' | ContextTable {
  return table === 'daily_history' ? 'daily' : table === 'changes_history' ? 'changes' : table;
}

export type TableSources = ExportSources & {
  readonly daily: DailyRow;
  readonly daily_history: DailyRow;
  readonly changes: NumberedEvent;
  readonly changes_history: PublishedEvent;
  readonly coverage: CoverageRow;
  readonly products_over_time: ProductSpan;
  readonly stores_over_time: StoreSpan;
  readonly categories: CategorySpan;
};

/** The columns of each table, in order. Columns that NDJSON also has keep their names, types and values. */
const tables: { readonly [Name in TableName]: Columns<TableSources[Name]> } = {
  products: insertedAfter<ProductDetail>(productColumns, 'price_amount_minor', {
    price_amount: inMajorUnit<ProductDetail>(productColumns.price_amount_minor),
  }),
  stores: storeColumns,
  inventory: inventoryColumns,
  daily: dailyColumns,
  daily_history: dailyHistoryColumns,
  changes: pieceColumns,
  changes_history: changesHistoryColumns,
  coverage: coverageColumns,
  products_over_time: productsOverTimeColumns,
  stores_over_time: storesOverTimeColumns,
  categories: categoriesColumns,
};

export const tableMeanings: Readonly<Record<PublicationTable, string>> = {
  products: 'The records of products as columns: every product ever listed, by id.',
  stores: 'The records of stores as columns, by id.',
  inventory: 'The records of inventory as columns: every observed pair, by product and store.',
  daily: 'Price, status and reported inventory of every product as of this publication, by agency_sku.',
};

/** `type`: the type that exports state, without `or null`, because `isNullable` says that. */
export type TableColumn<Source = never> = {
  readonly name: string;
  readonly type: keyof typeof storedAs;
  readonly isNullable: boolean;
  /** For decimals: how many digits follow the point. */
  readonly scale: number;
  readonly of: (source: Source) => unknown;
  /** The schema of the values in NDJSON records; null for a column that they lack. */
  readonly recordSchema: z.ZodType | null;
};

/**
 * The columns that a table shares with its NDJSON records. Tables without NDJSON have none. Nor has the table of the
 * whole change history, because its events are checked as records of the pieces.
 */
const recordColumns: { readonly [Name in TableName]: Columns } = {
  products: productColumns,
  stores: storeColumns,
  inventory: inventoryColumns,
  daily: {},
  daily_history: {},
  changes: changeColumns,
  changes_history: {},
  coverage: {},
  products_over_time: {},
  stores_over_time: {},
  categories: {},
};

/** Each column includes a function that makes its value from a row. */
export function tableColumns<Name extends TableName>(table: Name, profile: Profile): TableColumn<TableSources[Name]>[] {
  const scale = minorDigits(profile.currency);
  return columnsIn<TableSources[Name]>(profile, tables[table]).map(([name, { type: wording, of }]) => {
    const type = textFor(profile, wording);
    const isNullable = type.endsWith(' or null');
    const recordSchema = recordColumns[table][name]?.schema ?? null;
    return { name, type: type.replace(/ or null$/, '') as TableColumn['type'], isNullable, scale, of, recordSchema };
  });
}

/** The constraints of Table Schema for each column, by its name. */
export function columnConstraints(
  table: TableName,
  profile: Profile,
): ReadonlyMap<string, { readonly constraints?: { readonly required?: true; readonly enum?: string[] } }> {
  return new Map(
    columnsIn(profile, tables[table] as Columns).map(([name, { schema, type }]) => {
      const isNullable = textFor(profile, type).endsWith(' or null');
      const plain = schema instanceof z.ZodNullable ? schema.unwrap() : schema;
      const words = plain instanceof z.ZodEnum ? { enum: plain.options.map(String) } : {};
      const constraints = { ...(isNullable ? {} : { required: true as const }), ...words };
      return [name, Object.keys(constraints).length > 0 ? { constraints } : {}];
    }),
  );
}

export function describeTable(table: TableName, profile: Profile): ExportFields {
  return describe(tables[table], profile);
}

/** The metadata of a Parquet file have the header under this key, as JSON. */
export const headerKey = 'shelfpress';

/** The header of a table. In a file of one publication it is the same as the header record of NDJSON. */
export const tableHeader = z.strictObject({
  resource: z.enum([...publicationTable.options, 'changes', ...contextTable.options]),
  schema_version: z.literal(exportSchemaVersion),
  publication_revision: uuid.optional(),
  published_at: dateTime.optional(),
  record_count: count,
  warnings: warnings.optional(),
  about: about.optional(),
  /** The runs of a table over time, in the order of their rows. `first` and `last` are publications or events. */
  runs: z.array(z.strictObject({ first: z.int().min(1), last: z.int().min(1), record_count: count })).optional(),
  fields: z.array(exportFieldDescription),
});
export type TableHeader = z.infer<typeof tableHeader>;

/** An element of a Parquet file's schema, in the terms of its Thrift definition: a column, or the list in one. */
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

/** How Parquet stores each type. A decimal also has a scale. */
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

const listElements: readonly StoredElement[] = [
  { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
  { name: 'element', repetition_type: 'REQUIRED', ...textElement },
];

/** Parquet writes a schema as a list of elements. */
export function parquetSchema(columns: readonly TableColumn[]): StoredElement[] {
  const elements = columns.flatMap(({ name, type, isNullable, scale }): StoredElement[] => {
    const repetition_type = isNullable ? 'OPTIONAL' : 'REQUIRED';
    const element = { name, repetition_type, ...storedAs[type], ...(type === 'decimal' ? { scale } : {}) } as const;
    return type === 'array of string' ? [element, ...listElements] : [element];
  });
  return [{ name: 'root', num_children: columns.length }, ...elements];
}

/**
 * A bigint for integers, instants (microseconds since 1970) and decimals (in their smallest unit), JSON for objects,
 * bytes for UUIDs that are stored so, and any other value, or null, as it is.
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
    case 'uuid bytes':
      return uuidBytes(value as string);
    default:
      return value;
  }
}

/** The bytes of a UUID in its usual form, in small letters. */
function uuidBytes(id: string): Uint8Array {
  const bytes = new Uint8Array(16);
  let digits = 0;
  for (let at = 0; at < id.length; at += 1) {
    const code = id.charCodeAt(at);
    if (code === hyphen) continue;
    const digit = code < letterA ? code - digitZero : code - letterA + 10;
    bytes[digits >> 1] = (bytes[digits >> 1] as number) * 16 + digit;
    digits += 1;
  }
  return bytes;
}

const [hyphen, digitZero, letterA] = [0x2d, 0x30, 0x61];

/** An instant in microseconds since 1970. A fraction is cut after six digits. */
function epochMicroseconds(instant: string): bigint {
  const fraction = /\.(\d+)/.exec(instant)?.[1] ?? '';
  const wholeSeconds = Date.parse(`${instant.slice(0, 19)}Z`) / 1000;
  return BigInt(wholeSeconds) * 1_000_000n + BigInt(fraction.slice(0, 6).padEnd(6, '0'));
}
