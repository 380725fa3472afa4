import type * as z from 'zod';
import { checkValue } from '../contract/check.ts';
import { Failure } from '../failure.ts';

/** Bytes as JSON of a shape. Throws a Failure that says what is wrong; `name` is for the message. */
export function jsonObject<Value>(bytes: Uint8Array, schema: z.ZodType<Value>, name: string): Value {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes).toString());
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new Failure(`${name}: expected JSON, got ${bytes.length} bytes that are none`);
  }
  checkValue(schema, () => name, value);
  return value as Value;
}
