import type * as z from 'zod';
import { checkValue, compileCheck } from '../contract/checked-value.ts';

/** Some columns of a record: their values, and their JSON without braces. */
export type Part = { readonly values: Readonly<Record<string, unknown>>; readonly json: string };

/** Takes records one by one, each in parts. Records with the same values should share the part. */
export type RecordSink = { readonly add: (...parts: readonly Part['values'][]) => void };

/**
 * Makes a part of every record from a row. A part that many records share is made, checked and encoded once. Its schema is
 * compiled before the first record: some hundred checks without cost as much.
 */
export class RecordPart<Row, Schema extends z.ZodType<Record<string, unknown>>> {
  readonly #path: string;
  readonly #schema: Schema;
  readonly #valuesOf: (row: Row) => z.infer<Schema>;
  readonly #keyOf: (row: Row) => string | null | undefined;
  readonly #known = new Map<string | null, Part>();

  /** `keyOf`: rows with the same key have the same part. Undefined for a part that is not kept. */
  constructor(
    path: string,
    schema: Schema,
    valuesOf: (row: Row) => z.infer<Schema>,
    keyOf: (row: Row) => string | null | undefined = () => undefined,
  ) {
    this.#path = path;
    this.#schema = schema;
    this.#valuesOf = valuesOf;
    this.#keyOf = keyOf;
    compileCheck(schema);
  }

  /** The part of a row. Throws a Failure that names the path when it does not match its schema. */
  of(row: Row): Part {
    const key = this.#keyOf(row);
    return key === undefined ? this.#make(row) : (this.#known.get(key) ?? this.#add(key, row));
  }

  #add(key: string | null, row: Row): Part {
    const part = this.#make(row);
    this.#known.set(key, part);
    return part;
  }

  #make(row: Row): Part {
    const values = this.#valuesOf(row);
    return { values, json: checkedPart(this.#path, this.#schema, values) };
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
