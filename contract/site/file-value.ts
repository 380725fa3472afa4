import type * as z from 'zod';
import { firstFaults, knownValue, type ValueFault } from '../schemas/checked-value.ts';
import { isShallow, jsonLevels } from '../text.ts';

/** `exact`: exactly the fields of its schema. `known`: drops unknown fields, which files may gain (contract.md 10). */
export type Strictness = 'exact' | 'known';

export type FileFault = Pick<ValueFault, 'expected' | 'got'>;

type FileRules = {
  readonly strictness: Strictness;
  readonly most: number;
  /** May throw to stop at the first fault. */
  readonly onFault: (fault: FileFault) => void;
};

/** The value of a file; null after a fault that makes the file useless. */
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

/** JSON in UTF-8 without a byte order mark, of few levels; otherwise the fault. */
function parseStrictJson(bytes: Uint8Array): { readonly value: unknown } | FileFault {
  if (!isShallow(bytes)) return { expected: `JSON of at most ${jsonLevels} levels`, got: 'more' };
  try {
    return { value: JSON.parse(utf8.decode(bytes)) };
  } catch (error) {
    return { expected: 'JSON', got: (error as Error).message };
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The fault of a file has no field. */
export function fileFault({ field, expected, got }: ValueFault): FileFault {
  return { expected: field === null ? expected : `${expected} at ${field}`, got };
}

/** The value that a parser returned. Its `onFault` throws, so the value is never null. */
export function sound<Value>(value: Value | null): Value {
  if (value === null) throw new Error('a file of a site without a fault could not be read');
  return value;
}
