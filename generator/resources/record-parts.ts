import type * as z from 'zod';
import { checkValue, compileCheck } from '../contract/checked-value.ts';

/**
 * A part of every record, made from a row. A part that many records share is made, checked and encoded once. Its schema is
 * compiled before the first record: some hundred checks without cost as much.
 */
export class RecordPart<Row, Schema extends z.ZodType<object>> {
  readonly #path: string;
  readonly #schema: Schema;
  readonly #make: (row: Row) => z.infer<Schema>;
  readonly #keyOf: (row: Row) => string | null | undefined;
  readonly #known = new Map<string | null, string>();

  /** `keyOf`: rows with the same key have the same part. Undefined for a part that no other row has. */
  constructor(
    path: string,
    schema: Schema,
    make: (row: Row) => z.infer<Schema>,
    keyOf: (row: Row) => string | null | undefined = () => undefined,
  ) {
    this.#path = path;
    this.#schema = schema;
    this.#make = make;
    this.#keyOf = keyOf;
    compileCheck(schema);
  }

  /** The JSON of the part in the record of a row, without its braces. */
  of(row: Row): string {
    const key = this.#keyOf(row);
    if (key === undefined) return checkedPart(this.#path, this.#schema, this.#make(row));
    return this.#known.get(key) ?? this.#add(key, row);
  }

  #add(key: string | null, row: Row): string {
    const text = checkedPart(this.#path, this.#schema, this.#make(row));
    this.#known.set(key, text);
    return text;
  }
}

/** The JSON of an object without its braces. Throws a Failure that names the path when it does not match its schema. */
export function checkedPart(path: string, schema: z.ZodType, value: object): string {
  return checkedLine(path, schema, value).slice(1, -1);
}

/** The JSON of a record. Throws a Failure that names the path when it does not match its schema. */
export function checkedLine(path: string, schema: z.ZodType, value: object): string {
  checkValue(schema, () => `${path}: record ${JSON.stringify(value)}`, value);
  return JSON.stringify(value);
}
