import type * as z from 'zod';
import { firstFaults, knownValue, type ValueFault } from '../schemas/checked-value.ts';
import { isShallow, jsonLevels } from '../text.ts';

/**
 * How strictly a file of a site is read. `exact`: it has every field of its schema and no other. `known`: fields that
 * the reader does not know are dropped, because files may gain fields (contract.md 10).
 */
export type Strictness = 'exact' | 'known';

/** What was expected of a file and what came instead, in words for a message. */
export type FileFault = Pick<ValueFault, 'expected' | 'got'>;

type FileRules = {
  readonly strictness: Strictness;
  /** Bytes that the file may have at most. */
  readonly most: number;
  /** Called with each fault. It may throw to stop at the first. */
  readonly onFault: (fault: FileFault) => void;
};

/** The value of a JSON file of a site; null after a fault that makes it useless. */
export function readFileValue<Value>(
  bytes: Uint8Array,
  schema: z.ZodType<Value>,
  { strictness, most, onFault }: FileRules,
): Value | null {
  if (bytes.length > most) {
    onFault({ expected: `at most ${most} bytes`, got: String(bytes.length) });
    return null;
  }
  const json = parseStrictJson(bytes);
  if ('got' in json) {
    onFault(json);
    return null;
  }
  if (strictness === 'known') {
    const read = knownValue(schema, json.value);
    if ('value' in read) return read.value;
    onFault(fileFault(read.fault));
    return null;
  }
  const faults = firstFaults(schema, json.value);
  for (const fault of faults) onFault(fileFault(fault));
  return faults.length === 0 ? (json.value as Value) : null;
}

/** The value of JSON in UTF-8 without a byte order mark, of few levels; else what is wrong with it. */
function parseStrictJson(bytes: Uint8Array): { readonly value: unknown } | FileFault {
  if (!isShallow(bytes)) return { expected: `JSON of at most ${jsonLevels} levels`, got: 'more' };
  try {
    return { value: JSON.parse(utf8.decode(bytes)) };
  } catch (error) {
    return { expected: 'JSON', got: (error as Error).message };
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A fault of a value as one of its file, without a field of its own. */
export function fileFault({ field, expected, got }: ValueFault): FileFault {
  return { expected: field === null ? expected : `${expected} at ${field}`, got };
}

/** The result of a parser whose `onFault` throws, so that it returns only a sound value. */
export function sound<Value>(value: Value | null): Value {
  if (value === null) throw new Error('a file of a site without a fault could not be read');
  return value;
}
