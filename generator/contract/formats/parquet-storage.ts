import { epochMicroseconds } from '../instant.ts';
import type { TableColumn } from './parquet.ts';

/** An element of the schema of a Parquet file, as thrift has it: a column, or the list in one. */
export type StoredElement = {
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

function elementsOf({ name, type, isNullable }: TableColumn): StoredElement[] {
  const own = { name, repetition_type: isNullable ? 'OPTIONAL' : 'REQUIRED' } as const;
  switch (type) {
    case 'uuid':
    case 'string':
    case 'object':
      return [{ ...own, ...textElement }];
    case 'uuid bytes':
      return [{ ...own, type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16, logical_type: { type: 'UUID' } }];
    case 'integer':
      return [{ ...own, type: 'INT64' }];
    case 'decimal':
      return [{ ...own, type: 'INT64', converted_type: 'DECIMAL', precision: 18, scale: 2 }];
    case 'number':
      return [{ ...own, type: 'DOUBLE' }];
    case 'boolean':
      return [{ ...own, type: 'BOOLEAN' }];
    case 'date-time':
      return [{ ...own, type: 'INT64', converted_type: 'TIMESTAMP_MICROS', logical_type: microsecondsInUtc }];
    case 'array of string':
      return [
        { ...own, converted_type: 'LIST', num_children: 1 },
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
