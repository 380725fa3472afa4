import type * as z from 'zod';
import { checkValue } from '../contract/checked-value.ts';

/**
 * Checks parts of records and makes their JSON. A part whose values are those of an earlier one is looked up, so that
 * it is neither checked nor encoded again.
 */
export class SharedParts<Schema extends z.ZodType<object>> {
  readonly #path: string;
  readonly #schema: Schema;
  readonly #known: Known = new Map();

  constructor(path: string, schema: Schema) {
    this.#path = path;
    this.#schema = schema;
  }

  /** The JSON of an object of plain values without its braces. */
  of(part: z.infer<Schema>): string {
    const values = Object.values(part);
    const last = values.pop();
    let known = this.#known;
    for (const value of values) {
      let next = known.get(value) as Known | undefined;
      if (next === undefined) {
        next = new Map();
        known.set(value, next);
      }
      known = next;
    }
    let text = known.get(last) as string | undefined;
    if (text === undefined) {
      text = checkedPart(this.#path, this.#schema, part);
      known.set(last, text);
    }
    return text;
  }
}

type Known = Map<unknown, Known | string>;

/** The JSON of an object without its braces. Throws a Failure that names the path when it does not match its schema. */
export function checkedPart(path: string, schema: z.ZodType, value: object): string {
  return checkedLine(path, schema, value).slice(1, -1);
}

/** The JSON of a record. Throws a Failure that names the path when it does not match its schema. */
export function checkedLine(path: string, schema: z.ZodType, value: object): string {
  checkValue(schema, () => `${path}: record ${JSON.stringify(value)}`, value);
  return JSON.stringify(value);
}
