import type * as z from 'zod';
import { readFileValue, sound } from '../../contract/site/file-value.ts';
import { shortened } from '../../contract/text.ts';
import { Failure } from '../files/failure.ts';

/** A message shows at most this many characters of a host's data. */
const longestMessage = 500;

/**
 * Parses a JSON object and ignores its unknown fields. Throws a Failure if the bytes do not match the schema. `name` is
 * for the message.
 */
export function jsonObject<Value>(bytes: Uint8Array, schema: z.ZodType<Value>, name: string): Value {
  return sound(
    readFileValue(bytes, schema, {
      strictness: 'known',
      most: Number.POSITIVE_INFINITY,
      onFault({ expected, got }) {
        // The message quotes names of fields that the host chose.
        throw new Failure('host_answer', shortened(`${name}: expected ${expected}, got ${got}`, longestMessage));
      },
    }),
  );
}
