import type * as z from 'zod';
import { faultText, knownValue } from '../../../contract/checked-value.ts';
import { isShallow, jsonLevels, shortened } from '../../../contract/text.ts';
import { Failure } from '../../files/failure.ts';

/** A message shows at most this many characters of a host's data. */
const longestMessage = 500;

/**
 * Parses bytes as JSON that matches a schema, but for fields that the schema does not have. Throws a Failure that says
 * what is wrong. `name` is for the message.
 */
export function jsonObject<Value>(bytes: Uint8Array, schema: z.ZodType<Value>, name: string): Value {
  requireShallow(bytes, name);
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes).toString());
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new Failure('host_answer', `${name}: expected JSON, got ${bytes.length} bytes that are none`);
  }
  const read = knownValue(schema, value);
  if ('value' in read) return read.value;
  // The message quotes names of fields that the host chose.
  const message = `${name}: ${faultText(read.fault)}`;
  throw new Failure('host_answer', shortened(message, longestMessage));
}

/** Throws a Failure when JSON is nested so deep that a program may run out of stack when it walks it. */
export function requireShallow(bytes: Uint8Array, name: string): void {
  if (!isShallow(bytes))
    throw new Failure('host_answer', `${name}: expected JSON of at most ${jsonLevels} levels, got more`);
}
